package stats

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// What is out of the ordinary. A category's share of an hour's verdicts is held
// against its share in the same hours of the last four weeks: the hour itself and its
// two neighbours, on the same weekday. Of those weeks the one with the highest share
// is left out, so that an attack last week does not make today's look usual. Where
// there is too little of that, as in an app's first weeks, the same hours of the last
// seven days stand in; where that is too little too, nothing is said.
//
// It is an anomaly where all of this holds:
//   - at least minFound verdicts of the hour have the category,
//   - its share is at least ratioFrom times the usual one, and
//   - chance does not explain it: see chance; both counts are first divided by how
//     much more the usual hours scatter than chance alone has them scatter (the
//     quasi-Poisson dispersion), since people do not misbehave independently.
const (
	weeksBack = 4
	daysBack  = 7
	minFound  = 10
	ratioFrom = 3.0
	// chanceUpTo bounds false alarms: eight categories looked at each five minutes of
	// a month are 70,000 looks.
	chanceUpTo = 1e-5
	// minUsual is how many verdicts the usual hours must have.
	minUsual = 500
	// gapOf is how long an anomaly may pause and still be the same one.
	gapOf = 6 * time.Hour
	// lookEvery is how often the hour that runs is looked at; when it has ended it is
	// looked at once more, after endAfter, when all gateways have written.
	lookEvery = 5 * time.Minute
	endAfter  = time.Minute
)

// sample is what was counted in some hours.
type sample struct{ found, verdicts float64 }

// judge says whether found of an hour is out of the ordinary; usual are the samples
// of earlier hours, in groups of which one may be left out.
func judge(hour sample, usual [][]sample) (a store.Anomaly, odd bool) {
	groups := slices.DeleteFunc(slices.Clone(usual), func(g []sample) bool { return pool(g).verdicts == 0 })
	if len(groups) >= 3 {
		worst := slices.MaxFunc(groups, func(x, y []sample) int {
			a, b := pool(x), pool(y)
			return int(sign(a.found*b.verdicts - b.found*a.verdicts))
		})
		left := false
		groups = slices.DeleteFunc(groups, func(g []sample) bool {
			if !left && &g[0] == &worst[0] {
				left = true
				return true
			}
			return false
		})
	}
	cells := slices.Concat(groups...)
	base := pool(cells)
	if hour.verdicts == 0 || base.verdicts < minUsual {
		return a, false
	}
	share := hour.found / hour.verdicts
	// Half a finding stands for what was never seen: its share is not nothing.
	rate := (base.found + .5) / (base.verdicts + .5)
	scatter := dispersion(cells, base)
	a = store.Anomaly{
		Found: int64(hour.found), Verdicts: int64(hour.verdicts), Share: share, Usual: rate, Ratio: share / rate,
		P: chance(hour.found/scatter, hour.verdicts, base.found/scatter, base.verdicts),
	}
	return a, hour.found >= minFound && a.Ratio >= ratioFrom && a.P <= chanceUpTo
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func pool(cells []sample) (sum sample) {
	for _, c := range cells {
		sum.found += c.found
		sum.verdicts += c.verdicts
	}
	return sum
}

// dispersion is Pearson's: how much more the samples scatter than Poisson counts of
// one rate; at least 1.
func dispersion(cells []sample, base sample) float64 {
	if base.found == 0 {
		return 1
	}
	var sum float64
	n := 0
	for _, c := range cells {
		if expected := c.verdicts * base.found / base.verdicts; expected > 0 {
			sum += (c.found - expected) * (c.found - expected) / expected
			n++
		}
	}
	if n < 2 {
		return 1
	}
	return max(1, sum/float64(n-1))
}

// look looks at an hour of an app and returns what is out of the ordinary in it.
func (s *Service) look(ctx context.Context, app engines.AppID, hour int64) ([]store.Anomaly, error) {
	now, err := s.hours(ctx, app, hour, hour+hourMS)
	if err != nil || len(now.found) == 0 {
		return nil, err
	}
	usual, err := s.usual(ctx, app, hour, 7*24*hourMS, weeksBack)
	if err != nil {
		return nil, err
	}
	if verdictsOf(usual) < minUsual {
		if usual, err = s.usual(ctx, app, hour, 24*hourMS, daysBack); err != nil {
			return nil, err
		}
	}
	var list []store.Anomaly
	for _, category := range slices.Sorted(maps.Keys(now.found)) {
		groups := make([][]sample, len(usual))
		for i, u := range usual {
			groups[i] = u.samples(category)
		}
		a, odd := judge(pool(now.samples(category)), groups)
		if !odd {
			continue
		}
		a.App, a.Category, a.Began, a.Last, a.Seen = app, category, hour, hour, s.deps.Now().UTC().Truncate(time.Millisecond)
		list = append(list, a)
	}
	return list, nil
}

const hourMS = int64(time.Hour / time.Millisecond)

// usual reads the same hours of earlier weeks or days.
func (s *Service) usual(ctx context.Context, app engines.AppID, hour, back int64, times int) ([]hours, error) {
	list := make([]hours, times)
	for i := range list {
		at := hour - int64(i+1)*back
		var err error
		if list[i], err = s.hours(ctx, app, at-hourMS, at+2*hourMS); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// hours is what was counted hour by hour.
type hours struct {
	verdicts map[int64]float64
	found    map[string]map[int64]float64
}

func (h *hours) samples(category string) []sample {
	list := make([]sample, 0, len(h.verdicts))
	for _, at := range slices.Sorted(maps.Keys(h.verdicts)) {
		list = append(list, sample{h.found[category][at], h.verdicts[at]})
	}
	return list
}

func verdictsOf(list []hours) (n float64) {
	for _, h := range list {
		for _, v := range h.verdicts {
			n += v
		}
	}
	return n
}

func (s *Service) hours(ctx context.Context, app engines.AppID, from, to int64) (hours, error) {
	h := hours{map[int64]float64{}, map[string]map[int64]float64{}}
	q := store.StatQuery{Cube: store.StatScenes, App: app, From: from, To: to, Step: store.StatHour, Measures: []string{"n"}} // the cube with the fewest rows
	all, err := s.deps.Store.Stats(ctx, q)
	if err != nil {
		return h, err
	}
	for _, sum := range all {
		h.verdicts[sum.At] = float64(sum.Counts[0])
	}
	q.Cube, q.By, q.Measures = store.StatLabels, []string{"category"}, []string{"verdicts"}
	found, err := s.deps.Store.Stats(ctx, q)
	if err != nil {
		return h, err
	}
	for _, sum := range found {
		of := h.found[sum.Dims[0]]
		if of == nil {
			of = map[int64]float64{}
			h.found[sum.Dims[0]] = of
		}
		of[sum.At] = float64(sum.Counts[0])
	}
	return h, nil
}
