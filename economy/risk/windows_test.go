package risk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// many are entries of one player from many sources over ninety days.
func many(r *rand.Rand, n int) []economy.Entry {
	entries := make([]economy.Entry, n)
	for i := range entries {
		e := economy.Entry{
			Log: economy.Currency, ID: strconv.Itoa(i), Player: "a", At: testStart + int64(r.Float64()*r.Float64()*90*float64(day)), What: []string{"gold", "gem"}[r.IntN(2)],
			Action: []economy.Action{economy.Earn, economy.Grant, economy.Spend}[r.IntN(3)], Amount: 1 + r.Int64N(1000), After: 1 << 40, Source: "s" + strconv.Itoa(r.IntN(12)),
		}
		if r.IntN(3) == 0 {
			e.Log, e.What, e.Action = economy.Item, "ore"+strconv.Itoa(r.IntN(3)), []economy.Action{economy.Acquire, economy.Consume}[r.IntN(2)]
		}
		entries[i] = e
	}
	return entries
}

// What is kept of whom, and the counts in it, are the same in any order.
func TestWindowsInAnyOrder(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		entries := many(r, 20+r.IntN(2000))
		a := replay(entries)
		r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		x, _ := a.Features("a", a.Newest())
		y, _ := replay(entries).Features("a", a.Newest())
		for i := range x.Flows {
			for span := range economy.Spans {
				same(t, &x.Flows[i].In[span], &y.Flows[i].In[span])
				same(t, &x.Flows[i].Out[span], &y.Flows[i].Out[span])
			}
		}
		if !reflect.DeepEqual(x.Flows, y.Flows) {
			t.Errorf("seed %d: %v in order, %v shuffled", seed, x.Flows, y.Flows)
		}
	}
}

// same makes two sums one where they differ by rounding alone.
func same(t *testing.T, x, y *float64) {
	t.Helper()
	if math.Abs(*x-*y) > 1e-4*math.Abs(*x) {
		t.Errorf("%v and %v", *x, *y)
	}
	*y = *x
}

// The windows lie between what the span alone holds and what two of them hold, and
// all that a currency's flows hold is all there was.
func TestWindowsHoldWhatCame(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	entries := many(r, 3000)
	b := replay(entries)
	f, _ := b.Features("a", b.Newest())
	kept := map[string]int{}
	for _, x := range f.Flows {
		if x.Source != economy.OtherSources {
			kept["own"]++
		}
	}
	if kept["own"] == 0 || kept["own"] > maxFlows {
		t.Errorf("%d flows of their own", kept["own"])
	}
	for _, what := range []string{"gold", "gem", ""} {
		for span := range economy.Spans {
			l := int64(spanHours[span]) * hour
			var in, got, twice float64
			for _, e := range entries {
				if e.Action.Sign(e.Log) > 0 && (e.Log == economy.Item) == (what == "") && (what == "" || e.What == what) {
					if e.At > b.Newest()-2*l {
						twice += float64(e.Amount)
					}
					if floorDiv(e.At, l) == floorDiv(b.Newest(), l) {
						in += float64(e.Amount)
					}
				}
			}
			for _, x := range f.Flows {
				if x.What == what {
					got += x.In[span]
				}
			}
			if got < in*.999 || got > twice*1.001 {
				t.Errorf("%q within span %d: %v, want %v to %v", what, span, got, in, twice)
			}
		}
	}
}

func TestWindowSlides(t *testing.T) {
	var f flow
	f.turn(hourOf(testStart))
	f.add(hourOf(testStart), 240)
	for after, want := range map[int64]float64{0: 240, 23 * hour: 240, 24 * hour: 240, 36 * hour: 120, 42 * hour: 60, 48 * hour: 0, 400 * day: 0} {
		if got, _ := f.window(economy.Day, testStart+after); got != want {
			t.Errorf("%d h later: %v, want %v", after/hour, got, want)
		}
	}
}

