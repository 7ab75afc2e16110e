package name

// rank is how much a word claims.
type rank uint8

const (
	// title is a word that only staff bear, wherever it stands in a name.
	title rank = iota + 1
	// office is a word that also means other things (a support player, a dev's cat): it
	// claims to be staff where it is the whole name but for digits, signs and others of
	// its kind, or stands in brackets before the name.
	office
)

// staff are the words by which games call who runs them, in the languages of the
// service document and the commonest others; lower case, as written.
var staff = map[string]rank{
	"gm": title, "gms": title, "gamemaster": title, "gamemasters": title, "admin": title, "admins": title, "administrator": title, "administrators": title,
	"moderator": title, "moderators": title, "sysadmin": title, "superadmin": title, "sysop": title, "gameadmin": title, "supermod": title,
	"mod": office, "mods": office, "dev": office, "devs": office, "developer": office, "developers": office, "support": office, "staff": office,
	"official": office, "system": office, "server": office, "helpdesk": office, "owner": office, "operator": office, "administration": office, "moderation": office,
	"cm": office, "root": office, "announcement": office, "security": office, "master": office, "service": office, "customer": office, "team": office,
	"game": office, "community": office, "manager": office, "help": office, "center": office, "desk": office, "account": office, "billing": office,
	// Spanish, Portuguese, French, German, Italian, Turkish, Polish
	"administrador": title, "administradora": title, "moderador": title, "moderadora": title, "administrateur": title, "moderateur": title, "moderatrice": title,
	"spielleiter": title, "amministratore": title, "moderatore": title, "yonetici": title, "moderatör": title, "moderatoer": title, //nolint:misspell // Italian
	"soporte": office, "oficial": office, "suporte": office, "equipo": office, "equipe": office, "officiel": office, "offiziell": office, "ufficiale": office, "resmi": office, "destek": office,
	// Vietnamese, Indonesian, Malay (marks are gone in the reading)
	"quantrivien": title, "quantri": title, "hotro": office, "pengelola": office, "pentadbir": title,
	// Russian, Ukrainian
	"админ": title, "админы": title, "администратор": title, "администрация": title, "модератор": title, "гм": title, "геймастер": title, "модер": title, "адміністратор": title,
	"поддержка": office, "разработчик": office, "техподдержка": office, "официальный": office, "система": office,
	// Arabic
	"مشرف": title, "ادمن": title, "الادمن": title, "المشرف": title, "الدعم": office, "الادارة": title, "مدير": office, "رسمي": office,
	// Thai
	"แอดมิน": title, "ผู้ดูแล": title, "ผู้ดูแลระบบ": title, "จีเอ็ม": title, "ทีมงาน": office,
}

// dense are those of scripts that write without spaces, looked for anywhere in a name.
var dense = map[string]rank{
	"管理员": title, "管理員": title, "客服": title, "官方": title, "版主": title, "运营": office, "營運": office, "系统": office, "系統": office, "游戏管理": title, "遊戲管理": title,
	"游戏大师": title, "巡查员": office, "开发者": office, "開發者": office, "系统公告": title, "系統公告": title,
	"運営": title, "公式": office, "管理者": title, "管理人": title, "ゲームマスター": title, "モデレーター": title, "アドミン": title, "サポート": office, "スタッフ": office, "開発": office, "カスタマーサポート": title,
	"운영자": title, "관리자": title, "운영진": title, "운영팀": title, "고객센터": title, "게임마스터": title, "지엠": title, "어드민": title, "공식": office, "개발자": office, "스태프": office, "고객지원": office, "영자": office,
	"แอดมิน": title, "ผู้ดูแล": title, "จีเอ็ม": title,
}

// denials are parts that say what a name is not: who hates, loves or plays at being
// staff does not pass for it.
var denials = map[string]bool{
	"not": true, "no": true, "non": true, "fake": true, "anti": true, "fan": true, "fans": true, "hater": true, "hate": true, "hates": true, "ex": true, "isnt": true, "aint": true, "never": true,
	"love": true, "loves": true, "kill": true, "killer": true, "slayer": true, "vs": true, "fuck": true, "wannabe": true, "nicht": true, "kein": true, "pas": true, "nao": true, "stop": true, "bye": true, "noob": true,
}

// denseDenials stand before or behind a dense word.
var denseDenials = []string{"非", "不是", "假", "反", "偽", "じゃない", "ではない", "嫌い", "好き", "の犬", "의적", "아님", "아니", "안티", "아닙니다", "粉丝", "黑粉", "吐槽", "ไม่ใช่"}

// family are the beginnings of ordinary words that begin as a title does:
// administratum, administrative, admiral has none.
var family = []string{"administ", "administr", "moderat", "gamemasters"} //nolint:misspell // the beginning of one
