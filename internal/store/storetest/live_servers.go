package storetest

import (
	"errors"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
)

// testServerSessions: game servers have no player, so their sessions stand side
// by side.
func testServerSessions(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	for range 2 {
		s := State(r.Node())
		s.Player = ""
		prev, err := r.Create(t.Context(), s)
		must(t, err)
		if prev != (session.Owner{}) {
			t.Errorf("a server's session replaced %+v, want nobody's", prev)
		}
		if _, _, err := r.TakeOver(t.Context(), claim(s, "other")); err != nil {
			t.Errorf("TakeOver of a server's session: %v", err)
		}
	}
}

// testResumeByToken: a client that shows no ticket rests on its resume token.
func testResumeByToken(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	c := claim(s, r.Node())
	c.App, c.Player = "", ""
	wrong := c
	wrong.Token[0]++
	if _, _, err := r.TakeOver(t.Context(), wrong); !errors.Is(err, session.ErrToken) {
		t.Errorf("TakeOver with another token: %v, want ErrToken", err)
	}
	got, _, err := r.TakeOver(t.Context(), c)
	must(t, err)
	if got.App != s.App || got.Player != s.Player {
		t.Errorf("taken over for %q of %q, want %q of %q", got.Player, got.App, s.Player, s.App)
	}
	before, err := r.Create(t.Context(), session.State{ID: "next", App: s.App, Player: s.Player, Epoch: "e", Node: r.Node(), Fence: 1})
	must(t, err)
	same(t, "claim after a resume by token", before, owner(r, s.ID))
}
