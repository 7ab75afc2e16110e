package train

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// A probability means the share of messages like this one that are abuse, in a
// mix of clean chat, of rows that a judge of a mixed source called clean, and of
// abuse. How much abuse is in the mix is chosen: the most with which no more than
// these shares of clean chat pass the points at which policy acts by default.
const (
	reviewAt = 0.55
	blockAt  = 0.85
	// judged is the weight of a row that a judge called clean. Those that score
	// high are often abuse that the judge let pass.
	judged = 0.3
	// mostAbuse is the largest weight of a row of abuse, mostOther that of a row of
	// spam or personal data: clean chat holds none at all, so that two or three
	// rows of it would decide. Ten trainings on the same data that differed in their seed or
	// a detail, held to 0.4, gave a row of spam .10 to .4, and flagged 6.6 to 10 % of the
	// look-alikes of the own parts c to h, in the order of these weights.
	mostAbuse = 40
	mostOther = 0.2
)

// allowances are the shares of clean chat that may pass, for abuse and for the others.
// Abuse of no graver kind never blocks by default.
var allowances = [2]allowance{{0.0023, 1, 1, mostAbuse}, {0.0003, 0.0001, 1, mostAbuse}}

// politics is the allowance of the political head. Clean chat knows no politics, so
// that rows which a judge called something else set the limit.
var politics = allowance{0.0003, 1, 0.004, mostAbuse}

// others is the allowance of what is no abuse.
var others = allowance{0.0003, 0.0001, 1, mostOther}

func allowanceOf(h int) allowance {
	switch classify.Head(h) {
	case classify.Political:
		return politics
	case classify.Spam, classify.Privacy:
		return others
	}
	return allowances[min(h, 1)]
}

// allowance are shares of clean rows, and of rows that a judge called clean, and the
// largest weight of a row that says yes.
type allowance struct{ review, block, judged, most float64 }

// point is a row of the calibration set.
type point struct {
	score float64
	yes   bool
	clean bool // of a source that holds nothing else
	named bool // it names a group of people
	// written is set for our own lines.
	written bool
	weight  float64
}

// namedAllowances are those of abuse and hate where a group is named, as shares of all clean chat.
// Nearly all rows of clean chat name none, so that those that a judge called clean
// set the limit: what names a group and only looks like hate.
var namedAllowances = [2]allowance{{0.0005, 1, 0.128, mostAbuse}, {0.0005, 0.0001, 0.104, mostAbuse}}

// calibrate fits the curve of each head on rows that were not trained on.
func calibrate(t *classify.Trained, held []sample, say func(string, ...any)) error {
	m, err := classify.Parse(classify.Encode(t))
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	scores := make([]classify.Scores, len(held))
	for i := range held {
		scores[i] = m.ScoreFeatures(held[i].features, held[i].named)
	}
	for h := range classify.Heads {
		var points []point
		for i := range held {
			s := &held[i]
			if s.asked.has(h) {
				points = append(points, point{score: float64(scores[i][h]), yes: s.yes.has(h), clean: s.clean, named: s.named, written: s.written})
			}
		}
		about := func(what string) func(string, ...any) {
			return func(format string, args ...any) {
				say("%-10s "+format, append([]any{classify.Head(h).String() + what}, args...)...)
			}
		}
		clean := count(points, func(p *point) bool { return p.clean })
		t.Knots[h] = fit(points, clean, allowanceOf(h), about(""))
		if h < len(namedAllowances) {
			points = slices.DeleteFunc(points, func(p point) bool { return !p.named })
			t.Named[h] = fit(points, clean, namedAllowances[h], about("*"))
		}
	}
	return nil
}

