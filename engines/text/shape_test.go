package text

import (
	"slices"
	"testing"
)

// Of the entries of one word those alike in shape are passed by where one of them cannot
// stand: what is found is what asking each of them finds.
func TestShapesPassNothingBy(t *testing.T) {
	e := shared(t)
	if size := shapeOf(e.lexicon); size < 8 {
		t.Fatalf("%d shapes tell nothing", size)
	}
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
		each, at := []*lexicon{e.lexicon, &one}, [2][]hit{}
		for k, l := range each {
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

// shapeOf counts the shapes of a lexicon.
func shapeOf(l *lexicon) int {
	var all []shape
	for i := range l.patterns {
		if k := l.patterns[i].shape; !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	return len(all)
}
