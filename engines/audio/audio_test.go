package audio_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// recogniser writes what its function says, and counts how often it is asked.
type recogniser struct {
	asked atomic.Int64
	write func(pcm []float32, o speech.Options) (speech.Result, error)
}

func (r *recogniser) Recognise(_ context.Context, pcm []float32, o speech.Options) (speech.Result, error) {
	r.asked.Add(1)
	return r.write(pcm, o)
}

// says is a recogniser that always writes a text, its words spread over the window.
func says(text string, noSpeech, logProb float64) *recogniser {
	return &recogniser{write: func(pcm []float32, _ speech.Options) (speech.Result, error) {
		r := speech.Result{Text: text, Language: "en", LanguageProb: 1, NoSpeech: noSpeech, AvgLogProb: logProb}
		words := strings.Fields(text)
		ms := int64(len(pcm)) * 1000 / engines.SoundRate
		for i, w := range words {
			r.Words = append(r.Words, speech.Word{Text: w, AtMS: ms * int64(i) / int64(len(words)), EndMS: ms * int64(i+1) / int64(len(words)), Prob: 0.9})
		}
		return r, nil
	}}
}

// level is an ear that takes what is loud for speech.
type level struct{ n int64 }

func (l *level) Push(pcm []float32, each func(int64, float64)) error {
	const frame = 512
	for len(pcm) >= frame {
		loud := 0.0
		for _, v := range pcm[:frame] {
			if v > 0.05 || v < -0.05 {
				loud = 0.9
			}
		}
		each(l.n*1000/engines.SoundRate, loud)
		l.n, pcm = l.n+frame, pcm[frame:]
	}
	return nil
}

// reader is a text engine that finds "kill".
type reader struct{}

func (reader) Inspect(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if i := strings.Index(item.Text, "kill"); i >= 0 {
		at := utf8.RuneCountInString(item.Text[:i])
		out = append(out, engines.Signal{Category: engines.Violence, Severity: 3, Confidence: 0.9, Source: engines.SourceLexicon, Rule: "lexicon:kill", Span: engines.Span{Start: at, End: at + 4}})
	}
	return out, nil
}

// sound is a file of seconds, each loud or not.
func sound(loud ...bool) audio.Opener {
	return func([]byte, string) (*audio.File, error) {
		return &audio.File{Format: "wav", SampleRate: 16000, Channels: 1, Unpack: func(_ context.Context, each func([]float32) error) error {
			block := make([]float32, engines.SoundRate/8*512/500) // whole frames
			for _, l := range loud {
				for i := range block {
					if block[i] = 0.001; l {
						block[i] = 0.5
					}
				}
				for range 8 {
					if err := each(block); err != nil {
						return err
					}
				}
			}
			return nil
		}}, nil
	}
}

