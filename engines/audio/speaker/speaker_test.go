package speaker

import (
	"errors"
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// chirp is the sound that the references below were computed of.
func chirp() []float32 {
	pcm := make([]float32, 40000)
	for i := range pcm {
		n := float64(i)
		pcm[i] = float32(0.3*math.Sin(2*math.Pi*(200*n/rate+0.002*n*n/rate*10)) + 0.1*math.Sin(2*math.Pi*1234*n/rate))
	}
	return pcm
}

// TestFeatures holds them against what numpy gives for librosa's definitions.
func TestFeatures(t *testing.T) {
	rows := features(chirp())
	if len(rows) != 251*mels {
		t.Fatalf("%d values, want 251 rows", len(rows))
	}
	for _, c := range []struct {
		row, band int
		want      float64
	}{{0, 3, 0.88433}, {10, 5, 0.000584192}, {249, 6, 0.000109024}} {
		if got := float64(rows[c.row*mels+c.band]); math.Abs(got-c.want) > 1e-3*c.want {
			t.Errorf("row %d, band %d: %v, want %v", c.row, c.band, got, c.want)
		}
	}
}

func open(t *testing.T) *Model {
	t.Helper()
	onnxtest.Start(t)
	m, err := Open(onnxtest.Models(t))
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

// TestReference holds the converted network, features and parts together, against the
// same computed in numpy from the checkpoint: whole to what float32 rounds, in 8 bits to
// a hundredth of the largest.
func TestReference(t *testing.T) {
	for m, most := range map[*Model]float64{whole(t): 1e-3, open(t): 4e-3} {
		v, err := m.Embed(chirp())
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range map[int]float64{18: 0.38934, 83: 0.24322, 79: 0.22037, 125: 0.21545, 30: 0.19291, 13: 0.17511} {
			if got := float64(v[i]); math.Abs(got-want) > most {
				t.Errorf("value %d is %.5f, want %.5f", i, got, want)
			}
		}
		if c := Cosine(&v, &v); math.Abs(c-1) > 1e-5 {
			t.Errorf("length %v, want 1", c)
		}
	}
}

// TestSoft: the level changes nothing below that of normal speech.
func TestSoft(t *testing.T) {
	m := open(t)
	r := sounds.Rand(1)
	pcm := sounds.SpokenAt(sounds.Babble(r, sounds.NewVoice(r), 3), -40)
	a, err := m.Embed(pcm)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Embed(sounds.Gain(pcm, -12))
	if err != nil {
		t.Fatal(err)
	}
	if c := Cosine(&a, &b); c < 0.999 {
		t.Errorf("the same, softer: cosine %.4f", c)
	}
}

func TestRefuses(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, models.ErrMissing) {
		t.Errorf("Open = %v, want ErrMissing", err)
	}
	m := open(t)
	if _, err := m.Embed(make([]float32, Shortest-1)); !errors.Is(err, ErrShort) {
		t.Errorf("Embed = %v, want ErrShort", err)
	}
	if v, err := m.Embed(make([]float32, Shortest)); err != nil || v != v {
		t.Errorf("silence: %v, %v", v, err)
	}
}

func TestVoices(t *testing.T) {
	at := func(i int, off float32) *Voice {
		v := &Voice{}
		v[i], v[i+1] = 1, off
		v.normalise()
		return v
	}
	var v Voices
	for i, want := range []int{1, 2, 1, 2, 3} {
		w := at([]int{0, 10, 0, 10, 20}[i], []float32{0, 0, 0.3, 0.3, 0}[i])
		if got := v.Number(w); got != want {
			t.Errorf("stretch %d is of voice %d, want %d", i, got, want)
		}
	}
	for i := range most - 3 {
		v.Number(at(30+2*i, 0))
	}
	if got := v.Number(at(100, 0)); got != 0 {
		t.Errorf("a voice too many has number %d, want 0", got)
	}
	if got := v.Number(at(0, 0)); got != 1 {
		t.Errorf("the first voice has number %d", got)
	}
}

func BenchmarkEmbed(b *testing.B) {
	onnxtest.Start(b)
	m, err := Open(onnxtest.Models(b))
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	pcm := chirp()
	for name, m := range map[string]*Model{"32 bits": whole(b), "8 bits": m} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Embed(pcm); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
