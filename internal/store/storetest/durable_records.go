package storetest

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// decision has every field set, and a text that databases like to stumble over.
func decision(request engines.RequestID) store.Decision {
	text := "né\u0000\U0001F600'\";--\u202e"
	return store.Decision{
		Request: request, App: "game", Player: "p1", Scene: "s1", Session: "sess", Kind: engines.KindText, Language: "ja",
		Content: text, ContentSHA256: sha256.Sum256([]byte(text)),
		Signals: []engines.Signal{{
			Category: engines.Hate, SubLabel: "x", Severity: 3, Confidence: 0.875, Source: engines.SourceLexicon,
			Span: engines.Span{Start: 1, End: 4}, Rule: "r", Language: "ja", Action: "block", Excepted: true,
		}, {Category: engines.Spam, Severity: 1, Confidence: 0.5, Source: engines.SourceModel}},
		Verdict: engines.Verdict{
			Finding: engines.Finding{Suggestion: engines.Pass},
			Action:  engines.Mask, Warn: true, Mode: engines.MonitorOnly, Hits: []engines.Span{{Start: 1, End: 4}}, Masked: "n***",
			Observed: &engines.Finding{
				Suggestion: engines.Block,
				Labels:     []engines.Label{{Category: engines.Hate, SubLabel: "x", Severity: 3, Confidence: 0.875, Source: engines.SourceLexicon}},
			},
			Shadow: &engines.Finding{Suggestion: engines.Review, Labels: []engines.Label{{Category: engines.Spam, Severity: 1, Confidence: 0.5, Source: engines.SourceModel}}},
			Combined: []engines.Combined{{Category: engines.Hate, Confidence: 0.875, Own: 0.75, Parts: []engines.Part{
				{From: engines.PartContent, Category: engines.Hate, Confidence: 0.75, Counts: 0.75},
				{From: engines.PartEarlier, Category: engines.Hate, Confidence: 0.5, Counts: 0.25, Request: "r0", Kind: engines.KindAudio, At: 7},
			}}},
			Case: true, Mandatory: true, Degraded: true, Stricter: engines.StricterEconomy, Reason: "rule 3: no slurs", PolicyVersion: "v1",
		},
		CaseID: "c1", Weight: 10, Took: 1234 * time.Microsecond, Created: now(),
	}
}

func testDecisions(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	full := decision("r1")
	_, err := s.Decision(ctx, "game", "r1")
	wantErr(t, "unknown decision", err, store.ErrNotFound)
	must(t, s.PutDecision(ctx, full, nil, nil))
	got, err := s.Decision(ctx, "game", "r1")
	must(t, err)
	same(t, "decision", got, full)
	_, err = s.Decision(ctx, "other", "r1")
	wantErr(t, "another app's decision", err, store.ErrNotFound)

	plain := store.Decision{Request: "r2", App: "game", Kind: engines.KindText, Created: now()}
	again := full
	again.Player = "somebody else"
	must(t, s.PutDecisions(ctx, []store.Decision{again, plain, plain}))
	must(t, s.PutDecisions(ctx, nil))
	got, err = s.Decision(ctx, "game", "r1")
	must(t, err)
	same(t, "decision stored twice", got, full)
	got, err = s.Decision(ctx, "game", "r2")
	must(t, err)
	same(t, "plain decision", got, plain)
}

func testDecisionWithCaseAndMessage(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	d := decision("r1")
	c := store.Case{ID: "c1", App: "game", Request: "r1", Player: "p1", Scene: "s1", State: store.CaseOpen, Held: true, Created: now(), Updated: now()}
	m := store.SceneMessage{
		App: "game", Scene: "s1", Message: "r1", Player: "p1", Session: "sess",
		Content: "a\u0000b", Language: "ja", State: "held", Sent: now(),
	}
	must(t, s.PutDecision(ctx, d, &c, &m))
	gotCase, err := s.Case(ctx, "c1")
	must(t, err)
	same(t, "case", gotCase, c)
	gotMessage, err := s.SceneMessage(ctx, "game", "s1", "r1")
	must(t, err)
	same(t, "message", gotMessage, m)

	// The repeat of a stored decision brings nothing with it.
	c2, m2 := c, m
	c2.ID, m2.Message = "c2", "r9"
	must(t, s.PutDecision(ctx, d, &c2, &m2))
	_, err = s.Case(ctx, "c2")
	wantErr(t, "case of a repeat", err, store.ErrNotFound)
	_, err = s.SceneMessage(ctx, "game", "s1", "r9")
	wantErr(t, "message of a repeat", err, store.ErrNotFound)
}

