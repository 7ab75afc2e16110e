package rules

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// begin asks for a back-test of a stored rule.
func begin(t *testing.T, k *Keeper, id string, from, to int64) (economy.Backtest, error) {
	t.Helper()
	return k.Backtest(t.Context(), economy.Backtest{App: "game", ID: id, Rule: "r", From: from, To: to}, nil)
}

func earned(player engines.PlayerID, id string, at int64) economy.Entry {
	return economy.Entry{Log: economy.Currency, ID: id, Player: player, At: at, What: "gold", Action: economy.Earn, Amount: 1}
}

func traded(sender, receiver engines.PlayerID, id string, at, amount int64) economy.Entry {
	return economy.Entry{
		Log: economy.Trade, ID: "L" + id, TradeID: "T" + id, Player: sender, Counterparty: receiver, At: at,
		Deal: &economy.Deal{Money: economy.Money{Type: "gold", Amount: amount}},
	}
}

// A player is asked about once a day on which it did something, with all that was
// counted by then; what was before the range counts and is not judged.
func TestBacktestOfPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.store(t, named(onPlayer("player.partners >= 3"), "r", economy.Draft))
		const day = dayMillis
		store.entries = []economy.Entry{
			earned("a", "1", 9*day), earned("a", "2", 9*day+5), // before
			earned("b", "1", 10*day+10), earned("a", "3", 10*day+20), earned("a", "4", 10*day+30), earned("a", "5", 10*day+40),
			earned("b", "2", 11*day), earned("b", "3", 11*day+1), traded("c", "b", "1", 11*day+2, 5),
			earned("a", "6", 12*day), // past the range
		}
		k := keeper(t, store, nobodyElse)
		defer serves(t, k)()
		b, err := begin(t, k, "b1", 10*day, 12*day)
		if err != nil || b.State != economy.BacktestQueued || b.Version != 1 {
			t.Fatalf("%+v, %v", b, err)
		}
		rests(time.Minute)
		got, err := k.ResultOf(t.Context(), "game", "r", "b1")
		if err != nil {
			t.Fatal(err)
		}
		want := economy.BacktestResult{
			// a on day 10 with 5 entries, b with 1; on day 11 b with 3, c with 1.
			Population: 3, HitThings: 2, RuleTally: economy.RuleTally{Evaluations: 4, Hits: 2, Raised: 2},
			Model: map[string]int64{"normal": 2, "attention": 2}, Both: map[string]int64{"attention": 2},
			Days:   []economy.BacktestDay{{Day: 10, Evaluations: 2, Hits: 1}, {Day: 11, Evaluations: 2, Hits: 1}},
			Sample: []economy.BacktestHit{{At: 12*day - 1, Player: "b", Score: 30}, {At: 11*day - 1, Player: "a", Score: 50}},
		}
		if diff := cmp.Diff(want, got.BacktestResult); got.State != economy.BacktestDone || diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", got.State, got.Why, diff)
		}
		if got.Reached != 12*day || slices.Min(store.asked) != 10-warmUp || slices.Max(store.asked) != 11 {
			t.Errorf("reached %d, days %v", got.Reached, store.asked)
		}
	})
}

