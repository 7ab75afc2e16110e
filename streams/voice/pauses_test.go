package voice

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// A clock that leaps ahead of the time in which its sound comes is another clock, no pause: neither does silence that
// nobody was silent for keep a worker busy, nor is a voice cut into pieces that are too short to know.
func TestLeapingClock(t *testing.T) {
	for name, leap := range map[string]uint32{"pauses": 9 * clock, "more than pauses": 11 * clock} {
		heard, spoke := 0, 0
		c, deps := counting()
		deps.Desk, deps.Resampler = &desk{}, func(int, int) Resampler { return same{1} }
		deps.Speech = func(told func(Edge)) Speech {
			return &energy{told: func(e Edge) {
				if e.Speaking {
					spoke++
				}
				told(e)
			}}
		}
		cfg := Default()
		cfg.Listen = Off
		h, err := New(cfg, "", deps, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		sound, err := newOpus()
		if err != nil {
			t.Fatal(err)
		}
		call := h.newCall(speaker("ann"), sound)
		ts, arrived := uint32(0), int64(time.Second)
		for i, p := range read(t, "tone.opus")[:100] {
			call.ear.take(packet{payload: p.Data, ts: ts, arrived: arrived}, 0)
			ts += 960 + leap
			arrived += int64(20 * time.Millisecond)
			heard = i + 1
		}
		if got, most := time.Duration(c.samples.Load())*time.Second/engines.SoundRate, time.Duration(heard)*20*time.Millisecond+fillMost*time.Second/clock; got > most {
			t.Errorf("%s: %v were measured of a call of %v", name, got, time.Duration(heard)*20*time.Millisecond)
		}
		if spoke > 2 || spoke == 0 {
			t.Errorf("%s: a tone was begun %d times", name, spoke)
		}
	}
}

// Pauses are taken for which there was time, or nearly, and none beyond, whatever came before.
func TestPauses(t *testing.T) {
	const second = int64(time.Second)
	var p pauses
	for i, step := range []struct {
		ticks   int32
		arrived int64 // after the last
		want    int32
	}{
		{0, 100 * second, 0},
		{60 * clock, 60 * second, 60 * clock},
		{60 * clock, 55 * second, 60 * clock}, // the packets before were held up
		{6 * clock, 0, 0},                     // but for so long none is
		{-5 * clock, 0, -5 * clock},
		{5 * clock, 2 * second, 5 * clock},
		{0, 1000 * second, 0}, // a clock that stood still saves nothing up
		{11 * clock, 0, 0},
		{3600 * clock, 3595 * second, 3600 * clock},
	} {
		if got := p.take(step.ticks, p.at+step.arrived); got != step.want {
			t.Errorf("step %d: %d ticks, want %d", i, got, step.want)
		}
	}
	for range 3000 { // a minute that comes at once
		p.take(0, p.at)
		p.sound(960)
	}
	if got := p.take(5*clock, p.at+5*second); got != 5*clock {
		t.Errorf("a pause after what was held up: %d", got)
	}
}
