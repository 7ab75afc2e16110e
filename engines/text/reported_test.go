package text

import (
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// dealt is the highest confidence of trade and crime in a text, and whether a frame
// lowered a signal.
func dealt(t *testing.T, e *Engine, text, language string) (best engines.Signal, lowered bool) {
	t.Helper()
	for _, g := range look(t, e, text, language) {
		lowered = lowered || strings.HasSuffix(g.Rule, overReport)
		if (g.Category == engines.Spam || g.Category == engines.Illegal) && g.Confidence > best.Confidence {
			best = g
		}
	}
	return best, lowered
}

// TestReported: what is told of a deed (the news, who was caught, who lost what he had,
// what was reported, of what is warned) is none, in each language.
func TestReported(t *testing.T) {
	e := shared(t)
	for _, c := range []struct{ language, text string }{
		{"en", "the news said a nurse was arrested for selling fake vaccine cards"},
		{"en", "my cousin got scammed by a gold seller and then banned too"},
		{"en", "some guy was pretending to be an admin and wanted my password, i reported him"},
		{"en", "don't click that free nitro link, it steals your account"},
		{"en", "documentary about fake passports tonight, looks good"},
		{"de", "in den nachrichten kam, dass einer wegen gefälschter ausweise verhaftet wurde"},
		{"de", "vorsicht, da schreibt einer als admin und will euer passwort, hab ihn gemeldet"},
		{"fr", "ils en ont parlé aux infos, un type arrêté pour vente de faux permis"},
		{"fr", "mon frère s'est fait arnaquer par un vendeur de kamas, compte perdu"},
		{"es", "salió en las noticias que detuvieron a uno por vender documentos falsos"},
		{"es", "a mi primo lo estafaron comprando oro y encima le banearon"},
		{"pt", "passou no jornal que um cara foi preso por vender diploma falso"},
		{"it", "al telegiornale hanno detto che hanno arrestato uno che vendeva documenti falsi"},
		{"nl", "op het nieuws zag ik dat iemand is opgepakt voor valse paspoorten"},
		{"pl", "w telewizji mówili, że zatrzymali gościa za fałszywe dowody"},
		{"ru", "в новостях показали, как задержали парня за продажу поддельных прав"},
		{"tr", "haberlerde sahte diploma satan birinin yakalandığını gördüm"},
		{"ar", "في الاخبار قبضوا على واحد يبيع شهادات مزورة"},
		{"hi", "खबर में था कि नकली आधार बनाने वाला पकड़ा गया"},
		{"id", "di berita ada orang ditangkap gara-gara bikin sim palsu"},
		{"vi", "trên tivi đưa tin bị bắt vì làm bằng lái giả"},
		{"th", "ในข่าวมีคนโดนจับเพราะทำบัตรปลอม"},
		{"ja", "ニュースで闇バイトした人が逮捕されたって言ってた"},
		{"ko", "뉴스에서 대포통장 만든 사람 구속됐다더라"},
		{"zh", "新闻说那个卖假证的被判了三年"},
		{"id", "tadi ada bot nyebar link diamond gratis, jgn dipencet, phising itu"},
		{"ko", "무료 로벅스 준다는 쪽지 오면 누르지마세요 피싱임 신고했음"},
		{"zh", "刚有人私我说免费领皮肤,一看就是钓鱼,已举报"},
		{"vi", "có con bot rải link kim cương miễn phí, đừng ấn, lừa đấy, rp rồi"},
		{"th", "มีบอทส่งลิงก์เพชรฟรี อย่ากดนะ ฟิชชิ่งแน่ รีพอร์ตไปแล้ว"},
		{"ja", "無料ダイヤのDMが来ても踏まないで、フィッシングだから通報済み"},
		{"ru", "в лс пишут про бесплатные робуксы, не тыкайте, это фишинг, репортнул"},
		{"tr", "biri bedava elmas linki atıyor, basmayın oltalama bu, raporladım"},
		{"ar", "في بوت يرسل روابط جواهر مجانية، لا تضغطوه، تصيد، سويت بلاغ"},
		{"hi", "koi free uc ka link bhej raha hai, dabana mat, phishing hai, report kr diya"},
		{"es", "anda un bot mandando diamantes gratis, no le piquen, es phishing"},
		{"pt", "tem bot mandando robux grátis, n clica, é golpe"},
		{"fr", "y a un bot qui envoie des vbucks gratuits en mp, cliquez pas c'est du phishing"},
		{"de", "da schickt einer gratis vbucks links rum, nicht anklicken, is phishing, schon gemeldet"},
		{"it", "c'è un bot che manda gemme gratis, nn cliccate, è phishing"},
		{"pl", "jakiś bot wysyła darmowe vdolce, nie klikać, to phishing"},
		{"nl", "er gaat een bot rond met gratis vbucks, klik er niet op, phishing, al gemeld"},
		{"de", "mein bruder wurde von nem goldseller abgezogen"},
	} {
		if got, _ := dealt(t, e, c.text, c.language); got.Confidence >= 0.55 {
			t.Errorf("%s %q: %s %s %.2f", c.language, c.text, got.Category, got.Rule, got.Confidence)
		}
	}
}

// TestReportedSaysSo: what a frame lowered names it.
func TestReportedSaysSo(t *testing.T) {
	if _, lowered := dealt(t, shared(t), "saw on the news that a man was arrested for selling fake passports", "en"); !lowered {
		t.Error("no signal says that it is of what was reported")
	}
}

// TestReportIsNoLoophole: an offer keeps its score whatever it says of the news, of
// those who were caught and of swindlers.
func TestReportIsNoLoophole(t *testing.T) {
	e := shared(t)
	for _, c := range []struct{ language, text string }{
		{"en", "selling fake ids like the ones on the news, dm me"},
		{"en", "no scam, saw on the news others get arrested, i sell fake passports, telegram @papers77"},
		{"en", "beware of scammers! cheap gold 5$ per 1m, fast delivery, discord gold#1234"},
		{"en", "don't trust others, selling lvl 80 account 40$ paypal, dm me"},
		{"en", "fake ids, nobody ever got caught with ours, 50$ each, fast shipping"},
		{"en", "got scammed before? buy gold from us, trusted, 3$ per 1m"},
		{"de", "vorsicht vor betrügern! verkaufe gold, 10€ für 1 mio, schnelle lieferung, discord goldi#4411"},
		{"fr", "attention aux arnaques, je vends des comptes pas cher, 20€ paypal, mp moi"},
		{"es", "cuidado con las estafas, vendo oro barato 5€ cada kilo, escribeme al whatsapp +34 612 345 678"},
		{"pt", "cuidado com golpe, vendo conta barata 50 reais no pix, chama no zap"},
		{"ru", "не ведитесь на мошенников, продам золото дёшево, 100 руб за 1кк, пишите в телегу @zoloto77"},
		{"tr", "asla yakalanmayan hile, aylık 200 lira, yazın"},
		{"tr", "dolandırıcılara dikkat, ucuz altın satılık 50 tl, discorddan yaz goldcu#1234"},
		{"id", "hati-hati penipuan, jual akun ml murah 50rb, wa 0812-3456-7890"},
		{"ja", "詐欺に注意！格安でゴールド販売中、100万1000円、DMください"},
		{"zh", "小心骗子，本店卖金币便宜，10元100万，加微信jinbi888"},
	} {
		if got, lowered := dealt(t, e, c.text, c.language); got.Confidence < 0.6 || lowered {
			t.Errorf("%s %q: %s %.2f, lowered %v", c.language, c.text, got.Rule, got.Confidence, lowered)
		}
	}
}

// TestNobodyWasCaught: what did not happen frames nothing.
func TestNobodyWasCaught(t *testing.T) {
	e := shared(t)
	for _, c := range []struct{ language, text string }{
		{"en", "fake ids, never got caught"},
		{"de", "gefälschte ausweise, keiner wurde erwischt"},
		{"tr", "sahte diploma, hiç yakalanmadı"},
		{"ja", "闇バイト、まだ捕まってない"},
		{"zh", "假证，没被抓过"},
	} {
		if _, lowered := dealt(t, e, c.text, c.language); lowered {
			t.Errorf("%s %q is told of as if somebody had been caught", c.language, c.text)
		}
	}
}

// TestReportKeepsTheGrave: who urges a death or meets a child is not excused by the news.
func TestReportKeepsTheGrave(t *testing.T) {
	e := shared(t)
	for _, c := range []string{"saw it on the news, now kill yourself", "he was arrested, so what, go kill yourself already"} {
		if got, lowered := dealt(t, e, c, "en"); got.Confidence < 0.6 || lowered {
			t.Errorf("%q: %s %.2f, lowered %v", c, got.Rule, got.Confidence, lowered)
		}
	}
}

// TestOwnSecrecy: who asks that his mother is not told of his own play keeps no child's
// secret; who asks a child for it does.
func TestOwnSecrecy(t *testing.T) {
	e := shared(t)
	for _, c := range []struct {
		language, text string
		secret         bool
	}{
		{"vi", "đừng nói với mẹ t là t còn chơi nha", false},
		{"vi", "đừng nói với mẹ nha em, gửi ảnh cho anh đi", true},
		{"th", "อย่าบอกแม่เรานะว่ายังไม่นอน", false},
		{"th", "อย่าบอกแม่นะว่าเรายังเล่นอยู่", false},
		{"th", "อย่าบอกแม่นะ ส่งรูปมาให้พี่ดูหน่อย", true},
		{"hi", "mummy ko mat bolna abhi tak khel raha hu", false},
		{"hi", "mummy ko mat bolna, apni photo bhejo", true},
		{"id", "jangan bilang mama gw masih main, dikira tidur", false},
		{"id", "jangan bilang mama ya dek, kirim foto kamu", true},
		{"it", "non dirlo a mamma che sto ancora giocando", false},
		{"it", "non dirlo a mamma, vieni a casa mia dopo scuola", true},
		{"ru", "не говори маме что я ещё играю", false},
		{"ru", "не говори маме, скинь фотку без одежды", true},
		{"pl", "nie mów mamie że jeszcze gram", false},
		{"pl", "nie mów mamie, wyślij mi zdjęcie", true},
		{"ko", "엄마한테 말하지마 나 아직 게임하는거", false},
		{"ja", "親には内緒で写真送って", true},
		{"zh", "别告诉爸妈我还在玩", false},
		{"zh", "别告诉爸妈,发张照片给叔叔", true},
	} {
		found := false
		for _, g := range look(t, e, c.text, c.language) {
			found = found || g.Category == engines.Illegal && g.SubLabel == "child_safety" && g.Confidence >= 0.55
		}
		if found != c.secret {
			t.Errorf("%s %q: a child's secret %v, want %v", c.language, c.text, found, c.secret)
		}
	}
}
