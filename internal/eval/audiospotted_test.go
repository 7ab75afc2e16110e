package eval

import (
	"math"
	"strings"
	"testing"
	"time"
)

// The bounds are half the chi-squared quantiles of 2n + 2 degrees of freedom.
func TestMostExpected(t *testing.T) {
	for n, want := range map[int]float64{0: 2.9957, 1: 4.7439, 5: 10.5130, 20: 29.0620} {
		if got := mostExpected(n); math.Abs(got-want) > 1e-3 {
			t.Errorf("%d: %.4f, want %.4f", n, got, want)
		}
	}
}

func TestSpottedSays(t *testing.T) {
	var b strings.Builder
	s := spotted{said: 100, found: 90, spoken: 3 * time.Hour}
	if err := s.print(&b, "all"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"90 of  100 phrases found: 0.90 (95 %: 0.83 to 0.94)", "0 false alarms in 180.0 min of ordinary speech (95 %: at most 1.0 an hour)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
}
