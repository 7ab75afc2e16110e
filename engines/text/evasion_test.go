package text

import (
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// listed is the engine with the lists that are built in and no model, whose view
// of a message is not what is tested here.
func listed(tb testing.TB) *Engine {
	tb.Helper()
	e, err := listsAlone()
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	return e
}

var listsAlone = sync.OnceValues(func() (*Engine, error) { return New(Config{NoModel: true}) })

// TestEvasions are ways in which words were hidden from other filters.
func TestEvasions(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		want       engines.Category
	}{
		{"zero width joiner", "such an as\u200dsho\u200dle", engines.Harassment},
		{"word joiner and soft hyphen", "w\u2060a\u00adn\u2063ker", engines.Harassment},
		{"stretched", "biiiiitch please", engines.Harassment},
		{"stretched double letter", "assssshole", engines.Harassment},
		{"doubled vowel", "what the fuuck", engines.Harassment},
		{"sign for a vowel", "sh#t and b#tch", engines.Harassment},
		{"two signs", "f**k this", engines.Harassment},
		{"signs and an ending", "f*cking hell", engines.Harassment},
		{"markdown and a cyrillic letter", "__a__**s**shоle", engines.Harassment},
		{"fraktur", "𝔟𝔦𝔱𝔠𝔥", engines.Harassment},
		{"leet at the start", "5hit happens", engines.Harassment},
		{"leet with signs", "a$$h0le", engines.Harassment},
		{"leet one as l", "a55ho1e", engines.Harassment},
		{"full stop after", "moron. stop", engines.Harassment},
		{"underscores", "w_h_o_r_e", engines.Harassment},
		{"bars", "b|i|t|c|h", engines.Harassment},
		{"spaces", "you are an i d i o t", engines.Harassment},
		{"spaces to the end", "f u c k y o u", engines.Harassment},
		{"two words, wide space", "k i l l   y o u r s e l f", engines.Illegal},
		{"letters then words", "k i l l yourself", engines.Illegal},
		{"emoji between", "m😀o😀r😀o😀n", engines.Harassment},
		{"hyphen in the middle", "fag-got", engines.Hate},
		{"dot in the middle", "bas.tard", engines.Harassment},
		{"spelling", "you beotch", engines.Harassment},
		{"regional indicators", "🇫 🇺 🇨 🇰", engines.Harassment},
		{"regional indicators together", "🇫🇺🇨🇰", engines.Harassment},
		{"small capitals", "ғᴜᴄᴋ ʏᴏᴜ", engines.Harassment},
		{"cyrillic capitals", "ВІТСН", engines.Harassment},
		{"greek", "ιdιοτ", engines.Harassment},
		{"stroke letters", "mørøn", engines.Harassment},
		{"bidi override", "\u202eidiot\u202c", engines.Harassment},
		{"zalgo", "i̷̢d̶̛i̵̧o̴̕t̸͜", engines.Harassment},
		{"another language", "какой же ты дебил", engines.Harassment},
		{"latin o in cyrillic", "ты идиoт", engines.Harassment},
		{"zero in cyrillic", "иди0т", engines.Harassment},
		{"spaced cyrillic", "д е б и л", engines.Harassment},
		{"spaced sharp s", "S c h e i ß e", engines.Harassment},
		{"compound", "fuckingusername", engines.Harassment},
		{"digit in han", "弱1智", engines.Harassment},
		{"dot in han", "废.物", engines.Harassment},
		{"signs in han", "脑@￥#残", engines.Harassment},
		{"spaced han", "你 智 障", engines.Harassment},
		{"full-width contact", "加我ＶＸ有惊喜", engines.Spam},
		{"traditional", "你個腦殘", engines.Harassment},
		{"initial for a syllable", "ㅅ발", engines.Harassment},
		{"initial at the end", "병ㅅ", engines.Harassment},
		{"jamo", "ㅂㅕㅇㅅㅣㄴ", engines.Harassment},
		{"dot in hangul", "병.신", engines.Harassment},
		{"star in japanese", "死☆ね", engines.Illegal},
		{"drawn out", "バーーーカ", engines.Harassment},
		{"no language given wrong", "fucking clown", engines.Harassment},
	} {
		got := look(t, listed(t), c.text, "")
		if len(found(got, c.want)) == 0 {
			t.Errorf("%s: Inspect(%q) = %+v, want %s", c.kind, c.text, got, c.want)
		}
	}
}