// fit finds the line of log-odds (Platt's) under the mix with the most abuse that
// meets the allowance.
//
// Shares are of clean rows, so many in all.
func fit(points []point, clean int, allowed allowance, say func(string, ...any)) [][2]float32 {
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.score, b.score) })
	yes := count(points, func(p *point) bool { return p.yes })
	if yes < 20 || clean < 20 {
		say("too few rows to calibrate on: %d yes, %d clean", yes, clean)
		return [][2]float32{{-1, -6}, {1, -3}}
	}
	var a, b float64
	weight := allowed.most
	for ; weight > 0.001; weight *= 0.97 {
		mixed(points, weight)
		a, b = platt(points)
		review, block := shares(points, clean, a, b)
		if review <= allowed.review && block <= allowed.block && passed(points, a, b) <= allowed.judged {
			break
		}
	}
	review, block := shares(points, clean, a, b)
	found := 0
	for _, p := range points {
		if p.yes && a*p.score+b >= logit(reviewAt) {
			found++
		}
	}
	say("%6d yes, %6d clean: weight %5.3f, %.3f %% of clean reach %.2f, %.3f %% reach %.2f; %.1f %% of yes reach %.2f",
		yes, clean, weight, 100*review, reviewAt, 100*block, blockAt, 100*float64(found)/float64(yes), reviewAt)
	// No surer than the highest scores of the set can tell.
	lo, hi := points[0].score, points[len(points)-1].score
	top := math.Log(float64(yes)+1) + 0.5
	if a*hi+b > top {
		hi = (top - b) / a
	}
	return [][2]float32{{float32(min(lo, hi-1)), float32(a*min(lo, hi-1) + b)}, {float32(hi), float32(a*hi + b)}}
}

func count(points []point, is func(*point) bool) int {
	n := 0
	for i := range points {
		if is(&points[i]) {
			n++
		}
	}
	return n
}

// mixed weighs the points for a mix with so much abuse.
func mixed(points []point, abuse float64) {
	for i := range points {
		switch p := &points[i]; {
		case p.yes:
			p.weight = abuse
		case p.clean:
			p.weight = 1
		default:
			p.weight = judged
		}
	}
}

// edge is how wide the point of review is for clean rows, in log-odds.
const edge = 0.25

// shares are those of the clean points that reach review and block. The allowance of review is
// some eighteen rows of ten thousand, which a training on a few other lines moves by four; so a
// row near the point counts by how near, and twice as many have a say. Where a tail falls e-fold
// in .7, as that of abuse does, such a share is a quarter larger than the rows over the point.
func shares(points []point, clean int, a, b float64) (review, block float64) {
	for _, p := range points {
		if !p.clean {
			continue
		}
		l := a*p.score + b
		review += 1 / (1 + math.Exp((logit(reviewAt)-l)/edge))
		if l >= logit(blockAt) {
			block++
		}
	}
	return review / float64(clean), block / float64(clean)
}

// passed is the share of the rows that a judge called clean which reach review.
func passed(points []point, a, b float64) float64 {
	judged := func(p *point) bool { return !p.yes && !p.clean && !p.written }
	reach := count(points, func(p *point) bool { return judged(p) && a*p.score+b >= logit(reviewAt) })
	return float64(reach) / float64(max(1, count(points, judged)))
}

// platt fits log-odds = a·score + b by Newton's method (Platt 1999, with the
// targets of Lin, Lin and Weng 2007 left out: the sets are large). Steps that would
// lose are halved, as theirs are: where a few rows weigh much, whole ones run away.
func platt(points []point) (a, b float64) {
	a = 1
	loss := surprise(points, a, b)
	for range 30 {
		var ga, gb, haa, hab, hbb float64
		for i := range points {
			q := &points[i]
			p := 1 / (1 + math.Exp(-(a*q.score + b)))
			y := 0.0
			if q.yes {
				y = 1
			}
			d, v := q.weight*(p-y), q.weight*p*(1-p)
			ga, gb = ga+d*q.score, gb+d
			haa, hab, hbb = haa+v*q.score*q.score, hab+v*q.score, hbb+v
		}
		haa, hbb = haa+1e-6, hbb+1e-6
		det := haa*hbb - hab*hab
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		for range 8 {
			if surprise(points, max(0.05, a-da), b-db) <= loss {
				break
			}
			da, db = da/2, db/2
		}
		a, b = max(0.05, a-da), b-db
		loss = surprise(points, a, b)
		if math.Abs(da)+math.Abs(db) < 1e-6 {
			break
		}
	}
	return a, b
}

// surprise is the logistic loss of a line.
func surprise(points []point, a, b float64) float64 {
	sum := 0.0
	for i := range points {
		z := a*points[i].score + b
		if points[i].yes {
			z = -z
		}
		sum += points[i].weight * (max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))))
	}
	return sum
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
