package whisper

import (
	"math"
	"testing"
)

// A tone lies in the band of its frequency, and silence is the floor.
func TestMel(t *testing.T) {
	m := melOf(80)
	pcm := make([]float32, 16000)
	for i := range pcm {
		pcm[i] = float32(math.Sin(2 * math.Pi * 1000 * float64(i) / 16000))
	}
	frames, n := m.of(pcm, 0)
	if n != 100 || len(frames) != 80*n {
		t.Fatalf("%d frames, %d values", n, len(frames))
	}
	loudest := 0
	for j := range 80 {
		if frames[j*n+50] > frames[loudest*n+50] {
			loudest = j
		}
	}
	if b := m.bands[loudest]; b.first > 25 || b.first+len(b.weights) < 25 { // 1000 Hz is bin 25
		t.Errorf("a tone of 1000 Hz is in band %d, bins %d to %d", loudest, b.first, b.first+len(b.weights))
	}
	silent, _ := m.of(make([]float32, 1600), 800)
	for _, v := range silent {
		if v != -1.5 { // log10(1e-10), +4, /4
			t.Fatalf("silence is %v", v)
		}
	}
}

func TestBackAndStuck(t *testing.T) {
	f := follow{ticks: 170}
	f.all = make([][]float32, 20)
	f.centre = []float64{30, 40, 60, 80, 100, 120, 140, 135, 90, 36, 35}
	if n, again := f.back(); !again || n != 8 {
		t.Errorf("back = %d, %v, want 8: two tokens are far before the furthest", n, again)
	}
	f.centre = []float64{30, 40, 60, 80, 60, 80, 100, 120}
	if _, again := f.back(); again {
		t.Error("a step back is none to the start")
	}
	f.centre = []float64{30, 60, 90, 90, 91, 90}
	if n, again := f.stuck([]int{1, 2, 3, 2, 3}); !again || n != 3 {
		t.Errorf("stuck = %d, %v", n, again)
	}
	f.centre = []float64{30, 60, 90, 120, 150}
	if _, again := f.stuck([]int{1, 2, 3, 2, 3}); again {
		t.Error("somebody says it twice")
	}
}
