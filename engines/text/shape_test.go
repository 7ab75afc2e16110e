package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// Where one entry of a word cannot stand, one of another shape still may, in whichever
// order they are asked.
func TestShapesTellEntriesApart(t *testing.T) {
	for _, c := range []struct{ what, word, refused, fits, text string }{
		{"inflected", "zorbel", "inflect: false", "inflect: true", "you z0rbels"},
		{"kind", "zorb", "match: word", "match: substring", "xz\u043erbx"},
		{"prefix", "zorb", "match: word", "match: prefix", "z0rbx"},
		{"accents", "zörb", "terms: [zorb]", "terms: [zörb]", "zörb"},
		{"tones", "zo", "language: vi", "language: en", "zó"},
		{"in a name", "zorbel", "severity: 1", "severity: 2", "xz\u043erbelx"},
	} {
		entry := func(category, with string) string {
			fields := []string{"category: " + category, with}
			for _, field := range [...]string{"terms: [" + c.word + "]", "severity: 2"} {
				if with[:4] != field[:4] {
					fields = append(fields, field)
				}
			}
			return "  - {" + strings.Join(fields, ", ") + "}\n"
		}
		for _, lists := range [...]string{
			entry("harassment", c.refused) + entry("sexual", c.fits),
			entry("sexual", c.fits) + entry("harassment", c.refused),
		} {
			e := custom(t, "language: en\nentries:\n"+lists)
			kind := engines.KindText
			if c.what == "in a name" {
				kind = engines.KindName
			}
			got, err := e.Inspect(t.Context(), &engines.Item{Kind: kind, Text: c.text}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 1 || got[0].Category != engines.Sexual {
				t.Errorf("%s: %q: %+v, want the sexual one alone of\n%s", c.what, c.text, got, lists)
			}
		}
	}
}

// What is found is what asking each entry of a word finds.
func TestShapesPassNothingBy(t *testing.T) {
	e := shared(t)
	one := *e.lexicon
	one.patterns = slices.Clone(one.patterns)
	for i := range one.patterns {
		one.patterns[i].shape = 0
	}
	hits := 0
	for _, text := range []string{
		"you idiot", "1d10t!", "i d i o t", "idiots idióta idiöt ïdïöt", "xidiotx", "idiotaidiot", "IdiotIdiot", "idiiiiot", "id10tid10t1", "puta putas putain", "Fotze Fötze fotze1",
		"got göt g0t", "sik sık sikik", "죽어 ㅅㅂ 시발새끼", "死ね死ねよ", "傻逼 傻1逼", "nigger n1gg3r niggerish", "bitch b!tch bitchy sonofabitch", "дебил дeбил дебилы", "kurwa kvrwa kurwy",
	} {
		var at [2][]hit
		for k, l := range [...]*lexicon{e.lexicon, &one} {
			s := newScratch()
			s.begin(item(text))
			s.text = text
			if err := (&Engine{lexicon: l}).views(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			at[k] = s.hits
		}
		if !slices.Equal(at[0], at[1]) {
			t.Errorf("%q: %+v, asked one by one %+v", text, at[0], at[1])
		}
		hits += len(at[0])
	}
	if hits < 40 {
		t.Errorf("%d hits tell nothing", hits)
	}
}