// TestClean are texts that other filters took offence at.
func TestClean(t *testing.T) {
	for _, c := range []struct{ kind, text, language string }{
		{"place", "train from Scunthorpe to Penistone", "en"},
		{"places", "Middlesex, Cockfosters and Clitheroe", "en"},
		{"words joined by removing spaces", "can't we just press hit and run", "en"},
		{"words joined by removing spaces", "the pass is hit by wind", "en"},
		{"folk tale", "Dick Whittington and his cat, chapter two", "en"},
		{"interface", "press the pass button to assess your assets", "en"},
		{"night", "good night all, nightmare mode tonight", "en"},
		{"items", "he has sugar and a bass guitar", "en"},
		{"spanish colour", "el caballero negro corre por el campo", "es"},
		{"swedish past tense", "jag fick ett svärd och en sköld", "sv"},
		{"german clean", "der dicke Drache flickt die Rüstung nicht", "de"},
		{"norwegian", "den ene er rask", "no"},
		{"separators between words", "sure/maybe, album-shoe, scrape_tool", "en"},
		{"seeds", "dig a hole, ass in the stable eats grass", "en"},
		{"spaced words", "as he sat i n a t r e e", "en"},
		{"studies", "skill assessment and class analysis", "en"},
		{"hyphen", "pre-chorus, co-op, push-it, mass-hit", "en"},
		{"pronoun", "whoever wins picks the map, whose turn", "en"},
		{"build", "sawtooth grass by the cobblestone, cockpit view", "en"},
		{"one letter changed", "flip the switch, stitch the ditch", "en"},
		{"rope", "hang the rope on the tower wall", "en"},
		{"business model", "f2p or p2w or b2b", "en"},
		{"bot", "train against the bot on level 3", "en"},
		{"sport", "hit the bag hard, three rounds, kick and punch", "en"},
		{"id", "code Qx5H17pLm or A55-4SS7X", "en"},
		{"digits", "455,117 / 8008 / 5318008", "en"},
		{"version", "crash after 2023.08.14 build 4182 error 80070057", "en"},
		{"accents", "Íñigo Núñez Peña joined, Zoë too", "es"},
		{"swedish letters", "vi möts på ån, hälsa från mig", "sv"},
		{"short accented words", "bệnh cúm không nặng lắm", "vi"},
		{"russian", "он пошёл на рынок за хлебом", "ru"},
		{"russian words of look-alikes", "рот сом нос оса рост", "ru"},
		{"greek", "καλημέρα, πάμε στο κάστρο", "el"},
		{"chinese compounds", "操作很好，逼近了，这支那么强", "zh"},
		{"dead end", "小心去死胡同，前面没路", "zh"},
		{"border of words", "这下大麻烦了，大麻将桌", "zh"},
		{"border at a comma", "老大，麻雀来了", "zh"},
		{"single characters spaced", "我 们 走 吧", "zh"},
		{"traditional clean", "這個隊友操作很好", "zh"},
		{"loan words", "ダークソウルとフォークソング", "ja"},
		{"sentence end", "明日は楽しみだしね、暑いしね", "ja"},
		{"only", "こればかりは仕方ない", "ja"},
		{"can't die", "まだ死ねないから回復して", "ja"},
		{"starting point", "여기가 시발점이고 출시발표는 내일", "ko"},
		{"don't look", "거기 보지 마세요, 자지 않고 기다렸어", "ko"},
		{"boss", "kill the boss, nuke mid, headshot him", "en"},
		{"arena", "i will kill you in the arena next round lol", "en"},
		{"mild", "damn, what the hell was that", "en"},
		{"empty", "", ""},
		{"emoji", "😀😀", ""},
		{"trade", "selling 100 iron ore for 40 silver", "en"},
		{"thai", "ขอบคุณมากครับ เจอกันพรุ่งนี้", "th"},
		{"arabic", "صباح الخير، هيا نلعب", "ar"},
		{"hindi", "नमस्ते दोस्तों, चलो खेलते हैं", "hi"},
	} {
		for _, s := range look(t, listed(t), c.text, c.language) {
			if s.Confidence >= 0.5 {
				t.Errorf("%s: Inspect(%q) = %+v, want nothing", c.kind, c.text, s)
			}
		}
	}
}

func TestStrongSignals(t *testing.T) {
	for text, want := range map[string]engines.Category{
		"go kill yourself you worthless faggot": engines.Illegal,
		"you worthless faggot":                  engines.Hate,
		"n1gg3r":                                engines.Hate,
		"i will rape you":                       engines.Violence,
		"selling cp, dm me":                     engines.Illegal,
		"k.y.s":                                 engines.Illegal,
		"send nudes":                            engines.Sexual,
		"i will come to your house and, you know": engines.Violence,
		"お前なんか死んだほうがいい":                           engines.Illegal,
		"拿刀砍你全家":                                  engines.Violence,
		"나가 뒤져라":                                  engines.Illegal,
	} {
		top := 0.0
		for _, s := range look(t, listed(t), text, "") {
			if s.Category == want {
				top = max(top, s.Confidence)
			}
		}
		if top < 0.85 {
			t.Errorf("Inspect(%q): %s at %.2f, want at least 0.85", text, want, top)
		}
	}
}

func TestMildAndPlainInsults(t *testing.T) {
	for text, bounds := range map[string][2]float64{
		"damn": {0.2, 0.5}, "wtf": {0.2, 0.5}, "you idiot": {0.65, 0.85}, "this is shit": {0.55, 0.8}, "ass": {0.2, 0.5},
	} {
		got := look(t, listed(t), text, "en")
		if len(got) != 1 || got[0].Confidence < bounds[0] || got[0].Confidence >= bounds[1] {
			t.Errorf("Inspect(%q) = %+v, want one signal within %v", text, got, bounds)
		}
	}
}

func TestSameCharactersInAnotherLanguage(t *testing.T) {
	e := listed(t)
	if got := found(look(t, e, "马鹿在森林里跑", "zh"), engines.Harassment); len(got) > 0 {
		t.Errorf("a Japanese insult was found in Chinese: %v", got)
	}
	if got := found(look(t, e, "お前は馬鹿だ", "ja"), engines.Harassment); len(got) != 1 {
		t.Errorf("got %v, want one hit", got)
	}
}
