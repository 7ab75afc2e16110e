package ocr

import (
	"slices"
	"testing"
)

// TestCandidates: which scripts a line is tried as after what the network made of it.
func TestCandidates(t *testing.T) {
	for name, c := range map[string]struct {
		text          string
		sure, gap     float64
		blank, likely float64
		width, height float64
		last          string
		want          []string
	}{
		"read for sure":         {"The gate opens", 0.97, 0.4, 0.5, 1, 200, 30, "", nil},
		"sure of digits alone":  {"7917", 0.97, 3.1, 0.9, 1, 170, 30, "", []string{Korean, Thai}},
		"nothing read":          {"", 0, 6, 0.95, 1, 180, 30, "", []string{Korean, Thai}},
		"signs all over":        {"annga auinainaa", 0.4, 0.5, 0.6, 1, 260, 30, "", []string{Thai, Korean}},
		"short":                 {"", 0, 2.5, 0.9, 1, 75, 30, "", []string{Korean}},
		"short, signs all over": {"Lal3a", 0.5, 0.5, 0.5, 1, 75, 30, "", []string{Thai}},
		"beside Thai":           {"", 0, 6, 0.95, 1, 180, 30, Thai, []string{Thai}},
		"looks like no text":    {"", 0, 6, 0.95, 0.1, 180, 30, "", nil},
		"too small":             {"", 0, 6, 0.95, 1, 60, 10, "", nil},
		"one letter":            {"m", 0.3, 0.5, 0.9, 1, 45, 30, "", nil},
	} {
		s := &scripts{last: c.last}
		l := &line{at: rect{width: c.width, height: c.height}, reading: reading{text: c.text, confidence: c.sure, gap: c.gap, blank: c.blank}, likely: c.likely}
		if got := s.candidates(l); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestStepped: a line's width grows by little, to one of few.
func TestStepped(t *testing.T) {
	seen := map[int]bool{}
	for w := 8; w <= widestLine; w++ {
		got := stepped(w)
		if got < w || got-w >= max(32, w/8+1) || got%16 != 0 {
			t.Fatalf("a line of %d becomes %d", w, got)
		}
		seen[got] = true
	}
	if len(seen) > 48 {
		t.Errorf("%d widths", len(seen))
	}
}