func TestFeatures(t *testing.T) {
	b := town(
		economy.Entry{Log: economy.Currency, ID: "g", At: testStart + 10*day - hour, Player: "p1", What: "gold", Action: economy.Grant, Amount: 500, After: 1490, Source: "promo:X"},
		economy.Entry{Log: economy.Currency, ID: "o", At: testStart + 10*day - minute, Player: "p1", Counterparty: "p2", What: "gold", Action: economy.TransferOut, Amount: 990, After: 10, Source: "mail"},
	)
	f, ok := b.Features("p1", b.Newest())
	if !ok || f.Partners != 2 || f.Takers != 1 || f.Givers != 0 || f.ActiveDays < 9 || f.Trades[economy.Hour] != 1 || f.Trades[economy.Month] != 2 {
		t.Errorf("%+v, %v", f, ok)
	}
	if math.Abs(f.AccountAge-310) > .1 || f.FreeGave < 5 || f.Gave < f.FreeGave {
		t.Errorf("age %v, gave %v free, %v in all", f.AccountAge, f.FreeGave, f.Gave)
	}
	for source, want := range map[string][2]float64{"promo:X": {500, 0}, "mail": {0, 990}} {
		k := slices.IndexFunc(f.Flows, func(x economy.Flow) bool { return x.What == "gold" && x.Source == source })
		if k < 0 || f.Flows[k].In[economy.Day] != want[0] || f.Flows[k].Out[economy.Day] != want[1] {
			t.Errorf("%s: %+v", source, f.Flows)
		}
	}
	if r, _ := b.Risk("p1", b.Newest()); r.Score != f.Score || !reflect.DeepEqual(r.Factors, f.Factors) {
		t.Errorf("%v, %v: not the risk's", f, r)
	}
	if f, ok := b.Features("nobody", b.Newest()); ok || f.AccountAge != -1 {
		t.Errorf("of nobody: %+v, %v", f, ok)
	}
}

// Everybody quests; who quests twenty times as fast for an hour, a day or a week is
// told from the others, also where they all earn ten times the usual.
func TestEarnVelocityBySource(t *testing.T) {
	for span, l := range []int64{hour, day, 7 * day, 20 * day} {
		for _, event := range []int64{1, 10} {
			var entries []economy.Entry
			from := testStart + 20*day - l
			for p := range 200 {
				id, gold := engines.PlayerID(fmt.Sprintf("p%d", p)), int64(0)
				earn := func(at, amount int64, source string) {
					gold += amount
					entries = append(entries, economy.Entry{
						Log: economy.Currency, ID: strconv.Itoa(len(entries)), At: at, Player: id, What: "gold", Action: economy.Earn, Amount: amount, After: gold, Source: source,
					})
				}
				for i := range int64(100) {
					at := testStart + i*20*day/100 + int64(p)*minute
					amount := int64(8 + p%5)
					if at > from {
						amount *= event
						if p == 7 {
							amount *= 40
						}
					}
					earn(at, amount, "quest")
					earn(at+second, 30*int64(p%2), "battle") // half of them earn more elsewhere
				}
				for i := range int64(3) { // all play at the end
					amount := 10 * event
					if p == 7 {
						amount *= 40
					}
					earn(testStart+20*day-i*minute-1, amount, "quest")
				}
			}
			b := New(Config{Fresh: -1})
			b.Apply(entries)
			if codes, _ := factorsOf(b, "p7"); !slices.Contains(codes, "earn_velocity") && span < 3 {
				t.Errorf("span %d, event %d: %v, want earn_velocity", span, event, codes)
			}
			for p := range 200 {
				if codes, _ := factorsOf(b, engines.PlayerID(fmt.Sprintf("p%d", p))); p != 7 && slices.Contains(codes, "earn_velocity") {
					t.Errorf("span %d, event %d: p%d has %v", span, event, p, codes)
				}
			}
		}
	}
}

// Who plays by the game's automaton must not be measured by those who play.
func TestCommonSourcesAreApart(t *testing.T) {
	cells := map[int32]string{}
	for _, w := range []string{"quest", "daily_quest", "monster_drop", "dungeon", "arena", "raid", "auto_battle", "idle", "afk", "offline", "gather", "event_reward"} {
		c := sourceOf(wordOf(w))
		if other, ok := cells[c]; ok {
			t.Errorf("%s and %s share a cell", w, other)
		}
		cells[c] = w
	}
}
