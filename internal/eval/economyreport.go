package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// EconomyReport has the figures of one replayed stream.
type EconomyReport struct {
	Data    string  `json:"data"`
	Entries int     `json:"entries"`
	Rate    float64 `json:"entries_per_second"`
	RiskUS  float64 `json:"risk_mean_us"` // snapshots included
	Bad     int     `json:"bad"`
	Legit   int     `json:"legit"`
	Grey    int     `json:"grey"`

	AUC         float64               `json:"auc"`
	RecallTenth float64               `json:"recall_01pct"`
	RecallOne   float64               `json:"recall_1pct"`
	Threshold   float64               `json:"threshold_1pct"`
	Macro       float64               `json:"macro_recall_1pct"`
	WorstKind   float64               `json:"worst_kind_fpr_1pct"`
	Worst       string                `json:"worst_kind"`
	Ever        float64               `json:"legit_ever_over_1pct"`
	MedianHours float64               `json:"median_hours"`
	P90Hours    float64               `json:"p90_hours"`
	Never       float64               `json:"never_found"`
	Rings       float64               `json:"rings_half_found"`
	Kinds       map[string]*kindCount `json:"by_kind"`
	LegitKinds  map[string]*kindCount `json:"false_positives_by_kind"`
	Trades      TradeReport           `json:"trades"`

	missed, flagged []missedPlayer
}

// kindCount is how many of a kind there are and are over the threshold.
type kindCount struct {
	N      int     `json:"n"`
	Over   int     `json:"over"`
	Tenth  int     `json:"over_01pct"`
	Hours  float64 `json:"median_hours"`
	delays []float64
}

// TradeReport has the figures of evaluated trades.
type TradeReport struct {
	Bad       int     `json:"bad"`
	Legit     int     `json:"legit"`
	AUC       float64 `json:"auc"`
	RecallOne float64 `json:"recall_1pct"`
	Caught    float64 `json:"bad_review_or_block"`
	Blocked   float64 `json:"bad_block"`
	Stopped   float64 `json:"legit_review_or_block"`
	Alike     float64 `json:"lookalike_review_or_block"`
	LegitBlk  float64 `json:"legit_block"`

	ByArch map[string]*kindCount `json:"by_arch"`
}

type missedPlayer struct {
	actor   actor
	score   int
	factors string
}

// over is the smallest threshold at which at most a share of the scores is over it;
// ties count against the model.
func over(scores []float64, share float64) float64 {
	s := slices.Clone(scores)
	slices.SortFunc(s, func(a, b float64) int { return cmp.Compare(b, a) })
	k := int(share * float64(len(s)))
	if k >= len(s) {
		return -1
	}
	return s[k] + 1e-9
}

// area is the chance that a bad one scores more than another one; 0 where one side is empty.
func area(bad, others []float64) float64 {
	if len(bad) == 0 || len(others) == 0 {
		return 0
	}
	s := slices.Clone(others)
	slices.Sort(s)
	sum := 0.0
	for _, v := range bad {
		lo, _ := slices.BinarySearch(s, v)
		hi, _ := slices.BinarySearch(s, v+1e-9)
		sum += float64(lo) + float64(hi-lo)/2
	}
	return sum / float64(len(bad)) / float64(len(others))
}

