package whisper_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
	"github.com/portcullis-gg/portcullis/engines/audio/whisper"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// The recordings are synthetic: flite's voices rms and slt.
func recording(tb testing.TB, name string) []float32 {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	b = b[44:] // a plain header
	pcm := make([]float32, len(b)/2)
	for i := range pcm {
		pcm[i] = float32(int16(binary.LittleEndian.Uint16(b[2*i:]))) / 32768 //nolint:gosec // two's complement
	}
	return pcm
}

// shared are models that tests share, with the defaults: each takes a second to load.
var shared = struct {
	sync.Mutex
	models map[string]*whisper.Model
}{models: map[string]*whisper.Model{}}

// usual is a model with the defaults. It is closed when the tests end.
func usual(tb testing.TB, name string) *whisper.Model {
	tb.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.models[name] == nil {
		shared.models[name] = load(tb, name, whisper.Config{})
	}
	return shared.models[name]
}

func TestMain(m *testing.M) {
	code := m.Run()
	for name, model := range shared.models {
		if err := model.Close(); err != nil {
			fmt.Fprintln(os.Stderr, name, err)
			code = 1
		}
	}
	os.Exit(code)
}

func load(tb testing.TB, name string, cfg whisper.Config) *whisper.Model {
	tb.Helper()
	onnxtest.Start(tb)
	files, err := whisper.ReadFolder(filepath.Join(onnxtest.Models(tb), name))
	if err != nil {
		tb.Fatalf("%v (make setup)", err)
	}
	m, err := whisper.Load(files, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// own is a model of one test.
func own(tb testing.TB, name string, cfg whisper.Config) *whisper.Model {
	tb.Helper()
	m := load(tb, name, cfg)
	tb.Cleanup(func() {
		if err := m.Close(); err != nil {
			tb.Error(err)
		}
	})
	return m
}

func plain(s string) string {
	return strings.ToLower(strings.NewReplacer(",", "", ".", "", "!", "", "?", "").Replace(s))
}

func TestWrites(t *testing.T) {
	for _, name := range []string{"whisper-tiny-en", "whisper-base"} {
		m := usual(t, name)
		for file, want := range map[string]string{"gold.wav": "money visit my website", "healers.wav": "come to the north tower we need"} {
			pcm := recording(t, file)
			r, err := m.Recognise(context.Background(), pcm, speech.Options{Language: "en-US"})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(plain(r.Text), want) {
				t.Errorf("%s of %s: %q, want %q in it", name, file, r.Text, want)
			}
			if g := speech.DefaultGate(); g.Judge(&r, 3000) != "" || r.Language != "en" || r.LanguageProb != 1 {
				t.Errorf("%s of %s: %+v", name, file, r)
			}
			last := int64(0)
			for _, w := range r.Words {
				if w.AtMS < last || w.EndMS < w.AtMS || w.Prob <= 0 || w.Prob > 1 || len(w.Own) == 0 {
					t.Errorf("%s of %s: word %+v after %d ms", name, file, w, last)
				}
				last = w.AtMS
			}
		}
	}
}

// The times are those of the sounds: what is cut off well before a word is not needed to
// hear it.
func TestTimes(t *testing.T) {
	m := usual(t, "whisper-tiny-en")
	pcm := recording(t, "gold.wav")
	r, err := m.Recognise(context.Background(), pcm, speech.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Words {
		if plain(w.Text) != "website" {
			continue
		}
		from := max(0, w.AtMS-500) * engines.SoundRate / 1000
		again, err := m.Recognise(context.Background(), pcm[from:], speech.Options{})
		if err != nil || !strings.Contains(plain(again.Text), "website") {
			t.Errorf("from %d ms on: %q, %v", w.AtMS, again.Text, err)
		}
		return
	}
	t.Errorf("no website in %q", r.Text)
}

func TestSilenceAndNoise(t *testing.T) {
	m := usual(t, "whisper-tiny-en")
	noise := make([]float32, 3*engines.SoundRate)
	for i := range noise {
		noise[i] = float32(math.Sin(float64(i)*float64(i)*0.37)) * 0.1
	}
	g := speech.DefaultGate()
	for name, pcm := range map[string][]float32{"silence": make([]float32, 3*engines.SoundRate), "noise": noise, "nothing": nil, "a sample": {0.5}} {
		r, err := m.Recognise(context.Background(), pcm, speech.Options{Language: "en"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		// Nobody hears a voice in any of these, which is what keeps them from the
		// recogniser; what it would write must not be much, in any case.
		if len(strings.Fields(r.Text)) > 20 || g.Judge(&r, 0) == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestFindsTheLanguage(t *testing.T) {
	m := own(t, "whisper-base", whisper.Config{Languages: []string{"en", "ko", "ja", "zh"}})
	r, err := m.Recognise(context.Background(), recording(t, "healers.wav"), speech.Options{})
	if err != nil || r.Language != "en" || r.LanguageProb < 0.9 || r.LanguageProb > 1 {
		t.Errorf("language %s with %v, %v", r.Language, r.LanguageProb, err)
	}
	r, err = m.Recognise(context.Background(), recording(t, "healers.wav"), speech.Options{Language: "ko"})
	if err != nil || r.Language != "ko" {
		t.Errorf("told Korean: %s, %v", r.Language, err)
	}
}

// What was written before is written again, and sooner; what is nonsense changes nothing.
// (A word that is nearly even may come out otherwise: in 8 bits each step has its scale.)
func TestBefore(t *testing.T) {
	m := usual(t, "whisper-tiny-en")
	pcm := recording(t, "healers.wav")
	first, err := m.Recognise(context.Background(), pcm, speech.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, before := range map[string][]speech.Word{
		"all": first.Words, "half": first.Words[:len(first.Words)/2], "another": {{Own: []int{11, 12, 13}}}, "of another network": {{Own: []int{1 << 30}}}, "negative": {{Own: []int{-1}}},
	} {
		r, err := m.Recognise(context.Background(), pcm, speech.Options{Before: before})
		if err != nil || plain(r.Text) != plain(first.Text) {
			t.Errorf("%s: %q, %v; want %q", name, r.Text, err, first.Text)
		}
	}
}

func TestManyAtOnceAndTheEnd(t *testing.T) {
	m := own(t, "whisper-tiny-en", whisper.Config{Slots: 2})
	pcm := recording(t, "healers.wav")
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			if r, err := m.Recognise(context.Background(), pcm, speech.Options{}); err != nil || !strings.Contains(plain(r.Text), "tower") {
				t.Errorf("%q, %v", r.Text, err)
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Recognise(ctx, pcm, speech.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestRefusesOtherFiles(t *testing.T) {
	onnxtest.Start(t)
	dir := filepath.Join(onnxtest.Models(t), "whisper-tiny-en")
	good, err := whisper.ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*whisper.Files){
		"no encoder":            func(f *whisper.Files) { f.Encoder = nil },
		"swapped":               func(f *whisper.Files) { f.Encoder, f.Decoder = f.Decoder, f.Encoder },
		"another vocabulary":    func(f *whisper.Files) { f.Vocabulary = f.Vocabulary[:len(f.Vocabulary)/2] },
		"no vocabulary":         func(f *whisper.Files) { f.Vocabulary = nil },
		"broken config":         func(f *whisper.Files) { f.Config = []byte("{") },
		"suppresses the unborn": func(f *whisper.Files) { f.Config = []byte(`{"suppress_ids":[99999999]}`) },
	} {
		f := good
		change(&f)
		if m, err := whisper.Load(f, whisper.Config{}); err == nil {
			_ = m.Close()
			t.Errorf("%s: loaded", name)
		}
	}
	if _, err := whisper.Load(good, whisper.Config{Languages: []string{"ja"}}); err == nil {
		t.Error("a network of English was told to look for Japanese")
	}
	if _, err := whisper.ReadFolder(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// However many guesses come before it, one that was said is found: they are read some at a
// time.
func TestManyGuesses(t *testing.T) {
	m := usual(t, "whisper-tiny-en")
	ask := func(words []string) []speech.Guess {
		var list []speech.Guess
		for _, text := range []string{"put the purple cups away", "sell all of your copper", "drive a lorry through it", "paint a fence by noon", "wear that woollen hat"} {
			list = append(list, speech.Guess{First: 0, After: 2, Text: text}, speech.Guess{First: 1, After: 3, Text: text})
		}
		for i, w := range words {
			if plain(w) == "tower" {
				list = append(list, speech.Guess{First: i - 1, After: i + 1, Text: "north tower"})
			}
		}
		return list
	}
	r, err := m.Recognise(context.Background(), recording(t, "healers.wav"), speech.Options{Guess: ask})
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, w := range r.Words {
		if w.Listed {
			listed = append(listed, plain(w.Text))
		}
	}
	if got := strings.Join(listed, " "); got != "north tower" {
		t.Errorf("%q of %q is taken for phrases, want %q", got, r.Text, "north tower")
	}
}
