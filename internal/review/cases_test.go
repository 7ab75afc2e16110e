package review_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

func hold(t *testing.T, r *room, item *engines.Item) engines.CaseID {
	t.Helper()
	o, err := r.Check(t.Context(), item)
	if err != nil || o.CaseID == "" {
		t.Fatalf("Check = %+v, %v; want a case", o, err)
	}
	return o.CaseID
}

func TestDecide(t *testing.T) {
	masking := policy.Config{Mode: engines.PreReview, Categories: map[engines.Category]policy.CategoryConfig{engines.Harassment: {Action: policy.ActionMask}}}
	for _, c := range []struct {
		name    string
		text    string
		approve bool
		call    string
		state   string
		content string
	}{
		{"approve", "fine", true, "publish", "delivered", "fine"},
		{"approve what was masked", "rude", true, "publish", "delivered", "****"},
		{"reject", "iffy", false, "reject", "rejected", "iffy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := furnish(t, masking)
			item := said(c.text)
			id := hold(t, r, item)
			if err := r.Decide(t.Context(), id, 1, c.approve, "mo", "because"); err != nil {
				t.Fatalf("Decide: %v", err)
			}
			got := r.scenes.got()
			want := engines.Item{
				RequestID: item.RequestID, App: "game", Player: "ann", Scene: "lobby", Session: "s1", Kind: engines.KindText,
				Text: c.content, Language: "en", Live: true, ReceivedAt: item.ReceivedAt,
			}
			if len(got) != 1 || got[0].what != c.call || got[0].id != id {
				t.Fatalf("scene calls = %+v, want one %s for %s", got, c.call, id)
			}
			if diff := cmp.Diff(want, got[0].item); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			if state := r.disk.messages[item.RequestID].State; state != c.state {
				t.Errorf("state on disk = %s, want %s", state, c.state)
			}
			closed := r.disk.cases[id]
			if closed.State != store.CaseClosed || closed.By != "mo" || closed.Reason != "because" || (closed.Decision == "approve") != c.approve || closed.Version != 2 {
				t.Errorf("case on disk = %+v", closed)
			}
			if err := r.Decide(t.Context(), id, 2, c.approve, "mo", "again"); !errors.Is(err, store.ErrConflict) {
				t.Errorf("Decide on a closed case = %v, want ErrConflict", err)
			}
			if n := len(r.scenes.got()); n != 1 {
				t.Errorf("scene called %d times, want once", n)
			}
		})
	}
}

func TestDecideWithoutAHeldMessage(t *testing.T) {
	r := furnish(t, policy.Config{})
	id := hold(t, r, said("iffy")) // delivered, with a case
	if err := r.Decide(t.Context(), id, 1, true, "mo", ""); err != nil {
		t.Errorf("Decide: %v", err)
	}
	if calls := r.scenes.got(); len(calls) != 0 {
		t.Errorf("scene calls = %+v, want none", calls)
	}
}

// A game server holds its own content: there is a case and no message.
func TestDecideForAGameServer(t *testing.T) {
	r := furnish(t, policy.Config{Mode: engines.PreReview})
	id := hold(t, r, asked("fine"))
	if err := r.Decide(t.Context(), id, 1, true, "mo", ""); err != nil {
		t.Errorf("Decide: %v", err)
	}
	if calls := r.scenes.got(); len(calls) != 0 || r.disk.cases[id].Decision != "approve" {
		t.Errorf("scene calls = %+v, case = %+v; want none and approved", calls, r.disk.cases[id])
	}
}

func TestDecideRefuses(t *testing.T) {
	r := furnish(t, policy.Config{Mode: engines.PreReview})
	id := hold(t, r, said("fine"))
	if err := r.Decide(t.Context(), "no such case", 1, true, "mo", ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("unknown case: %v, want ErrNotFound", err)
	}
	if err := r.Decide(t.Context(), id, 7, true, "mo", ""); !errors.Is(err, store.ErrConflict) {
		t.Errorf("another version: %v, want ErrConflict", err)
	}
	for _, what := range []string{"case", "message", "state"} {
		broken := errors.New(what)
		r := furnish(t, policy.Config{Mode: engines.PreReview})
		id := hold(t, r, said("fine"))
		r.disk.before = func(_ context.Context, asked string) error {
			if asked == what {
				return broken
			}
			return nil
		}
		if err := r.Decide(t.Context(), id, 1, true, "mo", ""); !errors.Is(err, broken) || len(r.scenes.got()) != 0 {
			t.Errorf("store fails at the %s: %v with %d scene calls, want its error and none", what, err, len(r.scenes.got()))
		}
	}
	if calls := r.scenes.got(); len(calls) != 0 {
		t.Errorf("scene calls = %+v, want none", calls)
	}
}

func TestDecideTellsOfAFailedScene(t *testing.T) {
	for _, approve := range []bool{true, false} {
		r := furnish(t, policy.Config{Mode: engines.PreReview})
		id := hold(t, r, said("fine"))
		r.scenes.fail = errors.New("scene gone")
		if err := r.Decide(t.Context(), id, 1, approve, "mo", ""); !errors.Is(err, r.scenes.fail) {
			t.Errorf("Decide(approve %t) = %v, want the scene's error", approve, err)
		}
		if r.disk.cases[id].State != store.CaseClosed {
			t.Error("the case is not closed, though it was decided")
		}
	}
}
