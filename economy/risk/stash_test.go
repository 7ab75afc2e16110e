package risk

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// What is kept of players and items is bounded: a player that comes when it is full is
// seen all the same, and those that were not seen for long are forgotten.
func TestStashesAreForgotten(t *testing.T) {
	const kept, players = 200, 1000
	market := &log{at: testStart + players*10*minute - hour}
	for i := range 30 {
		market.sale(strconv.Itoa(i), engines.PlayerID(fmt.Sprintf("s%d", i)), "buyer", "crown", "", 1, 100)
	}
	list := market.list
	for p := range players {
		id := engines.PlayerID(fmt.Sprintf("p%04d", p))
		at := testStart + int64(p)*10*minute
		after := int64(0)
		for i := range int64(12) {
			after++
			if p%100 == 99 && i == 6 {
				after += 500 // from nowhere
			}
			list = append(list, economy.Entry{
				Log: economy.Item, ID: strconv.FormatInt(i, 10), At: at + i*second, Player: id, Action: economy.Acquire, What: "crown", Amount: 1, After: after,
			})
		}
	}
	count := func(list []economy.Entry) *Book {
		b := New(Config{Fresh: -1, Stashes: kept})
		b.Apply(list)
		return b
	}
	b := count(list)
	if b.stashN > kept {
		t.Errorf("%d stashes are kept, want %d at most", b.stashN, kept)
	}
	// Late by up to three hours, 18 players' time.
	late := slices.Clone(list)
	r := rand.New(rand.NewPCG(1, 1))
	when := map[int]int64{}
	for i := range late {
		when[i] = late[i].At + r.Int64N(3*hour)
	}
	order := make([]int, len(late))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(when[i], when[j]) })
	for i, k := range order {
		late[i] = list[k]
	}
	other := count(late)
	for _, p := range []int{899, 999} {
		id := engines.PlayerID(fmt.Sprintf("p%04d", p))
		x, _ := b.Risk(id, b.Newest())
		y, _ := other.Risk(id, b.Newest())
		if x.Score < 30 || x.Score != y.Score {
			t.Errorf("%s: %d in order, %d late: %v, %v", id, x.Score, y.Score, x.Factors, y.Factors)
		}
	}
	for _, p := range []int{900, 950, 998} {
		id := engines.PlayerID(fmt.Sprintf("p%04d", p))
		for _, b := range []*Book{b, other} {
			if x, _ := b.Risk(id, b.Newest()); x.Score != 0 {
				t.Errorf("an honest %s has %d for %v", id, x.Score, x.Factors)
			}
		}
	}
}

// Of orders, too, the newest are kept.
func TestClaimsAreForgotten(t *testing.T) {
	const kept = 5000
	l := &log{}
	for i := range 2*kept + kept/2 + 50 {
		l.coin("h", economy.Purchase, 5, int64(5*i+5), fmt.Sprintf("o%d", i))
	}
	l.coin("v", economy.Purchase, 5, 5, "x")
	l.coin("v", economy.Purchase, 5, 10, "x")
	b := New(Config{Fresh: -1, Claims: kept})
	b.Apply(l.list)
	if b.claims.n > kept || len(b.claimIndex) != b.claims.n {
		t.Errorf("%d orders are kept, want %d at most", b.claims.n, kept)
	}
	again, err := Load(Config{Fresh: -1, Claims: kept}, bytes.NewReader(saved(t, b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Book{b, again} {
		if r, _ := b.Risk("v", b.Newest()); r.Score < 55 {
			t.Errorf("credited twice when it was full: %d for %v", r.Score, r.Factors)
		}
	}
}
