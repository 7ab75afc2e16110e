package stats

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// The tail against sums that are exact enough by hand.
func TestBinomialTail(t *testing.T) {
	for _, c := range []struct{ k, n, p, want float64 }{
		{1, 1, .25, .25},
		{2, 3, .5, .5},
		{1, 3, .5, .875},
		{0, 5, .1, 1},
		{6, 5, .1, 0},
		{10, 10, .5, 1. / 1024},
		{3, 10, 0, 0},
		{5, 10, .5, .623046875},
		{1, 1000, .001, 1 - math.Pow(.999, 1000)},
	} {
		if got := binomialTail(c.k, c.n, c.p); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("binomialTail(%v, %v, %v) = %v, want %v", c.k, c.n, c.p, got, c.want)
		}
	}
	for range 1000 { // a head and a tail make one, whichever side is summed up
		n := float64(rand.IntN(100_000) + 1)
		k, p := float64(rand.IntN(int(n)+1)), rand.Float64()
		if sum := binomialTail(k, n, p) + binomialHead(min(k-1, n), n, p); k-1 < n*p && math.Abs(sum-1) > 1e-6 {
			t.Errorf("k %v n %v p %v: %v", k, n, p, sum)
		}
	}
}

func weeks(cells ...sample) [][]sample {
	list := make([][]sample, weeksBack)
	for i := range list {
		list[i] = cells
	}
	return list
}

func TestJudge(t *testing.T) {
	steady := weeks(sample{10, 1000}, sample{9, 1000}, sample{11, 1000})
	attacked := weeks(sample{10, 1000}, sample{9, 1000}, sample{11, 1000})
	attacked[1] = []sample{{300, 1000}, {200, 1000}, {250, 1000}}
	bursty := weeks(sample{0, 1000}, sample{0, 1000}, sample{30, 1000})
	for name, c := range map[string]struct {
		hour  sample
		usual [][]sample
		want  bool
	}{
		"as usual":                  {sample{10, 1000}, steady, false},
		"twice":                     {sample{20, 1000}, steady, false},
		"four times":                {sample{40, 1000}, steady, true},
		"four times in a busy hour": {sample{4000, 100_000}, steady, true},
		"as usual in a busy hour":   {sample{1000, 100_000}, steady, false},
		"few of few":                {sample{3, 20}, steady, false},
		"nine, however rare":        {sample{9, 100}, weeks(sample{0, 10_000}), false},
		"never seen before":         {sample{30, 1000}, weeks(sample{0, 1000}), true},
		"too little is known":       {sample{50, 100}, weeks(sample{0, 100}), false},
		"nothing is known":          {sample{50, 100}, nil, false},
		"no verdicts":               {sample{}, steady, false},
		"an attack, though last week had one too":  {sample{60, 1000}, attacked, true},
		"a burst where bursts are usual":           {sample{31, 1000}, bursty, false},
		"four times more than usual bursts":        {sample{400, 1000}, bursty, true},
		"one week alone is known, and it is usual": {sample{10, 1000}, [][]sample{{{10, 1000}}}, false},
	} {
		if a, got := judge(c.hour, c.usual); got != c.want {
			t.Errorf("%s: %v, want %v: %+v", name, got, c.want, a)
		}
	}
}

// poisson draws by waiting times, for small rates.
func poisson(r *rand.Rand, rate float64) (n float64) {
	for left := rate - r.ExpFloat64(); left > 0; left -= r.ExpFloat64() {
		n++
	}
	return n
}

// Where nothing changes next to nothing is out of the ordinary, in quiet games and
// busy ones, and what really is four times as frequent is found soon.
func TestFalseAlarmsAreRare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, volume := range []float64{60, 600, 6000} {
		for _, share := range []float64{.0005, .005, .03} {
			alarms, hits := 0, 0
			const looks = 4000
			for range looks {
				usual := weeks()
				for i := range usual {
					for range 3 {
						usual[i] = append(usual[i], sample{poisson(r, volume*share), volume})
					}
				}
				if _, odd := judge(sample{poisson(r, volume*share), volume}, usual); odd {
					alarms++
				}
				if _, odd := judge(sample{poisson(r, 5*volume*share), volume}, usual); odd {
					hits++
				}
			}
			if alarms > 1 {
				t.Errorf("%v verdicts an hour, share %v: %d false alarms in %d", volume, share, alarms, looks)
			}
			if expected := volume * share; expected >= 15 && hits < looks*9/10 {
				t.Errorf("%v verdicts an hour, share %v: %d of %d found at five times the share", volume, share, hits, looks)
			}
		}
	}
}

// Each hour is looked at while it runs, and once more when it is complete.
func TestHoursAreLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watch{looked: map[int64]int64{}}
		start := time.Now().Truncate(time.Hour)
		time.Sleep(time.Until(start.Add(time.Hour)))
		looks, last := map[int64]int{}, map[int64]time.Time{}
		for range 6 * 60 * 6 { // six hours
			now := time.Now()
			for _, hour := range w.due(now) {
				looks[hour]++
				last[hour] = now
				w.looked[hour] = now.UnixMilli()
			}
			time.Sleep(leadEvery)
		}
		for h := range 5 {
			hour := start.Add(time.Duration(h+1) * time.Hour).UnixMilli()
			if n := looks[hour]; n < 12 || n > 14 {
				t.Errorf("hour %d: %d looks", h, n)
			}
			if end := time.UnixMilli(hour).Add(time.Hour + endAfter); last[hour].Before(end) {
				t.Errorf("hour %d was last looked at %v before it was complete", h, end.Sub(last[hour]))
			}
		}
	})
}
