package text

import (
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func benchInspect(b *testing.B, text string) {
	b.Helper()
	e, err := New(Config{})
	if err != nil {
		b.Fatal(err)
	}
	item := &engines.Item{Kind: engines.KindText, Text: text}
	var out []engines.Signal
	b.ReportAllocs()
	for b.Loop() {
		out, err = e.Inspect(b.Context(), item, out[:0])
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInspectClean(b *testing.B) {
	for name, text := range map[string]string{
		"english":  "gg well played everyone, see you tomorrow at the gate",
		"japanese": "ボスを倒したら次の部屋で集合しよう、回復お願いします",
		"chinese":  "大家打得不错，下一局先推中路再打龙",
		"korean":   "다음 판은 미드 먼저 밀고 용 먹으러 가자",
		"russian":  "пойдём на босса через пять минут, возьми зелья",
		"names":    "it's Jean-Luc's co-op run #3, 2-1 up",
	} {
		b.Run(name, func(b *testing.B) { benchInspect(b, text) })
	}
}

func BenchmarkInspectEvasive(b *testing.B) {
	benchInspect(b, "k i l l yourself 😀 you 1d10t, f.u.c.k and ѕhit")
}

// longUnits are what texts of ten thousand code points are made of.
var longUnits = map[string]string{
	"letters": "a", "words": "kill you ", "marks": "́", "digits": "1", "singles": "k i l l ", "dots": "f.u.c.k.", "han": "傻1逼", "jamo": "ㅅㅣㅂ",
	"emoji": "👨‍👩‍👧", "masks": "f*ck ", "at": "@.", "nested": "死ね死ね", "mixed": "аa",
	"offers": "$1 ", "ligatures": "ﷲ", "phrases": "ﷺ", "zalgo": "i̷d̶", "pairs": "fuck you motherfucker ", "references": "&#102;", "percent": "%66", "overrides": "\u202efu\u202c", "lines": "a\nb\n", "turned": "ʞɔnɟ ", "brackets": `|<\/()`,
	"glued": "bitchbitch", "parts": "女马", "commas": "t,fnm ", "tags": "\U000E0066", "numbered": "⑽ ", "fractions": "⅒ ", "squared": "㌓",
	"digits apart": "1 ", "houses": "1号", "streets": "a1ㅅㅂ", "markup": "</>", "lots": "番地r", "roads": "路c", "schemes": "x[.]http://a", "prices": "𝟎[.]048あかid10t死ね",
}

func BenchmarkInspect10kCodePoints(b *testing.B) {
	for name, unit := range longUnits {
		n := 10000 / len([]rune(unit))
		b.Run(name, func(b *testing.B) { benchInspect(b, strings.Repeat(unit, n)) })
	}
}