// A trade is judged with what was counted before it.
func TestBacktestOfTrades(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.store(t, named(blocking(onTrade("sender.partners == 2 and receiver.partners == 0 and trade.money > 1")), "r", economy.Draft))
		const day = dayMillis
		store.entries = []economy.Entry{
			earned("a", "1", 10*day), traded("a", "x", "1", 10*day+1, 5), // then it has 1
			traded("a", "x", "2", 10*day+2, 600), // 2: a hit, the model asks for a review
			traded("a", "x", "3", 10*day+3, 5),   // 3
			earned("b", "1", 9*day), earned("b", "2", 11*day), traded("b", "x", "4", 11*day+1, 5), traded("b", "x", "5", 11*day+1, 5),
			traded("b", "x", "6", 12*day, 5), // past the range
		}
		k := keeper(t, store, nobodyElse)
		defer serves(t, k)()
		if _, err := begin(t, k, "b1", 10*day, 12*day); err != nil {
			t.Fatal(err)
		}
		rests(time.Minute)
		got, err := k.ResultOf(t.Context(), "game", "r", "b1")
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(got.Sample, func(a, b economy.BacktestHit) int { return int(a.At - b.At) })
		want := economy.BacktestResult{
			Population: 5, HitThings: 2, RuleTally: economy.RuleTally{Evaluations: 5, Hits: 2, PassBlock: 1, ReviewBlock: 1},
			Model: map[string]int64{"pass": 4, "review": 1}, Both: map[string]int64{"pass": 1, "review": 1},
			Days: []economy.BacktestDay{{Day: 10, Evaluations: 3, Hits: 1}, {Day: 11, Evaluations: 2, Hits: 1}},
			Sample: []economy.BacktestHit{
				{At: 10*day + 2, Player: "a", Receiver: "x", TradeID: "T2", LogID: "L2", Score: 60}, {At: 11*day + 1, Player: "b", Receiver: "x", TradeID: "T4", LogID: "L4", Score: 10},
			},
		}
		if diff := cmp.Diff(want, got.BacktestResult); diff != "" {
			t.Errorf("%s (-want +got):\n%s", got.State, diff)
		}
	})
}

// A rule that comes with the request is what is tried, and may then go live in the
// place of what is.
func TestBacktestOfACandidate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.store(t, named(onPlayer("true"), "r", economy.Live))
		store.entries = []economy.Entry{earned("a", "1", 39*dayMillis)}
		k := keeper(t, store, nobodyElse)
		defer serves(t, k)()
		next := named(onPlayer("player.partners == 7"), "r", economy.Live)
		if _, err := k.Put(t.Context(), next, 1); !errors.Is(err, economy.ErrUntried) {
			t.Fatalf("Put: %v, want %v", err, economy.ErrUntried)
		}
		b, err := k.Backtest(t.Context(), economy.Backtest{App: "game", ID: "b1", Rule: "r"}, &next)
		if want := 40*dayMillis + 1; err != nil || b.Version != 0 || b.To != int64(want) || b.From != b.To-usualRange {
			t.Fatalf("%+v, %v", b, err)
		}
		rests(time.Minute)
		if got, _ := k.ResultOf(t.Context(), "game", "r", "b1"); got.State != economy.BacktestDone || got.Population != 1 || got.Hits != 0 {
			t.Errorf("%+v", got)
		}
		if _, err := k.Put(t.Context(), next, 1); err != nil {
			t.Errorf("Put after its back-test: %v", err)
		}
	})
}

// One that judged nothing tried nothing.
func TestBacktestOfNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.store(t, named(onPlayer("true"), "r", economy.Draft))
		k := keeper(t, store, nobodyElse)
		defer serves(t, k)()
		if _, err := begin(t, k, "b1", 0, 0); err != nil {
			t.Fatal(err)
		}
		rests(time.Minute)
		if got, _ := k.ResultOf(t.Context(), "game", "r", "b1"); got.State != economy.BacktestFailed || got.Why == "" {
			t.Errorf("%+v", got)
		}
		if _, err := k.Put(t.Context(), named(onPlayer("true"), "r", economy.Live), 1); !errors.Is(err, economy.ErrUntried) {
			t.Errorf("Put: %v, want %v", err, economy.ErrUntried)
		}
	})
}

