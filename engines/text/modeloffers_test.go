package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// What a rule found barely counts for less where the model sees nothing of it, and for no
// more where it does; what is sure, crime and shapes that need no words stay.
func TestWeighOffers(t *testing.T) {
	const review = 0.55
	offer := engines.Signal{Source: engines.SourceRule, Category: engines.Spam, SubLabel: "rmt", Confidence: 0.6}
	with := func(change func(*engines.Signal)) engines.Signal {
		s := offer
		change(&s)
		return s
	}
	for _, c := range []struct {
		name    string
		signal  engines.Signal
		spam    float64
		lowered bool
	}{
		{"barely, and the model sees nothing", offer, 0.02, true},
		{"barely, and the model sees it too", offer, 0.9, false},
		{"sure", with(func(s *engines.Signal) { s.Confidence = 0.8 }), 0.02, false},
		{"a flood", with(func(s *engines.Signal) { s.SubLabel = "flood" }), 0.02, false},
		{"a word of the lists", with(func(s *engines.Signal) { s.Source = engines.SourceLexicon }), 0.02, false},
		{"crime", with(func(s *engines.Signal) { s.Category, s.SubLabel = engines.Illegal, "drugs" }), 0.02, false},
	} {
		p := [classifier.Heads]float64{classifier.Spam: c.spam}
		got := []engines.Signal{c.signal}
		weighOffers(got, &p)
		switch {
		case c.lowered && got[0].Confidence >= review:
			t.Errorf("%s: confidence %.2f, want less than %.2f", c.name, got[0].Confidence, review)
		case !c.lowered && got[0].Confidence != c.signal.Confidence:
			t.Errorf("%s: confidence %.2f, want %.2f as it was", c.name, got[0].Confidence, c.signal.Confidence)
		}
	}
}

// The head for crime needs no abuse where the message is made of parts of a deal, and
// blocks nothing without a word or a rule that says so too.
func TestSoberCrime(t *testing.T) {
	said := [classifier.Heads]float64{classifier.Abuse: 0.2, classifier.Illegal: 0.95, classifier.Violence: 0.9}
	p := said
	sober(nil, &p, false)
	if got := p[classifier.Illegal]; got > said[classifier.Abuse] {
		t.Errorf("crime %.2f in talk without abuse, want no more than abuse", got)
	}
	p = said
	sober(nil, &p, true)
	if got := p[classifier.Illegal]; got != alone {
		t.Errorf("crime %.2f among parts of a deal, want %.2f", got, alone)
	}
	p = said
	sober([]engines.Signal{{Category: engines.Illegal, Confidence: 0.6}}, &p, true)
	if got := p[classifier.Illegal]; got != said[classifier.Illegal] {
		t.Errorf("crime %.2f among parts of a deal that a rule found too, want %.2f", got, said[classifier.Illegal])
	}
	if got := p[classifier.Violence]; got > said[classifier.Abuse] {
		t.Errorf("violence %.2f without abuse, want no more than abuse", got)
	}
}
