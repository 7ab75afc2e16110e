package train

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A curve rises, stays where policy acts, and says what was counted.
func TestIsotonic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // not for secrets: the same rows every time
	rows := make([]told, 6000)
	for i := range rows {
		c := rng.Float64()
		rows[i] = told{c, rng.Float64() < c*c} // too sure of itself
	}
	at := func(curve [][2]float32, x float32) float32 {
		for i := 1; i < len(curve); i++ {
			if a, b := curve[i-1], curve[i]; x <= b[0] {
				return a[1] + (b[1]-a[1])*(x-a[0])/(b[0]-a[0])
			}
		}
		return curve[len(curve)-1][1]
	}
	for _, blocks := range []bool{false, true} {
		curve := isotonic(rows, blocks)
		for i := 1; i < len(curve); i++ {
			if !(curve[i][0] > curve[i-1][0]) || curve[i][1] < curve[i-1][1] {
				t.Fatalf("blocks %v: the curve falls: %v", blocks, curve)
			}
		}
		if got := at(curve, reviewAt); got < 0.549 || got > 0.551 {
			t.Errorf("blocks %v: %v at the point of review, want it as it is", blocks, got)
		}
		if got := at(curve, 0.4); got < 0.1 || got > 0.22 {
			t.Errorf("blocks %v: %v at 0.4, want about 0.16", blocks, got)
		}
		if got := at(curve, 0.95); blocks && (got < 0.94 || got > 0.96) {
			t.Errorf("%v at 0.95 beyond the point of blocking, want it as it is", got)
		}
	}
	if curve := isotonic(rows[:50], false); curve != nil {
		t.Errorf("a curve of 50 rows: %v", curve)
	}
}

func TestPoolJoinsWhatFalls(t *testing.T) {
	var rows []told
	for i := range 3000 {
		rows = append(rows, told{float64(i) / 3000, i%3000 < 1500 == (i%10 < 3)})
	}
	last := -1.0
	for _, s := range pool(rows) {
		if s.share() < last {
			t.Fatalf("shares fall: %v after %v", s.share(), last)
		}
		last = s.share()
	}
}

// A few rows that weigh much do not make the line run away: no line near it is better.
func TestPlattConverges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // not for secrets: the same rows every time
	var points []point
	for i := range 4000 {
		p := point{score: rng.NormFloat64()*2 - 9, weight: judged}
		if i%100 == 0 {
			p = point{score: rng.NormFloat64()*2 - 4, yes: true, weight: mostAbuse}
		}
		points = append(points, p)
	}
	a, b := platt(points)
	least := surprise(points, a, b)
	for _, d := range [][2]float64{{0.1, 0}, {-0.1, 0}, {0, 0.1}, {0, -0.1}} {
		if near := surprise(points, a+d[0], b+d[1]); near < least {
			t.Errorf("line %.2f, %.2f loses %.1f, one beside it %.1f", a, b, least, near)
		}
	}
}

// TestSharesCountByNearness: a clean row beside the point of review counts about by half, one far
// under it hardly, so that one row on either side of it does not decide.
func TestSharesCountByNearness(t *testing.T) {
	at := logit(reviewAt)
	share := func(score float64) float64 {
		review, _ := shares([]point{{score: score, clean: true}, {score: 9, yes: true}}, 1, 1, 0)
		return review
	}
	if under, over := share(at-0.01), share(at+0.01); math.Abs(over-under) > 0.05 || math.Abs(over-0.5) > 0.05 {
		t.Errorf("a row just under counts %.3f, one just over %.3f, want about a half", under, over)
	}
	if far, sure := share(at-2), share(at+2); far > 0.01 || sure < 0.99 {
		t.Errorf("a row far under counts %.3f, one far over %.3f", far, sure)
	}
}
