package audio_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
)

// listener is an engine that hears what its function says, and counts how often.
type listener struct {
	asked int
	hear  func(item *engines.Item) (*engines.MediaFacts, error)
}

func (l *listener) Inspect(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	l.asked++
	facts, err := l.hear(item)
	item.Media.Learn(facts)
	return append(out, engines.Signal{Category: engines.Acoustic, SubLabel: "hum"}), err
}

func voiceOf(n int) []float32 {
	v := make([]float32, 256)
	v[n] = 1
	return v
}

// clean is a text engine that finds nothing.
type clean struct{}

func (clean) Inspect(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	return out, nil
}

func newReader(t *testing.T, inner engines.Engine, now func() time.Time) *audio.Reader {
	t.Helper()
	r, err := audio.NewReader(audio.ReaderConfig{Inner: inner, Text: clean{}, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func numbers(t *testing.T, r *audio.Reader, item *engines.Item) (list []int) {
	t.Helper()
	if _, err := r.Inspect(context.Background(), item, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range item.Media.Facts().Speech {
		if s.Voice != nil {
			t.Error("a voice's numbers went on")
		}
		list = append(list, s.Speaker)
	}
	return list
}

// TestVoicesOfCalls: the windows of one player's call share their voices, those of another
// don't, and after ten minutes of silence they are forgotten.
func TestVoicesOfCalls(t *testing.T) {
	now := time.Unix(1e9, 0)
	voice := 0
	r := newReader(t, &listener{hear: func(*engines.Item) (*engines.MediaFacts, error) {
		return &engines.MediaFacts{Speech: []engines.Stretch{{ToMS: 2000, Voice: voiceOf(voice)}}}, nil
	}}, func() time.Time { return now })
	window := func(player engines.PlayerID, of int) int {
		voice = of
		return numbers(t, r, &engines.Item{App: "a", Player: player, Session: engines.SessionID(player), Kind: engines.KindAudio, Media: &engines.Media{Sound: &engines.Sound{}}})[0]
	}
	for i, c := range []struct {
		player engines.PlayerID
		voice  int
		want   int
	}{{"ann", 1, 1}, {"ann", 2, 2}, {"bob", 2, 1}, {"ann", 1, 1}, {"ann", 2, 2}} {
		if got := window(c.player, c.voice); got != c.want {
			t.Errorf("window %d: voice %d, want %d", i, got, c.want)
		}
	}
	now = now.Add(11 * time.Minute)
	if got := window("ann", 2); got != 1 {
		t.Errorf("after a long silence: voice %d, want 1", got)
	}
}

// threats is a text engine that finds a word.
type threats struct{}

func (threats) Inspect(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if item.Text == "kill" {
		out = append(out, engines.Signal{Category: engines.Violence, Confidence: 1, Span: engines.Span{End: 4}})
	}
	return out, nil
}

// What is found in speech that goes on has its voice's number, the same as once it is
// over; where nothing is found nobody asks whose voice it is.
func TestVoiceOfAFinding(t *testing.T) {
	said, asked := "", 0
	inner := &listener{hear: func(item *engines.Item) (*engines.MediaFacts, error) {
		f := &engines.MediaFacts{Speech: []engines.Stretch{{ToMS: 2000}}, Transcript: []engines.Spoken{{Text: said, ToMS: 300, Confidence: 1}}}
		if !item.Media.Sound.Partial {
			f.Speech[0].Voice = voiceOf(2)
		}
		return f, nil
	}}
	r, err := audio.NewReader(audio.ReaderConfig{Inner: inner, Text: threats{}, Embed: func(pcm []float32) ([]float32, error) {
		asked++
		if len(pcm) != 1600*16 {
			t.Errorf("%d samples", len(pcm))
		}
		return voiceOf(2), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	window := func(text string, ms int, partial bool) int {
		said = text
		return numbers(t, r, &engines.Item{App: "a", Player: "ann", Session: "s", Kind: engines.KindAudio, Media: &engines.Media{Sound: &engines.Sound{PCM: make([]float32, ms*16), Partial: partial}}})[0]
	}
	for i, c := range []struct {
		said         string
		ms           int
		partial      bool
		voice, asked int
	}{{"hello", 2000, true, 0, 0}, {"kill", 1000, true, 0, 0}, {"kill", 2000, true, 1, 1}, {"kill", 2000, false, 1, 1}} {
		if got := window(c.said, c.ms, c.partial); got != c.voice || asked != c.asked {
			t.Errorf("window %d: voice %d, asked %d times", i, got, asked)
		}
	}
}

// finder is an engine that finds something where its function says so.
type finder func(*engines.Item) bool

func (f finder) Inspect(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if f(item) {
		out = append(out, engines.Signal{Category: engines.Violence})
	}
	return out, nil
}

// TestVoicesAreToldWhereAsked: of a call a voice is told apart at first, now and then,
// less often while it stays the same, and where something was found; the sound isn't kept
// where it is not.
func TestVoicesAreToldWhereAsked(t *testing.T) {
	now, asked, found, voice := time.Unix(1e9, 0), 0, false, 1
	r := newReader(t, finder(func(item *engines.Item) bool {
		item.Media.Leave(func() ([]float32, error) { asked++; return voiceOf(voice), nil })
		item.Media.Learn(&engines.MediaFacts{Speech: []engines.Stretch{{ToMS: 2000}}})
		return found
	}), func() time.Time { return now })
	for i, c := range []struct {
		later time.Duration
		found bool
		voice int
		told  bool
	}{
		{0, false, 1, true},
		{29 * time.Second, false, 1, false},
		{time.Second, false, 1, true},
		{59 * time.Second, false, 1, false},
		{time.Second, true, 1, true},
		{119 * time.Second, false, 1, false},
		{time.Second, false, 1, true},
		{2 * time.Minute, false, 2, true}, // somebody else
		{30 * time.Second, false, 2, true},
		{30 * time.Second, false, 2, false},
		{30 * time.Second, false, 1, true}, // the first one again
		{30 * time.Second, false, 1, true},
	} {
		now, found, asked, voice = now.Add(c.later), c.found, 0, c.voice
		item := &engines.Item{App: "a", Player: "ann", Session: "s", Kind: engines.KindAudio, Media: &engines.Media{Sound: &engines.Sound{}}}
		got := numbers(t, r, item)[0]
		want := 0
		if c.told {
			want = c.voice
		}
		if got != want || (asked > 0) != c.told {
			t.Errorf("window %d: the voice was asked for %d times, and is %d, want %d", i, asked, got, want)
		}
		if v, err := item.Media.Voice(); v != nil || err != nil {
			t.Errorf("window %d keeps its sound", i)
		}
	}
}

// terms is a list of one word.
type terms string

func (terms) Hits(_ *engines.Item, out []engines.WordHit) []engines.WordHit { return out }
func (w terms) Terms(*engines.Item) []string                                { return []string{string(w)} }

// TestSoundsAgain: a file that was heard is not listened to again, unless as another
// language, by other thresholds or for other words; what failed is.
func TestSoundsAgain(t *testing.T) {
	var fails error
	l := &listener{hear: func(item *engines.Item) (*engines.MediaFacts, error) {
		return &engines.MediaFacts{SHA256: sha256.Sum256(item.Media.Bytes), Speech: []engines.Stretch{{ToMS: 2000, Voice: voiceOf(1)}, {FromMS: 3000, ToMS: 5000, Voice: voiceOf(2)}, {FromMS: 5000, ToMS: 5200}}}, fails
	}}
	r := newReader(t, l, nil)
	check := func(item engines.Item, file string) {
		t.Helper()
		item.Kind, item.Media = engines.KindAudio, &engines.Media{Bytes: []byte(file)}
		signals, err := r.Inspect(context.Background(), &item, nil)
		if !errors.Is(err, fails) {
			t.Fatal(err)
		}
		facts := item.Media.Facts()
		if len(signals) != 1 || facts == nil || facts.Speech[0].Speaker != 1 || facts.Speech[1].Speaker != 2 || facts.Speech[2].Speaker != 0 {
			t.Errorf("%+v of %+v", signals, facts)
		}
	}
	over := engines.AcousticOver{"hum": {"ms": 3000}}
	for _, c := range []struct {
		item  engines.Item
		file  string
		asked int
	}{
		{engines.Item{}, "x", 1},
		{engines.Item{Player: "another"}, "x", 1},
		{engines.Item{}, "y", 2},
		{engines.Item{Language: "ja"}, "x", 3},
		{engines.Item{Acoustic: &over}, "x", 4},
		{engines.Item{Acoustic: &engines.AcousticOver{"hum": {"ms": 3000}}}, "x", 4},
		{engines.Item{App: "a", Words: terms("zorgon")}, "x", 5},
		{engines.Item{App: "b", Words: terms("zorgon")}, "x", 5},
		{engines.Item{App: "b", Words: terms("blarg")}, "x", 6},
	} {
		if check(c.item, c.file); l.asked != c.asked {
			t.Errorf("%+v %s: listened %d times, want %d", c.item, c.file, l.asked, c.asked)
		}
	}
	fails = errors.New("out of time")
	check(engines.Item{}, "z")
	check(engines.Item{}, "z")
	if l.asked != 8 {
		t.Errorf("listened %d times, want 8: half a look is not kept", l.asked)
	}
}
