package economy

import (
	"errors"
	"testing"
)

// A web says which of its players are banned, and a player that only a check named
// stands in it alone.
func TestAroundSaysWhoIsBanned(t *testing.T) {
	r := serve(t, newFakeStore())
	if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
		t.Fatal(err)
	}
	for _, b := range []BanType{Warning, Permanent, TradeBan} {
		if _, err := r.Ban(t.Context(), Ban{App: "game", ID: string(b), Player: "p", Type: b}, 0); err != nil {
			t.Fatal(err)
		}
	}
	w, err := r.Around(t.Context(), "game", "p", 2, 60)
	if err != nil || len(w.Players) != 2 || w.Players[0].Banned != Permanent || w.Players[1].Banned != "" || len(w.Gifts) != 1 || w.Shares[0].Banned != Permanent {
		t.Errorf("Around(p) = %+v, %v; want p under its gravest ban, and a friend", w, err)
	}
	if _, err := r.Around(t.Context(), "game", "q", 2, 60); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("Around of nobody: %v", err)
	}
	r.Named("game", "q")
	if w, err = r.Around(t.Context(), "game", "q", 2, 60); err != nil || len(w.Players) != 1 || w.Players[0].Risk.Level != Normal {
		t.Errorf("Around(q) = %+v, %v; want it alone", w, err)
	}
}
