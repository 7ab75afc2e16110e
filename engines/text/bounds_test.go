package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestBoundsLoseNothing scans texts with what stands inside words passed by, and looked at.
func TestBoundsLoseNothing(t *testing.T) {
	e := shared(t)
	bare := *e.lexicon
	auto := *bare.auto
	auto.emits = append([]emit(nil), auto.emits...)
	for i := range auto.emits {
		auto.emits[i].bounds = 0
	}
	bare.auto = &auto
	bounded := 0
	for i := range e.lexicon.auto.emits {
		if e.lexicon.auto.emits[i].bounds != 0 {
			bounded++
		}
	}
	if bounded < 1000 {
		t.Errorf("%d states have bounds", bounded)
	}
	for _, text := range append([]string{
		"kysKys KYS kysx xkys kys1 1kys k.y.s the-kys", "dieDieDIE diesel odie die2 2die", "ass assassin bass as5 classAss", "du bist ein arsch, Arschloch!arsch",
		"сука сукаa aсука сук", "쓰발 a쓰발 발", "死ね死ね a死b", "pute putes reputed pute's", "Öl öl gök gok", "u r a fag fags fagot", "gas the jews, gasjews",
	}, coldLines...) {
		for _, kind := range []engines.Kind{engines.KindText, engines.KindName} {
			item := &engines.Item{Kind: kind, Text: text}
			a, b := newScratch(), newScratch()
			a.begin(item)
			b.begin(item)
			a.text, b.text = text, text
			for s, l := range map[*scratch]*lexicon{a: e.lexicon, b: &bare} {
				buildPlain(&s.plain, s.norm.units, &l.auto.alphabet)
				s.scan(l, &s.plain, s.plain.whole(), false)
			}
			all := cmp.AllowUnexported(hit{}, nearby{}, word{}, mark{}, frameWord{})
			if diff := cmp.Diff(b.hits, a.hits, all); diff != "" {
				t.Errorf("%q: hits without and with bounds:\n%s", text, diff)
			}
			if diff := cmp.Diff(b.contexts, a.contexts, all); diff != "" {
				t.Errorf("%q: context words:\n%s", text, diff)
			}
			if diff := cmp.Diff(b.words, a.words, all); diff != "" {
				t.Errorf("%q: vocabulary:\n%s", text, diff)
			}
			if diff := cmp.Diff(b.marks, a.marks, all); diff != "" {
				t.Errorf("%q: marks:\n%s", text, diff)
			}
			if diff := cmp.Diff(b.allows, a.allows); diff != "" {
				t.Errorf("%q: allowances:\n%s", text, diff)
			}
		}
	}
}