func testSceneMessages(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	ms := []store.SceneMessage{
		{App: "game", Scene: "s1", Message: "m1", Player: "p1", Content: "one", State: "delivered", Sent: now()},
		{App: "game", Scene: "s2", Message: "m1", Player: "p2", Content: "two", State: "delivered", Sent: now()},
	}
	must(t, s.PutSceneMessages(ctx, ms))
	must(t, s.PutSceneMessages(ctx, ms))
	must(t, s.PutSceneMessages(ctx, nil))
	must(t, s.SetSceneMessageState(ctx, "game", "s2", "m1", "retracted"))
	wantErr(t, "state of no message", s.SetSceneMessageState(ctx, "game", "s2", "m9", "retracted"), store.ErrNotFound)
	ms[1].State = "retracted"
	for _, want := range ms {
		got, err := s.SceneMessage(ctx, want.App, want.Scene, want.Message)
		must(t, err)
		same(t, "message", got, want)
	}
}

func testPending(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	item := engines.Item{
		RequestID: "r1", App: "game", Player: "p1", Scene: "s1", Session: "sess", Kind: engines.KindText, Text: "a\u0000<é>", Language: "en",
		StrictLevel: 4, Segment: "adult", Region: "jp", Parent: "r0", To: "p2", Live: true, ReceivedAt: time.Now(),
	}
	at := now()
	want := store.Pending{App: "game", Request: "r1", Item: item, Created: at, Owner: "one", Until: at.Add(time.Minute)}
	must(t, s.PutPending(ctx, want))
	must(t, s.PutPending(ctx, want))
	want.Item.ReceivedAt = item.ReceivedAt.Round(0).UTC()
	claim := func(owner string, now time.Time, most int) []store.Pending {
		t.Helper()
		got, err := s.ClaimPendings(ctx, owner, now, now.Add(time.Minute), most)
		must(t, err)
		return got
	}
	same(t, "claimed while its owner has it", len(claim("two", at, 10)), 0)
	must(t, s.KeepPendings(ctx, "one", at.Add(2*time.Minute)))
	must(t, s.KeepPendings(ctx, "two", at))
	same(t, "claimed though it was kept", len(claim("two", at.Add(time.Minute), 10)), 0)
	want.Owner, want.Until = "two", at.Add(3*time.Minute)
	same(t, "pending checks", claim("two", at.Add(2*time.Minute), 10), []store.Pending{want})
	testClaims(t, s, at)
	if yes, err := s.PendingExists(ctx, "game", "r1"); !yes || err != nil {
		t.Errorf("PendingExists() = %v, %v, want true", yes, err)
	}
	c := store.Case{ID: "c1", App: "game", Request: "r1", State: store.CaseOpen, Created: now(), Updated: now()}
	must(t, s.FinishPending(ctx, decision("r1"), &c))
	must(t, s.FinishPending(ctx, decision("r1"), &c))
	if yes, err := s.PendingExists(ctx, "game", "r1"); yes || err != nil {
		t.Errorf("PendingExists() of a finished check = %v, %v, want false", yes, err)
	}
	if _, err := s.Decision(ctx, "game", "r1"); err != nil {
		t.Error(err)
	}
	if _, err := s.Case(ctx, "c1"); err != nil {
		t.Error(err)
	}
}

// testClaims: what many claim at once each has once, the oldest first.
func testClaims(t *testing.T, s *sqlstore.Store, at time.Time) {
	t.Helper()
	const n = 40
	for i := range n {
		id := engines.RequestID(fmt.Sprintf("many%02d", i))
		must(t, s.PutPending(t.Context(), store.Pending{App: "many", Request: id, Item: engines.Item{App: "many", RequestID: id}, Created: at.Add(time.Duration(i) * time.Millisecond)}))
	}
	var mu sync.Mutex
	seen := map[engines.RequestID]int{}
	_, errs := race(8, func(i int) error {
		for {
			list, err := s.ClaimPendings(t.Context(), fmt.Sprint("node", i), at, at.Add(time.Minute), 3)
			if err != nil || len(list) == 0 {
				return err
			}
			mu.Lock()
			for _, p := range list {
				seen[p.Request]++
			}
			mu.Unlock()
		}
	})
	for id, times := range seen {
		if times != 1 {
			t.Errorf("%s was claimed %d times", id, times)
		}
	}
	if errs != nil || len(seen) < n-8*3 { // who meets only what others hold goes without
		t.Errorf("%d of %d claimed: %v", len(seen), n, errs)
	}
	for id := range seen {
		must(t, s.FinishPending(t.Context(), store.Decision{App: "many", Request: id, Created: at}, nil))
	}
}