func part(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func (r *economyRun) report() *EconomyReport {
	e := &EconomyReport{
		Entries: r.entries, Rate: float64(r.entries) / r.took.Seconds(), RiskUS: float64(r.asked.Microseconds()) / float64(max(1, r.asks)),
		Kinds: map[string]*kindCount{}, LegitKinds: map[string]*kindCount{},
	}
	var bad, legit []float64
	for i := range r.labels {
		a := &r.labels[i]
		v := float64(r.final[a.ID].Score)
		switch a.Label {
		case 1:
			bad = append(bad, v)
		case 0:
			legit = append(legit, v)
		case 2:
			e.Grey++
		}
	}
	e.Bad, e.Legit = len(bad), len(legit)
	e.AUC = area(bad, legit)
	e.Threshold = over(legit, .01)
	tenth := over(legit, .001)
	count := func(t float64) (n int) {
		for _, v := range bad {
			if v >= t {
				n++
			}
		}
		return n
	}
	e.RecallTenth, e.RecallOne = part(count(tenth), len(bad)), part(count(e.Threshold), len(bad))
	r.byKind(e, tenth)
	r.delays(e)
	e.Trades = r.trades()
	return e
}

func bump(m map[string]*kindCount, key string) *kindCount {
	k := m[key]
	if k == nil {
		k = &kindCount{}
		m[key] = k
	}
	k.N++
	return k
}

// score counts one of the kind.
func (k *kindCount) score(over, tenth bool) {
	if over {
		k.Over++
	}
	if tenth {
		k.Tenth++
	}
}

// overKinds is the mean over the bad kinds and the worst legitimate one.
func (e *EconomyReport) overKinds() {
	sum, n := 0.0, 0
	for key, k := range e.Kinds {
		if !strings.Contains(key, "/") {
			sum += part(k.Over, k.N)
			n++
		}
	}
	e.Macro = sum / float64(max(1, n))
	for key, k := range e.LegitKinds {
		if v := part(k.Over, k.N); k.N >= 10 && (v > e.WorstKind || v == e.WorstKind && key < e.Worst) {
			e.WorstKind, e.Worst = v, key
		}
	}
}

// byKind counts what was found of each kind, and the rings of which half was.
func (r *economyRun) byKind(e *EconomyReport, tenth float64) {
	rings := map[string][2]int{}
	for i := range r.labels {
		a := &r.labels[i]
		v := r.final[a.ID]
		found := float64(v.Score) >= e.Threshold
		switch a.Label {
		case 1:
			bump(e.Kinds, a.Arch).score(found, float64(v.Score) >= tenth)
			bump(e.Kinds, a.Arch+"/"+a.Role).score(found, float64(v.Score) >= tenth)
			n := rings[a.Ring]
			n[1]++
			if found {
				n[0]++
			} else {
				e.missed = append(e.missed, missedPlayer{*a, v.Score, factorText(v)})
			}
			rings[a.Ring] = n
		case 0:
			bump(e.LegitKinds, a.Kind).score(found, false)
			if found {
				e.flagged = append(e.flagged, missedPlayer{*a, v.Score, factorText(v)})
			}
		}
	}
	e.overKinds()
	half := 0
	for _, v := range rings {
		if 2*v[0] >= v[1] {
			half++
		}
	}
	e.Rings = part(half, len(rings))
}

// delays is how long bad players went on before the threshold was passed.
func (r *economyRun) delays(e *EconomyReport) {
	var all []float64
	never, ever := 0, 0
	for i := range r.labels {
		a := &r.labels[i]
		if a.Label != 1 {
			continue
		}
		at := int64(0)
		for _, c := range r.seen[a.ID] {
			if float64(c.score) >= e.Threshold {
				at = c.at
				break
			}
		}
		if at == 0 && float64(r.final[a.ID].Score) >= e.Threshold {
			at = r.meta.End
		}
		if at == 0 {
			never++
			continue
		}
		h := float64(at-a.First) / 3_600_000
		all = append(all, h)
		k := e.Kinds[a.Arch]
		k.delays = append(k.delays, h)
	}
	for _, id := range r.sample {
		if slices.ContainsFunc(r.seen[id], func(c checkpoint) bool { return float64(c.score) >= e.Threshold }) {
			ever++
		}
	}
	e.Never, e.Ever = part(never, e.Bad), part(ever, len(r.sample))
	e.MedianHours, e.P90Hours = middle(all, .5), middle(all, .9)
	for _, k := range e.Kinds {
		k.Hours = middle(k.delays, .5)
	}
}

// middle is a quantile of v; 0 of nothing.
func middle(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	if q == .5 && len(v)%2 == 0 {
		return (v[len(v)/2-1] + v[len(v)/2]) / 2
	}
	return v[min(len(v)-1, int(q*float64(len(v))))]
}

func (r *economyRun) trades() TradeReport {
	t := TradeReport{ByArch: map[string]*kindCount{}}
	var bad, legit []float64
	var caught, blocked, stopped, wrong, alike, alikes int
	for i := range r.probes {
		p := &r.probes[i]
		held := p.suggestion != engines.Pass
		k := bump(t.ByArch, p.arch)
		if held {
			k.Over++
		}
		count := func(held bool, n *int) {
			if held {
				*n++
			}
		}
		if p.label == 1 {
			bad = append(bad, float64(p.score))
			count(held, &caught)
			count(p.suggestion == engines.Block, &blocked)
			continue
		}
		legit = append(legit, float64(p.score))
		count(held, &stopped)
		count(p.suggestion == engines.Block, &wrong)
		if strings.HasPrefix(p.arch, "lookalike") {
			alikes++
			count(held, &alike)
		}
	}
	t.Bad, t.Legit, t.AUC = len(bad), len(legit), area(bad, legit)
	limit := over(legit, .01)
	found := 0
	for _, v := range bad {
		if v >= limit {
			found++
		}
	}
	t.RecallOne, t.Caught, t.Blocked = part(found, len(bad)), part(caught, len(bad)), part(blocked, len(bad))
	t.Stopped, t.LegitBlk, t.Alike = part(stopped, len(legit)), part(wrong, len(legit)), part(alike, alikes)
	return t
}
