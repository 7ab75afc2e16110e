package main

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// listening is the engine for sound as a gateway without a configuration has it, with
// the models of a folder.
func listening(t *testing.T, folder string) (*audio.Engine, *audioParts, *modelKeeper) {
	t.Helper()
	t.Setenv("PORTCULLIS_MODELS", folder)
	cfg := defaultConfig()
	words, err := cfg.Text.engine(text.Second{})
	if err != nil {
		t.Fatal(err)
	}
	k := newModelKeeper(cfg.Models, t.TempDir(), slog.New(slog.DiscardHandler))
	p := newAudioParts(&cfg.Audio, k)
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	})
	c := p.Config
	c.Text = words
	e, err := audio.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e, p, k
}

// wav is sound as a file of 16 bits.
func wav(rate int, pcm []float32) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00")
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(v*32767))) //nolint:gosec // two's complement
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))    //nolint:gosec // small
	binary.LittleEndian.PutUint32(b[24:], uint32(rate))       //nolint:gosec // small
	binary.LittleEndian.PutUint32(b[28:], uint32(2*rate))     //nolint:gosec // small
	binary.LittleEndian.PutUint32(b[40:], uint32(2*len(pcm))) //nolint:gosec // small
	return b
}

func heard(t *testing.T, e *audio.Engine, m *engines.Media, language string) ([]engines.Signal, *engines.MediaFacts, error) {
	t.Helper()
	signals, err := e.Inspect(context.Background(), &engines.Item{Kind: engines.KindAudio, Player: "p", Language: language, Media: m, Live: m.Use == engines.UseVoice}, nil)
	return signals, m.Facts(), err
}

func spokenSignal(signals []engines.Signal) *engines.Signal {
	for i := range signals {
		if signals[i].Source == engines.SourceASR {
			return &signals[i]
		}
	}
	return nil
}

// threat is "go kill yourself nobody wants you on this team", by flite's voice awb.
const threat = "testdata/threat.wav"

func TestSpokenThreat(t *testing.T) {
	e, _, k := listening(t, onnxtest.Models(t))
	file, err := os.ReadFile(threat)
	if err != nil {
		t.Fatal(err)
	}
	signals, facts, err := heard(t, e, &engines.Media{Bytes: file, Type: "audio/wav", Use: engines.UseClip}, "en")
	if err != nil {
		t.Fatal(err)
	}
	s := spokenSignal(signals)
	if s == nil || s.Place == nil || s.Place.EndMS <= s.Place.AtMS || s.Place.AtMS > 1500 {
		t.Fatalf("signals %+v of %+v", signals, facts.Transcript)
	}
	if facts.Unreliable || facts.Format != "wav" || len(facts.Speech) == 0 || len(facts.Peaks) == 0 || facts.Heard != "en" {
		t.Errorf("facts %+v", facts)
	}
	if n, ok := k.board.Of(models.WhisperBase); !ok || n.State != models.StateLoaded {
		t.Errorf("the status of whisper-base is %+v", n)
	}
	pcm := make([]float32, (len(file)-44)/2)
	for i := range pcm {
		pcm[i] = float32(int16(binary.LittleEndian.Uint16(file[44+2*i:]))) / 32768 //nolint:gosec // two's complement
	}
	// The same, as a call's windows that grow: the words are found before the end.
	found := false
	for end := 6400; end <= len(pcm) && !found; end += 6400 {
		signals, facts, err = heard(t, e, &engines.Media{Use: engines.UseVoice, Sound: &engines.Sound{PCM: pcm[:end], OffsetMS: 10_000, Partial: true}}, "en")
		if err != nil {
			t.Fatal(err)
		}
		if s := spokenSignal(signals); s != nil {
			found = s.Place.AtMS >= 10_000 && s.Place.EndMS <= 10_000+int64(end)/16+1
		}
	}
	if !found {
		t.Errorf("no window has it: %+v", facts)
	}
}

// What recognisers make words of: nothing may come of it.
func TestNoSpeechNoVerdict(t *testing.T) {
	e, _, _ := listening(t, onnxtest.Models(t))
	rng := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // noise
	noise := func(seconds int, level float64) []float32 {
		pcm := make([]float32, seconds*16000)
		for i := range pcm {
			pcm[i] = float32(level * rng.NormFloat64())
		}
		return pcm
	}
	tone := make([]float32, 5*16000)
	for i := range tone {
		tone[i] = float32(0.3 * math.Sin(2*math.Pi*440*float64(i)/16000))
	}
	for name, c := range map[string]struct {
		file     []byte
		language string
	}{
		"silence at 8 kHz":     {wav(8000, make([]float32, 8000)), ""},
		"silence":              {wav(16000, make([]float32, 30*16000)), "en"},
		"noise at -60 dBFS":    {wav(16000, noise(20, 0.001)), "ja"},
		"loud noise":           {wav(16000, noise(10, 0.2)), "ko"},
		"a tone":               {wav(16000, tone), ""},
		"a click now and then": {wav(16000, clicks()), "en"},
	} {
		signals, facts, err := heard(t, e, &engines.Media{Bytes: c.file, Use: engines.UseClip}, c.language)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s := spokenSignal(signals); s != nil || len(facts.Transcript) != 0 || len(facts.Speech) != 0 {
			t.Errorf("%s: signal %+v, transcript %+v, speech %+v", name, s, facts.Transcript, facts.Speech)
		}
	}
}

func clicks() []float32 {
	pcm := make([]float32, 10*16000)
	for i := 8000; i < len(pcm); i += 16000 {
		for k := range 40 {
			pcm[i+k] = 0.8 * float32(1-2*(k%2))
		}
	}
	return pcm
}

// Without models sound is measured, and an error says that nobody listened to words.
func TestSoundWithoutModels(t *testing.T) {
	e, p, k := listening(t, t.TempDir())
	file, err := os.ReadFile(threat)
	if err != nil {
		t.Fatal(err)
	}
	_, facts, err := heard(t, e, &engines.Media{Bytes: file, Use: engines.UseClip}, "en")
	if !errors.Is(err, audio.ErrNoRecogniser) || facts == nil || len(facts.Peaks) == 0 {
		t.Errorf("facts %+v, %v", facts, err)
	}
	wordless := defaultAudioConfig()
	wordless.Words = nil
	if !newAudioParts(&wordless, k).Wordless || p.Wordless {
		t.Error("whether words are wanted is what the configuration says of them, whatever models there are")
	}
	c := (&app{audioParts: p, models: k}).audioComponent()
	if c.State != "degraded" || !strings.Contains(c.Detail, "no model: not detected: speech") {
		t.Errorf("component %+v", c)
	}
}

func TestAudioConfigFaults(t *testing.T) {
	c := defaultAudioConfig()
	c.Bytes, c.Slots = 0, -1
	c.Acoustic.Loud.Momentary, c.Acoustic.Hum.MS = 12, 0
	c.Words = append(c.Words, wordsConfig{Languages: []string{"en-US"}}, wordsConfig{Model: "../up", Detect: []string{""}})
	err := c.validate()
	for _, want := range []string{"audio.bytes", "audio.slots", "audio.words[2].model", `language "en-US"`, `"../up" is no folder`, `audio.words[3]: language ""`, "audio.acoustic.loud.momentary_lufs", "audio.acoustic.hum.ms"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}
