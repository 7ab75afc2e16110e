package players

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// checked is a piece of content that was found to be something, and stored.
func (w *world) checked(id string, kind engines.Kind, back time.Duration, v engines.Verdict) *engines.Item {
	w.t.Helper()
	item := &engines.Item{App: "game", Player: "ann", RequestID: engines.RequestID(id), Kind: kind, ReceivedAt: w.clock().Add(-back).Truncate(time.Millisecond)}
	d := store.Decision{App: item.App, Player: item.Player, Request: item.RequestID, Kind: kind, Verdict: v, Created: item.ReceivedAt, Weight: 1}
	var c *store.Case
	if v.Case {
		d.CaseID = engines.CaseID("case-" + id)
		c = &store.Case{ID: d.CaseID, App: "game", Request: d.Request, Player: "ann", State: store.CaseOpen, Version: 1, Created: d.Created, Updated: d.Created}
	}
	if err := w.db.PutDecision(w.t.Context(), d, c, nil); err != nil {
		w.t.Fatal(err)
	}
	return item
}

func reviewed(c engines.Category, p float64) engines.Verdict {
	return engines.Verdict{Finding: engines.Finding{Suggestion: engines.Review, Labels: []engines.Label{{Category: c, Confidence: p}}}, Case: true}
}

// What was found in a player's content is known at once here, from the store after a
// start and at other gateways once they are told, newest first and bounded.
func TestEarlierStanding(t *testing.T) {
	w := newWorld(t)
	here, there := w.serve(patient()), w.serve(patient())
	here.Arrived("game", "ann")
	there.Arrived("game", "ann")
	if got := here.Standing("game", "ann").Earlier; got != nil {
		t.Errorf("of nobody: %+v", got)
	}
	lifted := reviewed(engines.Hate, 0.9)
	lifted.Combined = []engines.Combined{{Category: engines.Hate, Confidence: 0.9, Own: 0.7}}
	tell := func(item *engines.Item, v engines.Verdict) {
		here.Observed(item, engines.Outcome{RequestID: item.RequestID, Verdict: v}, "stream")
	}
	picture := w.checked("r1", engines.KindImage, time.Minute, reviewed(engines.Nudity, 0.8))
	tell(picture, reviewed(engines.Nudity, 0.8))
	said := w.checked("r2", engines.KindText, 0, lifted)
	tell(said, lifted)
	want := []engines.Earlier{
		{Request: "r2", Kind: engines.KindText, Category: engines.Hate, Confidence: 0.7, At: said.ReceivedAt.UnixMilli()},
		{Request: "r1", Kind: engines.KindImage, Category: engines.Nudity, Confidence: 0.8, At: picture.ReceivedAt.UnixMilli()},
	}
	wantEarlier(t, "here", here, want)
	if got := len(here.told); got != 2 {
		t.Errorf("others were told %d times, want 2", got)
	}
	there.Changed("game", "ann")
	eventually(t, "the other gateway", func() bool { return len(there.Standing("game", "ann").Earlier) == 2 })
	wantEarlier(t, "there", there, want)
	again := w.serve(patient())
	again.Arrived("game", "ann")
	wantEarlier(t, "after a start", again, want)

	// What only monitors, and what is a pass, is nothing.
	tell(w.checked("r3", engines.KindText, 0, engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Observed: &lifted.Finding}),
		engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Observed: &lifted.Finding})
	wantEarlier(t, "monitored", here, want)

	// An approval ends it.
	_, _, err := w.db.MoveCase(t.Context(), "case-r1", "decide", "", func(facts store.CaseFacts) (store.CaseChange, error) {
		c := facts.Case
		c.State, c.Decision, c.By, c.Decided, c.Updated = store.CaseClosed, store.CaseApproved, "mod", w.clock(), w.clock()
		c.Version++
		return store.CaseChange{
			Case: c, Event: store.CaseEvent{Version: c.Version, At: w.clock(), Actor: "mod", Action: "decide", State: c.State, Detail: "{}"},
			Audit: store.Audit{TS: w.clock(), Actor: "mod", Action: "case.decide", Object: "case/case-r1", Detail: "{}"},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	here.Changed("game", "ann")
	eventually(t, "the approval", func() bool { return len(here.Standing("game", "ann").Earlier) == 1 })
	wantEarlier(t, "after the approval", here, want[:1])

	// The newest stay where there are many.
	for i := range 3 * engines.EarlierMost {
		tell(w.checked("many-"+string(rune('a'+i)), engines.KindAudio, -time.Duration(i)*time.Millisecond, reviewed(engines.Spam, 0.6)), reviewed(engines.Spam, 0.6))
	}
	got := here.Standing("game", "ann").Earlier
	if len(got) != engines.EarlierMost || got[0].Request != engines.RequestID("many-"+string(rune('a'+3*engines.EarlierMost-1))) {
		t.Errorf("%d are kept, the newest %s", len(got), got[0].Request)
	}
}

func wantEarlier(t *testing.T, what string, g *gate, want []engines.Earlier) {
	t.Helper()
	got := g.Standing("game", "ann").Earlier
	if len(got) != len(want) {
		t.Fatalf("%s: %+v, want %+v", what, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: %+v, want %+v", what, got[i], want[i])
		}
	}
}
