package vad_test

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/vad"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// spoken is a sentence by flite's voice slt, 16 kHz.
func spoken(t *testing.T) []float32 {
	t.Helper()
	b, err := os.ReadFile("testdata/speech.wav")
	if err != nil {
		t.Fatal(err)
	}
	pcm := make([]float32, (len(b)-44)/2)
	for i := range pcm {
		pcm[i] = float32(int16(binary.LittleEndian.Uint16(b[44+2*i:]))) / 32768
	}
	return pcm
}

func open(t *testing.T) *vad.Model {
	t.Helper()
	onnxtest.Start(t)
	m, err := vad.Open(onnxtest.Models(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func probabilities(t *testing.T, s *vad.Stream, pcm []float32, sizes ...int) (ps []float64) {
	t.Helper()
	for i := 0; len(pcm) > 0; i++ {
		n := min(len(pcm), sizes[i%len(sizes)])
		err := s.Push(pcm[:n], func(at int64, p float64) {
			if want := int64(len(ps)) * vad.FrameMS; at != want {
				t.Fatalf("frame at %d ms, want %d", at, want)
			}
			ps = append(ps, p)
		})
		if err != nil {
			t.Fatal(err)
		}
		pcm = pcm[n:]
	}
	return ps
}

// TestModel: speech between silence is found to a tenth of a second, whatever the sizes
// of blocks, and noise, tones and music are not.
func TestModel(t *testing.T) {
	m := open(t)
	voice := spoken(t)
	pcm := slices.Concat(sounds.Silence(2), voice, sounds.Silence(2))
	ps := probabilities(t, m.New(), pcm, len(pcm))
	if want := len(pcm) / vad.Frame; len(ps) != want {
		t.Fatalf("%d frames, want %d", len(ps), want)
	}
	for _, sizes := range [][]int{{320}, {1, 511, 512, 513, 5000, 40000}} {
		if other := probabilities(t, m.New(), pcm, sizes...); !near(ps, other) {
			t.Errorf("in blocks of %v other probabilities come", sizes)
		}
	}
	seg, events := vad.NewSegmenter(vad.Defaults()), []vad.Event(nil)
	for i, p := range ps {
		if e, ok := seg.Push(int64(i)*vad.FrameMS, p); ok && !e.Pause {
			events = append(events, e)
		}
	}
	end := 2000 + int64(len(voice))*1000/16000
	if len(events) != 2 || !events[0].Start || events[1].Start || events[0].AtMS < 1800 || events[0].AtMS > 2300 || events[1].AtMS < end-400 || events[1].AtMS > end+150 {
		t.Errorf("events = %+v, want speech from 2000 to %d", events, end)
	}
	for name, pcm := range map[string][]float32{
		"silence": sounds.Silence(3), "noise": sounds.Noise(sounds.Rand(1), 3, -3), "tone": sounds.Gain(sounds.Sine(1000, 3), -20), "hum": sounds.Hum(sounds.Rand(1), 3), "music": sounds.Music(sounds.Rand(2), 3),
	} {
		speech := 0
		ps := probabilities(t, m.New(), pcm, 320)
		for _, p := range ps {
			if p >= 0.5 {
				speech++
			}
		}
		if speech > len(ps)/20 {
			t.Errorf("%s: %d of %d frames are speech", name, speech, len(ps))
		}
	}
}

// TestLongSilence: what is said after a long silence, of which the network sees the first
// second, is heard as after a short one, to the frame, and nothing is heard in it.
func TestLongSilence(t *testing.T) {
	m := open(t)
	voice := spoken(t)
	voice = voice[:len(voice)/vad.Frame*vad.Frame]
	const second = 16000 / vad.Frame * vad.Frame
	short, long := sounds.Silence(1)[:second], sounds.Silence(30)[:29*second]
	want := probabilities(t, m.New(), slices.Concat(short, voice), 320)[second/vad.Frame:]
	got := probabilities(t, m.New(), slices.Concat(voice, long, voice), 320)
	for i, p := range got[len(voice)/vad.Frame+second/vad.Frame : len(got)-len(want)] {
		if p > 0.05 {
			t.Errorf("frame %d of the silence is speech to %v", i, p)
		}
	}
	for i, p := range got[len(got)-len(want):] {
		if (p >= 0.5) != (want[i] >= 0.5) && max(p-want[i], want[i]-p) > 0.1 {
			t.Errorf("frame %d after the silence: %v, want %v", i, p, want[i])
		}
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return max(x-y, y-x) < 1e-4 })
}

func TestMissing(t *testing.T) {
	if _, err := vad.Open(t.TempDir()); !errors.Is(err, models.ErrMissing) {
		t.Errorf("Open = %v, want ErrMissing", err)
	}
}

func TestSegmenter(t *testing.T) {
	cfg := vad.Config{Start: 0.5, Stop: 0.35, MinSpeech: 96, MinSilence: 160, MinPause: 96, Pad: 32}
	for name, c := range map[string]struct {
		ps   []float64
		want []vad.Event
	}{
		"silence":          {[]float64{0, 0, 0, 0}, nil},
		"a click":          {[]float64{0, 0.9, 0, 0, 0, 0, 0, 0}, nil},
		"two clicks apart": {[]float64{0, 0.9, 0.9, 0, 0.9, 0.9, 0, 0, 0, 0, 0}, nil},
		"speech":           {[]float64{0, 0, 0.9, 0.9, 0.9, 0, 0, 0, 0, 0}, []vad.Event{{Start: true, AtMS: 32}, {Pause: true, AtMS: 160}, {AtMS: 192}}},
		"goes on between":  {[]float64{0.9, 0.9, 0.9, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4}, []vad.Event{{Start: true, AtMS: 0}, {AtMS: 320}}},
		"pauses":           {[]float64{0.9, 0.9, 0.9, 0, 0, 0, 0, 0.9, 0, 0, 0}, []vad.Event{{Start: true, AtMS: 0}, {Pause: true, AtMS: 96}, {Pause: true, AtMS: 256}, {AtMS: 288}}},
		"a short pause":    {[]float64{0.9, 0.9, 0.9, 0.1, 0.1, 0.9, 0.9}, []vad.Event{{Start: true, AtMS: 0}, {AtMS: 224}}},
		"two":              {[]float64{0.9, 0.9, 0.9, 0, 0, 0, 0, 0, 0.9, 0.9, 0.9}, []vad.Event{{Start: true, AtMS: 0}, {Pause: true, AtMS: 96}, {AtMS: 128}, {Start: true, AtMS: 224}, {AtMS: 352}}},
	} {
		s, got := vad.NewSegmenter(cfg), []vad.Event(nil)
		for i, p := range c.ps {
			if e, ok := s.Push(int64(i)*vad.FrameMS, p); ok {
				got = append(got, e)
			}
		}
		if e, ok := s.Flush(int64(len(c.ps)) * vad.FrameMS); ok {
			got = append(got, e)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if s.Speaking() {
			t.Errorf("%s: still speaking after Flush", name)
		}
	}
}

func TestValidate(t *testing.T) {
	good := vad.Defaults()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	bad := vad.Config{Start: 2, Stop: 3, MinSpeech: -1, MinSilence: 1e6, Pad: -1}
	if err := bad.Validate(); err == nil {
		t.Error("a bad configuration is valid")
	}
}
