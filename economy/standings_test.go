package economy

import (
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestStanding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		score := func(p engines.PlayerID) int {
			r.Standing("game", p)
			synctest.Wait()
			return r.Standing("game", p).EconomyRisk
		}
		if got := score("p"); got != 0 {
			t.Errorf("without a book: %d", got)
		}
		for i := range 80 {
			if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", strconv.Itoa(i), r.at())}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		rests((standingFresh + 1) * standingTick)
		if got := r.Standing("game", "p").EconomyRisk; got != 0 {
			t.Errorf("before the new answer: %d, want the old one's 0", got)
		}
		synctest.Wait()
		if got := r.Standing("game", "p").EconomyRisk; got != 80 {
			t.Errorf("afterwards: %d, want 80", got)
		}
		if got := score("q"); got != 0 {
			t.Errorf("another player: %d", got)
		}
		if got := r.Standing("other", "p").EconomyRisk; got != 0 {
			t.Errorf("another app: %d", got)
		}
		r.Excluded("game", "new")
		synctest.Wait()
		if at, tag := r.standings.place(PlayerKey{"game", "new"}); tagOf(at.Load()) != tag {
			t.Error("who comes in has no score at hand")
		}
	})
}

// The riskier of two players on one place keeps it, while it is asked for.
func TestStandingsCollide(t *testing.T) {
	st := newStandings()
	a := PlayerKey{"game", "0"}
	at, _ := st.place(a)
	b := PlayerKey{"game", "1"}
	for i := 1; ; i++ {
		b.Player = engines.PlayerID(strconv.Itoa(i))
		if other, _ := st.place(b); other == at {
			break
		}
	}
	st.keep(a, 80)
	st.keep(b, 10)
	if got := scoreOf(at.Load()); got != 80 {
		t.Errorf("%d, want the riskier player's", got)
	}
	st.tick.Add(standingFresh)
	st.keep(b, 10)
	if got := scoreOf(at.Load()); got != 10 {
		t.Errorf("%d, want that of who still speaks", got)
	}
}

func BenchmarkStanding(b *testing.B) {
	players := make([]engines.PlayerID, 4096)
	for i := range players {
		players[i] = engines.PlayerID(fmt.Sprintf("player_%06d", i))
	}
	for _, known := range []bool{true, false} {
		b.Run(map[bool]string{true: "known", false: "first"}[known], func(b *testing.B) {
			s := New(Deps{Store: newFakeStore(), Book: func() Book { return newCountBook() }})
			for _, p := range players {
				if known {
					s.standings.keep(PlayerKey{"game", p}, 10)
				}
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s.Standing("game", players[i&4095])
				i++
			}
		})
	}
}
