package seam

import "testing"

// drawn is a seam with two strokes apart, and what lies low between them.
func drawn(apart int, low bool) *Look {
	l := &Look{}
	for y := range Rows {
		for x := range Cols {
			v := float32(40)
			left, right := Cols/2-apart/2, Cols/2+apart-apart/2
			ink := y > 5 && y < 19 && (x < left && (x+y)%5 < 2 || x >= right && (x-y+Rows)%5 < 2)
			if ink || low && x >= Cols/2-1 && x <= Cols/2+1 && (y == 17 || y == 18) {
				v = 230
			}
			l.Light[y*Cols+x] = v
		}
	}
	return l
}

// TestSee: a wide seam is more likely a space than a narrow one, dark on light as well as light on
// dark and at any contrast, and what is seen is a likelihood.
func TestSee(t *testing.T) {
	for _, scale := range []float32{1, 0.5, -1} {
		narrow, wide := drawn(2, false), drawn(10, false)
		for _, l := range []*Look{narrow, wide} {
			for i := range l.Light {
				l.Light[i] = 120 + scale*(l.Light[i]-120)
			}
		}
		n, w := See(narrow), See(wide)
		if n.Space >= w.Space || n.Space > 0.5 || w.Space < 0.5 {
			t.Errorf("scale %v: a space in a narrow seam %.3f, in a wide one %.3f", scale, n.Space, w.Space)
		}
		for _, s := range []Seen{n, w} {
			sum := 0.0
			for _, p := range s.Sign {
				if p < 0 {
					t.Errorf("%+v", s)
				}
				sum += p
			}
			if s.Space < 0 || s.Space > 1 || sum > 1 {
				t.Errorf("%+v", s)
			}
		}
	}
}

func BenchmarkSee(b *testing.B) {
	l := drawn(6, true)
	for b.Loop() {
		See(l)
	}
}
