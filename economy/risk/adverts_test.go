package risk

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

func adverts(player engines.PlayerID, times ...int64) []economy.Entry {
	list := make([]economy.Entry, len(times))
	for i, at := range times {
		list[i] = economy.Entry{Log: economy.Advert, ID: strconv.Itoa(i), Player: player, At: at, What: "rmt"}
	}
	return list
}

func TestAdverts(t *testing.T) {
	for _, c := range []struct {
		name  string
		times []int64 // since testStart
		at    int64
		want  int
	}{
		{"one", []int64{0}, 0, 35},
		{"a half-life later", []int64{0}, halfLife, 18},
		{"two within a day", []int64{0, hour}, hour, 45},
		{"two far apart", []int64{0, 2 * day}, 2 * day, 35},
		{"as many as count", []int64{0, 1, 2, 3}, 3, 65},
		{"more", []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, 19, 65},
		{"a burst outweighs a later one", []int64{0, 1, 2, 3, 3 * day}, 3 * day, 56},
		{"until it has faded", []int64{0, 1, 2, 3, 20 * day}, 20 * day, 35},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.times {
				c.times[i] += testStart
			}
			b := replay(adverts("a", c.times...))
			r, ok := b.Risk("a", testStart+c.at)
			want := economy.Risk{Score: c.want, Level: economy.LevelOf(c.want), Updated: c.times[len(c.times)-1], Factors: []economy.Factor{{Code: "rmt_advertising", Score: c.want}}}
			if diff := cmp.Diff(want, r); diff != "" || !ok {
				t.Errorf("Risk (-want +got):\n%s", diff)
			}
			if b.Newest() != 0 {
				t.Errorf("the book's time is %d, want none: adverts do not move it", b.Newest())
			}
		})
	}
}

// Adverts in any order, between the entries of the logs, give one score, and leave
// those of others as they were.
func TestAdvertsInAnyOrder(t *testing.T) {
	w := newWorld(5, 6)
	w.villains(w.populate(100))
	logs := w.run()
	plain := replay(logs)
	now := plain.Newest()
	var said []int64
	for i := range int64(40) {
		said = append(said, now-i*i*hour)
	}
	entries := append(adverts("casual20", said...), logs...)
	first := replay(entries)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	second := replay(entries)
	for id := range w.kind {
		a, _ := first.Risk(engines.PlayerID(id), now)
		b, _ := second.Risk(engines.PlayerID(id), now)
		c, _ := plain.Risk(engines.PlayerID(id), now)
		switch d := a.Score - c.Score; {
		case id == "casual20" && a.Score != b.Score:
			t.Errorf("the advertiser: %d in one order, %d in another", a.Score, b.Score)
		case id == "casual20" && d < 20:
			t.Errorf("the advertiser: %d, %d without", a.Score, c.Score)
		case id != "casual20" && (d < -1 || d > 1):
			t.Errorf("%s: %d, and %d without another's adverts", id, a.Score, c.Score)
		}
	}
}

func TestAdvertBesideOldLogs(t *testing.T) {
	b := New(Config{Fresh: -1})
	b.Apply(adverts("a", testStart+100*day))
	b.Apply([]economy.Entry{{Log: economy.Currency, ID: "1", At: testStart, Player: "a", Action: economy.Earn, What: "gold", Amount: 1, After: 1}})
	if b.Newest() != testStart {
		t.Errorf("Newest() = %d, want the log's %d", b.Newest(), testStart)
	}
	if r, _ := b.Risk("a", testStart); r.Score != 35 {
		t.Errorf("score %d, want 35", r.Score)
	}
}
