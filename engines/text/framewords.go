package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// function is what a small word does in a clause.
type function uint16

const (
	doesNegate function = 1 << iota
	doesOwn             // the speaker and his like: we, us, I
	doesPoint           // makes one person of a group: my, his, this
	doesAsk             // why
	doesBut             // ends what a negation reaches
	doesHe              // somebody else is the subject
	doesPlay            // names something of a game
	doesLive            // names something of real life
	doesMild            // a deed that games are full of
)

// functions are small words of many languages, folded and without apostrophes. They
// are looked up only in messages in which the parts of a frame stand.
var functions = sync.OnceValue(func() map[string]function {
	m := map[string]function{}
	for f, words := range map[function]string{
		doesNegate: `not no never nobody none nor neither cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt aint without nicht kein keine
			keinen keiner nie niemals niemand pas jamais aucun aucune personne nunca jamas nadie ningun ninguno ninguna nao ninguem nenhum nenhuma non mai nessuno nessuna не нет никогда
			никто нельзя ні ніколи ніхто degil asla hayir yok tidak bukan jangan gak nggak ga tak khong dung chua hindi huwag wala niet geen nooit nie nigdy nikt inte aldrig ingen ikke
			nu niciodata nimeni nem soha senki ne nikdy nikdo لا ليس ليست ليسوا لم لن ما नहीं मत ना न না নয় নেই نه نیست نیستند نباید مش مو مب موش ماشي ماهم ماهو مهوش محد مافي msh mish mafi`,
		doesOwn: `we us our ours i im ive me wir uns ich nous je moi nosotros nosotras yo nos noi io nós eu мы нас я меня biz ben bizi kami saya aku kita chung toi tayo ako wij ik my ja vi jag noi
			نحن انا احنا حنا نحنا e7na 7na हम मैं আমরা আমি ما من`,
		doesPoint: `my his her your ur this that our their mein meine meinen sein seine ihr ihre dein deine dieser unsere mon ma son sa ton ta cette mi su tu esta este esa ese meu minha
			seu sua essa esse este mia mio sua suo questa questo quella tua tuo моя мой мою его ее эта этот твоя benim senin onun bu ku kau mijn zijn haar deze moja moj jego jej ta ten min din hans hennes`,
		doesAsk: `why whys warum wieso weshalb pourquoi porque perche почему зачем чому neden niye kenapa mengapa bakit sao waarom dlaczego varfor hvorfor لماذا ليش ليه علاش leesh lesh leh 3lash 3lach क्यों কেন چرا`,
		doesBut: `but though aber sondern doch mais pero sino mas porem ma но зато але ama fakat tapi tetapi nhung pero maar ale men لكن ولكن بس غير lakin laken walakin wlakin लेकिन কিন্তু ولی اما`,
		doesHe:  `he she it they hes shes theyll theyre itll boss enemy er sie es il elle ils el ella ellos ele ela lui lei он она они dia mereka`,
		doesPlay: `boss round rounds arena match matches lane next game games mid respawn ranked lvl level duel pvp 1v1 scrim lobby raid map turn spawn rematch ffa monster mob mobs quest ingame
			team top jungle bot gg jungler tank healer minecraft fortnite valorant lol dota cs roblox clan guild dungeon server build sword bow bomb creeper zombie zombies skin hp mana ult ulti
			ranking partida ronda mapa nivel jefe juego servidor spiel runde karte gegner partie manche jeu niveau carte gioco livello mappa игре игра раунд катке босс мапе уровень
			oyun mac rauntta seviye permainan ronde kalah van tran laro laban`,
		doesLive: `irl house home address family mom mum mother father dad sister brother kids school gun knife sleep outside blood door parents wife daughter life haus adresse familie mutter
			schule messer echt maison adresse famille mere ecole couteau casa direccion familia madre mama escuela cuchillo pistola endereco familia mae escola faca casa indirizzo famiglia madre
			scuola coltello дом адрес семью мать школе нож реале ev aile anne okul bicak rumah alamat keluarga ibu sekolah pisau nha gia dinh me bahay pamilya nanay`,
		doesMild: `find get beat hit catch track destroy smash crush wreck end finish carry follow come fight slap`,
	} {
		for w := range strings.FieldsSeq(words) {
			p := foldTerm(w)
			m[string(p.spelled())] |= f
		}
	}
	return m
})

// spelled is a small word of a script that writes words side by side, and what it does.
type spelled struct {
	text []rune
	does function
}

// spelledOut are those words by their first letter, folded as text is.
var spelledOut = sync.OnceValue(func() map[rune][]spelled {
	m := map[rune][]spelled{}
	for f, words := range map[function]string{
		doesOwn:   "私たち 俺たち 私も 我们 우리 나_ 나도_ 내가_ พวกเรา ฉัน",
		doesPoint: "私の うちの 俺の この 彼の 我的 他的 她的 这个 那个 내_ 그_",
		doesAsk:   "なぜ なんで どうして 为什么 为啥 왜 ทำไม",
		doesBut:   "けど 但 하지만 แต่",
		doesPlay:  "ボス ゲーム 次の 游戏 下局 怪物 副本 게임 다음 보스 เกม บอส",
		doesLive:  "家 現実 现实 リアル 住所 집 현실 บ้าน",
	} {
		for w := range strings.FieldsSeq(words) {
			term := foldTerm(strings.TrimSuffix(w, "_"))
			text := term.spelled()
			if strings.HasSuffix(w, "_") {
				text = append(text, ' ')
			}
			m[text[0]] = append(m[text[0]], spelled{text, f})
		}
	}
	return m
})

// denials are what makes a word of a dense script, or of Korean, a negation.
var denials = []string{"ない", "ません", "なわけ", "ぬ", "不", "没", "別", "别", "勿", "않", "아니", "안 ", "없", "말자", "ไม่", "อย่า"}

// negates reports whether a counter is a negation, and not a reproach.
func negates(counter string) bool {
	p := foldTerm(counter)
	if p.dense {
		for _, d := range denials {
			if strings.Contains(counter, d) {
				return true
			}
		}
		return false
	}
	for w := range strings.FieldsSeq(string(p.spelled())) {
		if functions()[w]&doesNegate == 0 {
			return false
		}
	}
	return true
}

// does returns what the words of units [from, to) do, as a set.
func (s *scratch) does(from, to int) function {
	var out function
	var buf [64]byte
	word := buf[:0]
	units := s.norm.units
	to = min(to, len(units))
	for i := max(from, 0); i <= to; i++ {
		if i < to && (units[i].class.alphabetic() || units[i].class == classDigit) {
			if len(word) < len(buf)-utf8.UTFMax {
				word = utf8.AppendRune(word, units[i].r)
			}
			continue
		}
		if i < to && apostrophe(units[i].r) && len(word) > 0 {
			continue
		}
		if len(word) > 0 {
			out |= functions()[string(word)]
			word = word[:0]
		}
		if i < to && units[i].class.dense() {
			out |= spelledAt(units[i:to])
		}
	}
	return out
}

// spelledAt returns what the small words do that units begin with.
func spelledAt(units []unit) function {
	var out function
next:
	for _, w := range spelledOut()[units[0].r] {
		if len(w.text) > len(units) {
			continue
		}
		for i, r := range w.text {
			if units[i].r != r {
				continue next
			}
		}
		out |= w.does
	}
	return out
}
