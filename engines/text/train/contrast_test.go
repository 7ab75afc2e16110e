package train

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// A group alone says nothing; what is said of it does, and a denial turns it around.
func TestContrast(t *testing.T) {
	const group, trash, not, kind, player = 1 << 24, 2 << 24, 3 << 24, 4 << 24, 5 << 24
	var set dataset
	row := func(hate bool, features ...uint32) {
		s := sample{features: features, asked: every, written: true, named: true, repeat: 4}
		if hate {
			s.yes = abuse | 1<<classify.Hate
		}
		for range 20 {
			set.train = append(set.train, s)
		}
	}
	row(true, group, trash)
	row(false, group, trash, not)
	row(false, group, kind)
	row(false, player, kind)
	for range 500 { // of no source that sets hate beside its twins
		set.train = append(set.train, sample{features: []uint32{group, kind}, yes: abuse | 1<<classify.Hate, asked: every, repeat: 1})
	}
	trained := &classify.Trained{Bits: 8, Weights: make([][classify.Heads]int8, 1<<8)}
	contrast(trained, &set, 1, t.Logf)
	m, err := classify.Parse(classify.Encode(trained))
	if err != nil {
		t.Fatal(err)
	}
	hate := func(features ...uint32) float32 { return m.ScoreFeatures(features, true)[classify.Hate] }
	if a, b := hate(group, trash), hate(group, trash, not); !(a > 0.5 && b < 0) {
		t.Errorf("attack %v, denied %v, want the first above, the second below 0", a, b)
	}
	if a, b := hate(group, kind), hate(group, trash); !(a < b-1) {
		t.Errorf("friendly %v, attack %v, want the first far below", a, b)
	}
}

// Hate says nothing of threats unless it is called one.
func TestHateIsSilentOnThreats(t *testing.T) {
	p := preparer{}
	hate := row{Toxic: true, written: true, Labels: []engines.Category{engines.Hate}}
	if got := p.asked(&hate, hate.labels(), nil); got.has(int(classify.Violence)) || !got.has(int(classify.Hate)) {
		t.Errorf("a line of hate asks %b", got)
	}
	threat := row{Toxic: true, written: true, Labels: []engines.Category{engines.Hate, engines.Violence}}
	if got := p.asked(&threat, threat.labels(), nil); !got.has(int(classify.Violence)) {
		t.Errorf("a threat against a group asks %b", got)
	}
}
