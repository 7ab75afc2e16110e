package bench

import (
	"math"
	"strings"
	"testing"
	"time"
)

// hourOf is an hour of samples, one a minute, whose memory the test says.
func hourOf(resident func(minute int) float64) []soakSample {
	list := make([]soakSample, 61)
	for i := range list {
		list[i] = soakSample{at: time.Duration(i) * time.Minute, resident: resident(i), heap: 50, goroutines: 900, dropped: float64(i / 50), late: 3}
	}
	return list
}

func TestSoak(t *testing.T) {
	noise := func(i int) float64 { return float64(i*7919%11) - 5 }
	for name, c := range map[string]struct {
		resident func(int) float64
		slope    float64
		flat     bool
	}{
		"flat":               {func(i int) float64 { return 200 + noise(i) }, 0, true},
		"fills at the start": {func(i int) float64 { return 200 + noise(i) - 100*math.Exp(-float64(i)) }, 0, true},
		"a leak":             {func(i int) float64 { return 200 + float64(i) + noise(i) }, 60, false},
		"shrinks":            {func(i int) float64 { return 260 - float64(i) }, -60, true},
	} {
		s := soakOf(hourOf(c.resident))
		if s.Flat != c.flat || math.Abs(s.Slope-c.slope) > 5 {
			t.Errorf("%s: flat %t at %.1f MB an hour, want %t at %.0f", name, s.Flat, s.Slope, c.flat, c.slope)
		}
		if s.Minutes != 54 || s.Goroutines != [2]float64{900, 900} || s.Dropped != [2]float64{0, 1} || s.Late != [2]float64{} {
			t.Errorf("%s: %+v", name, s)
		}
		var out strings.Builder
		s.print(func(name, value, _ string) { out.WriteString(name + " " + value + "\n") })
		if !strings.Contains(out.String(), "first -> last quarter "+map[bool]string{true: "flat", false: "grows"}[c.flat]) {
			t.Errorf("%s: printed %s", name, out.String())
		}
	}
	threads := hourOf(func(int) float64 { return 200 })
	for i := range threads {
		threads[i].goroutines += float64(10 * i)
	}
	if soakOf(threads).Flat {
		t.Error("goroutines that gather are flat")
	}
	if s := soakOf(hourOf(func(int) float64 { return 1 })[:7]); s != nil {
		t.Errorf("seven samples say %+v", s)
	}
	var none *voiceSoak
	none.print(func(string, string, string) { t.Error("a short run prints a soak") })
}
