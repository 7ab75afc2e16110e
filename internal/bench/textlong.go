package bench

import (
	"math/rand/v2"
	"strings"
)

// longText is how many code points the long inputs have.
const longText = 10_000

// longInput is a generated text of ten thousand code points.
type longInput struct{ name, text string }

// longInputs are texts that would be slow to read for a filter that is not linear.
func longInputs() []longInput {
	draw := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same texts every time
	between := func(lo, hi rune) func() rune {
		return func() rune { return lo + draw.Int32N(hi-lo) }
	}
	random := func(next func() rune) string {
		var b strings.Builder
		for range longText {
			b.WriteRune(next())
		}
		return b.String()
	}
	han, latin, mark := between(0x4E00, 0x9FA6), between('a', 'z'+1), between(0x0300, 0x0370)
	mixed := []func() rune{
		han, latin, mark, between('0', '9'+1), between(0x0400, 0x0460), between(0x3041, 0x3097), between(0xAC00, 0xD7A4), between(0x1F600, 0x1F650),
		between(0x0621, 0x064B), between(0x0E01, 0x0E3B), between(' ', '0'), between(0x200B, 0x2010), between(0xFF01, 0xFF5F),
	}
	return []longInput{
		{"one letter", repeat("a")},
		{"repeated word", repeat("shut up ")},
		{"letters apart", repeat("i d i o t ")},
		{"letters dotted", repeat("i.d.i.o.t.")},
		{"digits for letters", repeat("1d10t 4r3 ")},
		{"digits", repeat("0123456789")},
		{"combining marks", "a" + repeat("\u0301")[:2*(longText-1)]},
		{"marked letters", repeat("i\u0337d\u0336")},
		{"nested brackets", strings.Repeat("([{<", longText/8) + strings.Repeat(">}])", longText/8)},
		{"zero-width", repeat("i\u200bd\u200c")},
		{"look-alikes", repeat("іdіоt ")},
		{"masked words", repeat("id*ot ")},
		{"repeated insult", repeat("死ね")},
		{"numbers in signs", repeat("⑽ ")},
		{"ligatures", repeat("ﷲ")},
		{"emoji sequences", repeat("👨\u200d👩\u200d👧")},
		{"jamo", repeat("ㅂㅅㅣㅏ")},
		{"addresses", repeat("a@b.c/ ")},
		{"random Han", random(han)},
		{"random letters", random(latin)},
		{"random marks", random(mark)},
		{"random mix", random(func() rune { return mixed[draw.IntN(len(mixed))]() })},
	}
}

// repeat makes a text of ten thousand code points out of unit.
func repeat(unit string) string {
	runes := []rune(unit)
	out := make([]rune, longText)
	for i := range out {
		out[i] = runes[i%len(runes)]
	}
	return string(out)
}