func engine(t *testing.T, open audio.Opener, r speech.Recogniser, more ...func(*audio.Config)) *audio.Engine {
	t.Helper()
	cfg := audio.Config{Open: open, Text: reader{}, Ear: func() (audio.Ear, error) { return &level{}, nil }}
	if r != nil {
		cfg.Languages = []audio.Language{{Tags: []string{"en"}, Final: r}}
	}
	for _, f := range more {
		f(&cfg)
	}
	e, err := audio.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func inspect(t *testing.T, e *audio.Engine, item *engines.Item) ([]engines.Signal, *engines.MediaFacts, error) {
	t.Helper()
	if item.Media == nil {
		item.Media = &engines.Media{Bytes: []byte("x"), Use: engines.UseClip}
	}
	item.Kind = engines.KindAudio
	signals, err := e.Inspect(context.Background(), item, nil)
	return signals, item.Media.Facts(), err
}

func TestWordsInAFile(t *testing.T) {
	signals, facts, err := inspect(t, engine(t, sound(false, true, true, false, false), says("I will kill you", 0.05, -0.2)), &engines.Item{})
	if err != nil || len(signals) != 1 {
		t.Fatalf("signals %+v, %v", signals, err)
	}
	s := signals[0]
	if s.Category != engines.Violence || s.Source != engines.SourceASR || s.Rule != "lexicon:kill" || !s.Span.Empty() {
		t.Errorf("signal %+v", s)
	}
	if s.Place.AtMS < 1800 || s.Place.AtMS > 2200 || s.Place.EndMS <= s.Place.AtMS {
		t.Errorf("place %+v: want the third of four words in seconds 1 to 3", s.Place)
	}
	if facts.Unreliable || len(facts.Transcript) != 4 || facts.Heard != "en" || len(facts.Speech) != 1 || len(facts.Peaks) == 0 {
		t.Errorf("facts %+v", facts)
	}
}

// Silence written down as a closing phrase, over and over: it is not even asked for.
func TestSilence(t *testing.T) {
	r := says("thank you for watching, kill", 0, -0.1)
	signals, facts, err := inspect(t, engine(t, sound(false, false, false), r), &engines.Item{})
	if err != nil || len(signals) != 0 || len(facts.Transcript) != 0 || len(facts.Speech) != 0 || r.asked.Load() != 0 {
		t.Errorf("signals %+v, facts %+v, asked %d, %v", signals, facts, r.asked.Load(), err)
	}
}

// A high probability of no speech: the words stand in the facts and lead to nothing.
func TestNoSpeech(t *testing.T) {
	signals, facts, err := inspect(t, engine(t, sound(true, true), says("kill them all", 0.95, -1.4)), &engines.Item{})
	if err != nil || len(signals) != 0 || !facts.Unreliable || len(facts.Transcript) != 3 {
		t.Errorf("signals %+v, facts %+v, %v", signals, facts, err)
	}
}

// The same text from border to border of windows that were cut at their longest.
func TestSameTextInEachWindow(t *testing.T) {
	loud := make([]bool, 60)
	for i := range loud {
		loud[i] = true
	}
	r := says("and then they kill us", 0.05, -0.2)
	signals, facts, err := inspect(t, engine(t, sound(loud...), r), &engines.Item{})
	if err != nil || len(signals) != 0 || !facts.Unreliable || r.asked.Load() < 3 {
		t.Errorf("signals %+v, facts %+v, asked %d, %v", signals, facts, r.asked.Load(), err)
	}
}

func TestWithoutRecogniser(t *testing.T) {
	_, facts, err := inspect(t, engine(t, sound(true), nil), &engines.Item{})
	if !errors.Is(err, audio.ErrNoRecogniser) || facts == nil || len(facts.Speech) != 1 {
		t.Errorf("facts %+v, %v", facts, err)
	}
	_, _, err = inspect(t, engine(t, sound(true), says("x", 0, 0)), &engines.Item{Language: "ja"})
	if !errors.Is(err, audio.ErrNoRecogniser) {
		t.Errorf("Japanese with a recogniser of English: %v", err)
	}
	if _, _, err = inspect(t, engine(t, sound(false), nil), &engines.Item{}); err != nil {
		t.Errorf("nobody speaks: %v", err)
	}
	wordless := engine(t, sound(true), nil, func(c *audio.Config) { c.Wordless = true })
	if _, facts, err = inspect(t, wordless, &engines.Item{}); err != nil || facts == nil || len(facts.Speech) != 1 {
		t.Errorf("nobody wants words: facts %+v, %v", facts, err)
	}
}

func TestWindowOfACall(t *testing.T) {
	item := &engines.Item{Live: true, Media: &engines.Media{Use: engines.UseVoice, Sound: &engines.Sound{
		PCM: make([]float32, 2*engines.SoundRate), OffsetMS: 60_000, ClipMS: 50_000, Partial: true,
		Anomalies: []engines.Anomaly{{Kind: "loud", FromMS: 59_000, ToMS: 60_500, Measure: "lufs_m", Value: -5, Threshold: -10, Confidence: 0.8}},
	}}}
	signals, facts, err := inspect(t, engine(t, closed, says("spell k i l l now", 0.05, -0.2)), item)
	if err != nil || len(signals) != 2 {
		t.Fatalf("signals %+v, %v", signals, err)
	}
	if s := signals[0]; s.Category != engines.Acoustic || s.SubLabel != "loud" || s.Source != engines.SourceAcoustic || *s.Place != (engines.Place{AtMS: 59_000, EndMS: 60_500}) {
		t.Errorf("signal %+v", s)
	}
	if s := signals[1]; s.Category != engines.Violence || s.Place.AtMS < 60_300 || s.Place.EndMS > 61_700 {
		t.Errorf("signal %+v: want the letters that spell the word", s)
	}
	if len(facts.Transcript) != 6 || facts.Transcript[0].FromMS != 60_000 || facts.ClipMS != 50_000 {
		t.Errorf("facts %+v", facts)
	}
}

func closed([]byte, string) (*audio.File, error) { return nil, errors.New("nothing is opened here") }

func TestRefusals(t *testing.T) {
	want := &engines.Refusal{Kind: engines.RefusedFormat, Reason: "no"}
	_, _, err := inspect(t, engine(t, func([]byte, string) (*audio.File, error) { return nil, want }, nil), &engines.Item{})
	if refusal := (*engines.Refusal)(nil); !errors.As(err, &refusal) {
		t.Errorf("err = %v", err)
	}
	if _, err := engine(t, closed, nil).Inspect(context.Background(), &engines.Item{}, nil); err == nil {
		t.Error("an item without media was looked at")
	}
}