// The queue is bounded, and what does not end here is told so.
func TestBacktestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.pause = make(chan struct{})
		store.store(t, named(onPlayer("true"), "r", economy.Draft))
		for i := range 20 {
			r := named(onPlayer("true"), "r", economy.Draft)
			r.App = engines.AppID(fmt.Sprint("app", i))
			store.store(t, r)
		}
		k := keeper(t, store, nobodyElse)
		done := serves(t, k)
		for _, id := range []string{"b1", "b2"} {
			if _, err := begin(t, k, id, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := begin(t, k, "b3", 0, 0); !errors.Is(err, economy.ErrBacktests) {
			t.Errorf("a third one of an app: %v, want %v", err, economy.ErrBacktests)
		}
		synctest.Wait()
		taken := 0
		for i := range 20 {
			_, err := k.Backtest(t.Context(), economy.Backtest{App: engines.AppID(fmt.Sprint("app", i)), ID: fmt.Sprint("c", i), Rule: "r"}, nil)
			switch {
			case err == nil:
				taken++
			case !errors.Is(err, economy.ErrBacktests):
				t.Errorf("%v, want %v", err, economy.ErrBacktests)
			}
		}
		if taken != backtestQueue-1 { // b2 waits too
			t.Errorf("%d more were taken, want %d", taken, backtestQueue-1)
		}
		// While it goes on it does not look lost.
		rests(2 * lostAfter)
		if got, _ := k.ResultOf(t.Context(), "game", "r", "b1"); got.State != economy.BacktestRunning {
			t.Errorf("it is %s, want running", got.State)
		}
		done()
		for id, b := range store.tests {
			if b.State != economy.BacktestCancelled {
				t.Errorf("%s is %s at the end, want cancelled", id, b.State)
			}
		}
		// One of a gateway that was killed.
		store.tests["b1"] = economy.Backtest{ID: "b1", State: economy.BacktestRunning, Changed: time.Now().UnixMilli()}
		rests(2 * lostAfter)
		if got, _ := k.ResultOf(t.Context(), "game", "r", "b1"); got.State != economy.BacktestLost {
			t.Errorf("it is %s, want lost", got.State)
		}
	})
}

// A store that is away fails a back-test, and its end is written once it is back.
func TestBacktestWithoutStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.pause = make(chan struct{})
		store.store(t, named(onPlayer("true"), "r", economy.Draft))
		k := keeper(t, store, nobodyElse)
		defer serves(t, k)()
		if _, err := begin(t, k, "b1", 0, 0); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		store.fail(engines.ErrUnavailable)
		close(store.pause) // the day that is read already has no fault, the next has
		rests(time.Minute)
		store.fail(nil)
		rests(beatEvery)
		synctest.Wait()
		if got, err := k.ResultOf(t.Context(), "game", "r", "b1"); err != nil || got.State != economy.BacktestFailed || got.Why == "" {
			t.Errorf("%+v, %v, want failed", got, err)
		}
		if n := k.tests.Len(); n != 0 {
			t.Errorf("%d jobs are kept", n)
		}
	})
}

func TestBacktestRange(t *testing.T) {
	store := newMemory()
	store.store(t, named(onPlayer("true"), "r", economy.Draft))
	k := keeper(t, store, nobodyElse)
	for _, span := range [][2]int64{{5, 5}, {6, 5}, {1, 1 + maxRange + 1}} {
		if _, err := begin(t, k, "b", span[0], span[1]); err == nil {
			t.Errorf("%v was taken", span)
		}
	}
	if _, err := k.Backtest(t.Context(), economy.Backtest{App: "game", ID: "b", Rule: "none"}, nil); !errors.Is(err, economy.ErrNoRule) {
		t.Errorf("of no rule: %v", err)
	}
}

// The sample is even over what is hit, bounded, and the same each time.
func TestSample(t *testing.T) {
	draw := func(order func(i int) int) []sampled {
		var r replayer
		for i := range 10_000 {
			n := order(i)
			r.draw(fmt.Sprint("player", n), economy.BacktestHit{At: int64(n)})
		}
		return r.sample
	}
	one, two := draw(func(i int) int { return i }), draw(func(i int) int { return 9999 - i })
	if len(one) != sampleSize || !slices.Equal(one, two) {
		t.Errorf("%d and %d are drawn, want the same %d", len(one), len(two), sampleSize)
	}
	early := 0
	for _, s := range one {
		if s.hit.At < 5000 {
			early++
		}
	}
	if early < 30 || early > 70 {
		t.Errorf("%d of 100 are of the first half", early)
	}
}
