package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestPositions holds spans against code points of the text as sent.
func TestPositions(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []engines.Span
	}{
		{"plain", "you idiot", []engines.Span{{Start: 4, End: 9}}},
		{"twice", "collect shit, collect shit", []engines.Span{{Start: 8, End: 12}, {Start: 22, End: 26}}},
		{"accented letters before", "příliš žluťoučký shit", []engines.Span{{Start: 17, End: 21}}},
		{"astral emoji before", "😀😀😀 you idiot", []engines.Span{{Start: 8, End: 13}}},
		{"growing shift", "😀 x 😀 y 😀 idiot 😀", []engines.Span{{Start: 10, End: 15}}},
		{"zwj family before", "👨‍👩‍👧‍👦 idiot", []engines.Span{{Start: 8, End: 13}}},
		{"flag before", "🇫🇷 idiot", []engines.Span{{Start: 3, End: 8}}},
		{"dotted capital I before", "İİİİ idiot, İ", []engines.Span{{Start: 5, End: 10}}},
		{"mathematical letters before", "𝒙𝒚 shit here", []engines.Span{{Start: 3, End: 7}}},
		{"ligature before", "ﷺ ﬃ idiot", []engines.Span{{Start: 4, End: 9}}},
		{"combining marks within and after", "i\u0301diot\u0302\u0303 x", []engines.Span{{Start: 0, End: 8}}},
		{"decomposed", "you i\u0308d\u0308i\u0308o\u0308t\u0308!", []engines.Span{{Start: 4, End: 14}}},
		{"sharp s", "du ARSCHLOCH, schei\u1E9Ee", []engines.Span{{Start: 3, End: 12}, {Start: 14, End: 21}}},
		{"full width", "ｙｏｕ ｉｄｉｏｔ", []engines.Span{{Start: 4, End: 9}}},
		{"fraktur", "𝔦𝔡𝔦𝔬𝔱 x", []engines.Span{{Start: 0, End: 5}}},
		{"circled", "ⓘⓓⓘⓞⓣ", []engines.Span{{Start: 0, End: 5}}},
		{"squared", "🅸🅳🅸🅾🆃 x", []engines.Span{{Start: 0, End: 5}}},
		{"zero width inside", "an i\u200dd\u200bi\u2060ot", []engines.Span{{Start: 3, End: 11}}},
		{"soft hyphen and invisible times", "i\u00add\u2062i\u034fot", []engines.Span{{Start: 0, End: 8}}},
		{"stretched", "idiiiiiot here", []engines.Span{{Start: 0, End: 9}}},
		{"spaced", "you i d i o t", []engines.Span{{Start: 4, End: 13}}},
		{"emoji between", "i😀d😀i😀o😀t", []engines.Span{{Start: 0, End: 9}}},
		{"dotted", "x i.d.i.o.t. x", []engines.Span{{Start: 2, End: 11}}},
		{"written downwards", "i\nd\ni\no\nt", []engines.Span{{Start: 0, End: 9}}},
		{"leet", "1d10t", []engines.Span{{Start: 0, End: 5}}},
		{"look-alikes", "іԁіоt", []engines.Span{{Start: 0, End: 5}}},
		{"inflected", "IDIOTS!!", []engines.Span{{Start: 0, End: 6}}},
		{"masked", "what a b*tch", []engines.Span{{Start: 7, End: 12}}},
		{"half-width katakana", "ﾊﾞｶじゃないの", []engines.Span{{Start: 0, End: 8}}},
		{"jamo", "뭐 ㅅㅣㅂㅏㄹ", []engines.Span{{Start: 2, End: 7}}},
		{"decomposed hangul", "\u1107\u1167\u11bc\u1109\u1175\u11ab", []engines.Span{{Start: 0, End: 6}}},
		{"traditional", "你是白癡嗎", []engines.Span{{Start: 2, End: 4}}},
		{"sign inside han", "白#@痴", []engines.Span{{Start: 0, End: 4}}},
		{"invalid utf-8 before", "\xff\xfe idiot", []engines.Span{{Start: 3, End: 8}}},
	} {
		if diff := cmp.Diff(c.want, found(look(t, listed(t), c.text, ""), engines.Harassment)); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", c.name, c.text, diff)
		}
	}
}
