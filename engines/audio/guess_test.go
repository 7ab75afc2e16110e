package audio

import (
	"context"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// listed is an operator's words; their places in text are nobody's business here.
type listed struct{ terms []string }

func (*listed) Hits(_ *engines.Item, out []engines.WordHit) []engines.WordHit { return out }
func (l *listed) Terms(*engines.Item) []string                                { return l.terms }

// misheard writes something else than what was said, and says how surely each guess is
// borne out.
type misheard struct {
	result speech.Result
	guess  string
	prob   float64
}

func (m *misheard) Recognise(_ context.Context, _ []float32, o speech.Options) (speech.Result, error) {
	r := m.result
	r.Words = slices.Clone(r.Words)
	texts := make([]string, len(r.Words))
	for i := range r.Words {
		texts[i] = r.Words[i].Text
	}
	if o.Guess == nil {
		return r, nil
	}
	guesses := o.Guess(texts)
	if i := slices.IndexFunc(guesses, func(g speech.Guess) bool { return g.Text == m.guess }); i >= 0 { // the nearest
		g := guesses[i]
		r.Words = slices.Replace(r.Words, g.First, g.After, speech.Word{Text: g.Text, EndMS: 900, Prob: m.prob, Listed: true, Phrase: true})
	}
	return r, nil
}

// A phrase that was listened for stands where it was misheard, as sure as it must be to be
// gone by; in a text that was only half understood too, in one that was not where it is sure
// itself, and in what is silence never.
func TestGuesses(t *testing.T) {
	sound := func(language string) *engines.Item {
		return &engines.Item{Kind: engines.KindAudio, Player: "p", Language: language, Words: &listed{[]string{"stupid noob"}}, Media: &engines.Media{
			Sound: &engines.Sound{PCM: make([]float32, engines.SoundRate), Partial: true},
		}}
	}
	wrote := []speech.Word{{Text: "Stupid", EndMS: 500, Prob: 0.9}, {Text: "new.", AtMS: 500, EndMS: 900, Prob: 0.5}}
	for name, c := range map[string]struct {
		logProb, noSpeech, prob float64
		language                string
		found, doubted          bool
	}{
		"understood":                  {-0.4, 0, 0.2, "en", true, false},
		"the language is not known":   {-0.4, 0, 0.2, "", true, false},
		"not understood, but for it":  {-1.4, 0, 0.5, "en", true, false},
		"half understood":             {-1.4, 0, 0.2, "en", true, false},
		"not understood, nor it":      {-2.4, 0, 0.2, "en", true, true},
		"silence":                     {-0.4, 0.95, 0.9, "en", true, true},
		"another language's spelling": {-0.4, 0, 0.2, "de", false, false},
	} {
		m := &misheard{speech.Result{Text: "Stupid new.", Words: wrote, AvgLogProb: c.logProb, NoSpeech: c.noSpeech}, "stupid noob", c.prob}
		e, err := New(Config{Open: func([]byte, string) (*File, error) { return nil, nil }, Languages: []Language{{Final: m}}})
		if err != nil {
			t.Fatal(err)
		}
		item := sound(c.language)
		if _, err := e.Inspect(t.Context(), item, nil); err != nil {
			t.Fatal(err)
		}
		words := item.Media.Facts().Transcript
		i := slices.IndexFunc(words, func(w engines.Spoken) bool { return w.Text == "stupid noob" })
		if (i >= 0) != c.found {
			t.Errorf("%s: heard %+v", name, words)
			continue
		}
		if i >= 0 && (words[i].Doubted != c.doubted || words[i].Listed == c.doubted || !c.doubted && words[i].Confidence < enough) {
			t.Errorf("%s: %+v, want doubted %t", name, words[i], c.doubted)
		}
	}
}
