package bench

import (
	"math/rand/v2"
	"strings"
)

// pieces are what filters look twice at: openings of links, numbers, addresses and disguises,
// words that are wares, insults and parts of both.
var pieces = strings.Split("kill |fuck|n1gg|5h!t|id10t|p*ssy|http://|paypal |$5 |@a.b |+49 170 |死ね|傻逼|ㅅㅂ|сука|blyat |(|)|[.]|dot |&#x66;|%66|\\u0066|uckfay |b i t c h |street |main st |"+
	"iban |my name is |selling |gold |weed |password: |zero one |three |born |school |12 |8 |a@|1.|rue de |улица |路|号|番地|丁目|동 |호 |</b>|:/", "|")

// alphabets are what single signs are drawn from.
var alphabets = [][]rune{
	[]rune("abcdefghijklmnopqrstuvwxyz"), []rune("0123456789"), []rune(" "), []rune("!@#$%^&*()-_=+[]{}|;:'\",.<>/?`~\\"), []rune("абвгдежзийклмнопрстуфхцчшщъыьэюя"), []rune("死傻逼操你妈婊子女马"),
	[]rune("しねばかあほウザイ"), []rune("ㅅㅂ시발병신새끼"), []rune("كسامكلبقحبة"), []rune("ɐqɔpǝɟƃɥıɾʞ"), []rune("\u0301\u0336\u200b\u202e\n\t"), []rune("⑴⒜①ⒶＡａ𝐚𝟎ﬁﷲ㍿½"), []rune("😀🍆💩🖕🇦🇧👨"),
}

// randomRepeats are n texts of ten thousand code points, each a few pieces and signs again and
// again, the same in every run. Whoever looks around every place of a kind, as far as it takes,
// is slow where all places are of that kind.
func randomRepeats(n int) []longInput {
	draw := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same texts every time
	out := make([]longInput, n)
	for i := range out {
		var unit strings.Builder
		for range 1 + draw.IntN(6) {
			if draw.IntN(2) == 0 {
				unit.WriteString(pieces[draw.IntN(len(pieces))])
				continue
			}
			from := alphabets[draw.IntN(len(alphabets))]
			for range 1 + draw.IntN(3) {
				unit.WriteRune(from[draw.IntN(len(from))])
			}
		}
		out[i] = longInput{unit.String(), repeat(unit.String())}
	}
	return out
}
