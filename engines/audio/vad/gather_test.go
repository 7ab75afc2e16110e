package vad_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/audio/vad"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// told is what a live voice was told of.
type told struct {
	mu sync.Mutex
	at []int64
	ps []float64
}

func (x *told) each(at int64, p float64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.at, x.ps = append(x.at, at), append(x.ps, p)
}

func (x *told) heard() ([]int64, []float64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.at, x.ps
}

// TestGather: of many voices that speak at once, each begun somewhere else and heard by a
// goroutine of its own, each hears of its own frames, in order, and what it would alone.
func TestGather(t *testing.T) {
	m := open(t)
	pcm := append(spoken(t), sounds.Silence(3)...)
	g := vad.NewGather(m)
	const voices = 40
	var all [voices]told
	var wg sync.WaitGroup
	for v := range voices {
		wg.Go(func() {
			l := g.New(all[v].each)
			for rest := pcm[v*700:]; len(rest) > 0; {
				n := min(len(rest), 300+v)
				if err := l.Push(rest[:n]); err != nil {
					t.Error(err)
				}
				rest = rest[n:]
			}
		})
	}
	wg.Wait()
	for v := range voices {
		want := probabilities(t, m.New(), pcm[v*700:], 320)
		var at []int64
		var got []float64
		for end := time.Now().Add(time.Minute); len(got) < len(want) && time.Now().Before(end); time.Sleep(time.Millisecond) {
			at, got = all[v].heard()
		}
		if !near(want, got) {
			t.Errorf("voice %d was told otherwise than alone: %d frames, want %d", v, len(got), len(want))
		}
		for i, ms := range at {
			if ms != int64(i)*vad.FrameMS {
				t.Fatalf("voice %d: frame %d is told of at %d ms", v, i, ms)
			}
		}
	}
}

// Whoever pushes learns that the network fails.
func TestGatherFails(t *testing.T) {
	m := open(t)
	l := vad.NewGather(m).New(func(int64, float64) { t.Error("told of a frame") })
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Push(sounds.Sine(300, 1)); !errors.Is(err, onnx.ErrClosed) {
		t.Errorf("Push = %v, want ErrClosed", err)
	}
}
