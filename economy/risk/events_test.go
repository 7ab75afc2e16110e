package risk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// fair is ten days of eighty who quest every hour or so and sell swords; on the last
// of them the game pays ten times as much, or only one of them earns that.
func fair(pays, one int64) []economy.Entry {
	var entries []economy.Entry
	r := rand.New(rand.NewPCG(7, 7))
	for p := range 80 {
		id, gold := "p"+strconv.Itoa(p), int64(0)
		for h := range int64(240) {
			if r.IntN(2) == 0 {
				continue
			}
			amount := 8 + r.Int64N(5)
			if h >= 216 {
				amount *= pays
				if p == 7 {
					amount *= one
				}
			}
			gold += amount
			entries = append(entries, economy.Entry{
				Log: economy.Currency, ID: fmt.Sprint(id, "-", h), At: testStart + h*hour + int64(p)*second, Player: engines.PlayerID(id), What: "gold",
				Action: economy.Earn, Amount: amount, After: gold, Source: "quest", Created: testStart - 300*day,
			})
		}
		for d := range int64(10) {
			n := fmt.Sprint(id, "-", d)
			entries = append(entries, saleOf("s"+n, id, "p"+strconv.Itoa((p+1+int(d))%80), "u"+n, testStart+d*day+int64(p)*15*minute))
		}
	}
	return entries
}

// habits adds the scores of a player's factors.
func habits(b *Book, id engines.PlayerID) (sum int) {
	r, _ := b.Risk(id, b.Newest())
	for _, f := range r.Factors {
		sum += f.Score
	}
	return sum
}

func TestEventDay(t *testing.T) {
	merchant := func(entries []economy.Entry) []economy.Entry {
		for i := range 120 {
			n := strconv.Itoa(i)
			entries = append(entries, saleOf("m"+n, "p5", "p"+strconv.Itoa(8+i%60), "m"+n, testStart+9*day+int64(i)*8*minute))
		}
		return entries
	}
	plain, feast := replay(merchant(fair(1, 1))), replay(merchant(fair(10, 1)))
	if plain.current().lately() != 0 || feast.current().lately() != 1 {
		t.Errorf("event %v on a plain day, %v on an event day", plain.current().lately(), feast.current().lately())
	}
	for p := range 80 {
		if codes, score := factorsOf(feast, engines.PlayerID("p"+strconv.Itoa(p))); p != 5 && score > 0 {
			t.Errorf("p%d on the event day: %d, %v", p, score, codes)
		}
	}
	usual, before := factorsOf(plain, "p5")
	// A brisk trade alone is no risk on any day; its factors still show the day.
	codes, score := factorsOf(feast, "p5")
	if slices.Contains(usual, "event_day") || !slices.Contains(codes, "event_day") || score > before || habits(feast, "p5") >= habits(plain, "p5") {
		t.Errorf("who sells a lot: %d, %v; on the event day %d, %v", before, usual, score, codes)
	}
	if codes, _ := factorsOf(replay(fair(10, 60)), "p7"); !slices.Contains(codes, "earn_velocity") || slices.Contains(codes, "event_day") {
		t.Errorf("sixty times what others get on an event day: %v", codes)
	}
	if codes, _ := factorsOf(replay(fair(1, 60)), "p7"); !slices.Contains(codes, "earn_velocity") {
		t.Errorf("sixty times what others get: %v", codes)
	}
	if b := replay(fair(1, 60)); b.current().lately() != 0 {
		t.Error("one who earns more makes an event")
	}
}

func TestEventDayLowersTrades(t *testing.T) {
	dear := offerOf("p2", "p9", "", 700, 0)
	plain, feast := replay(fair(1, 1)), replay(fair(10, 1))
	x, y := plain.Evaluate(dear, plain.Newest()), feast.Evaluate(dear, feast.Newest())
	if slices.Contains(x.Reasons, "event_day") || !slices.Contains(y.Reasons, "event_day") || y.Score >= x.Score {
		t.Errorf("a dear gift: %v on a plain day, %v on an event day", x, y)
	}
}

func TestEventDayInAnyOrder(t *testing.T) {
	entries := fair(10, 1)
	a := replay(entries)
	r := rand.New(rand.NewPCG(3, 3))
	r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	b := replay(entries)
	for d, v := range a.current().event {
		if got := b.current().event[d]; got != v {
			t.Errorf("day %d: %v in order, %v shuffled", d, v, got)
		}
	}
}
