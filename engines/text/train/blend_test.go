package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/text"
)

// TestRegress draws rows from a known regression and finds it again.
func TestRegress(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	want := text.Blend{Constant: -0.4}
	want.Weights[text.SideMeaning], want.Weights[text.SideYou] = 0.8, -1.2
	rows := make([]doubted, 20000)
	for i := range rows {
		d := &rows[i]
		d.Sides[text.SideMeaning] = 2 * rng.NormFloat64()
		d.Sides[text.SideYou] = float64(rng.IntN(2))
		d.hate = rng.Float64() < 1/(1+math.Exp(-want.LogOdds(&d.Doubt)))
	}
	got := regressBlend(rows)
	if math.Abs(got.Constant-want.Constant) > 0.1 {
		t.Errorf("constant %.3f, want %.3f", got.Constant, want.Constant)
	}
	for s := range text.Sides {
		if math.Abs(got.Weights[s]-want.Weights[s]) > 0.1 {
			t.Errorf("%s %.3f, want %.3f", s, got.Weights[s], want.Weights[s])
		}
	}
	if again := regressBlend(rows); again != got {
		t.Errorf("fitted again: %+v, %+v", again, got)
	}
}

// TestRegressTold has rows that are told apart in full keep finite weights.
func TestRegressTold(t *testing.T) {
	rows := make([]doubted, 40)
	for i := range rows {
		rows[i].Sides[text.SideMeaning] = float64(i - 20)
		rows[i].hate = i >= 20
	}
	got := regressBlend(rows)
	if w := got.Weights[text.SideMeaning]; !(w > 0.1 && w < 20) {
		t.Errorf("weight %v", w)
	}
}

func TestArea(t *testing.T) {
	for _, c := range []struct {
		rows []scored
		want float64
	}{
		{nil, 0.5},
		{[]scored{{1, true}}, 0.5},
		{[]scored{{1, true}, {0, false}}, 1},
		{[]scored{{0, true}, {1, false}}, 0},
		{[]scored{{1, true}, {1, false}}, 0.5},
		{[]scored{{3, true}, {2, false}, {1, true}, {0, false}}, 0.75},
	} {
		if got := area(c.rows); got != c.want {
			t.Errorf("%v: %v, want %v", c.rows, got, c.want)
		}
	}
}
