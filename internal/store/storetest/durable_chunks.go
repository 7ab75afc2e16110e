package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// chunk gathers messages of one scene.
func chunk(ms ...store.SceneMessage) store.SceneChunk {
	c := store.SceneChunk{App: ms[0].App, Scene: ms[0].Scene}
	for i := range ms {
		c.Add(&ms[i])
	}
	return c
}

// testSceneChunks holds a look around a message against a plain list: of rows, of
// chunks of several gateways that lie across each other, and of messages that are both.
func testSceneChunks(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	start := now().Add(-2 * time.Hour)
	var all []store.SceneMessage
	var chunks []store.SceneChunk
	var open [3]store.SceneChunk // of three gateways; the third hears of little
	at := start
	for i := range 600 {
		// Some come at once, some after minutes in which nobody says a thing.
		at = at.Add([]time.Duration{0, 3 * time.Millisecond, time.Second, 40 * time.Second}[i*7%11%4])
		m := message("s1", at, i)
		all = append(all, m)
		if i%37 == 5 {
			must(t, s.PutSceneMessages(ctx, []store.SceneMessage{m})) // flagged
			continue
		}
		gateway := 0
		if i%3 == 1 {
			gateway = 1
		}
		if i%50 == 7 {
			gateway = 2
		}
		c := &open[gateway]
		if c.Messages >= 20 || !c.Takes(m.Message) {
			chunks = append(chunks, *c)
			*c = store.SceneChunk{}
		}
		if c.Messages == 0 {
			c.App, c.Scene = m.App, m.Scene
		}
		c.Add(&m)
	}
	chunks = append(chunks, open[:]...)
	other := message("s2", start, 1)
	chunks = append(chunks, chunk(other))
	must(t, s.PutSceneChunks(ctx, chunks))
	must(t, s.PutSceneChunks(ctx, chunks[:3])) // a write that was done again shows nothing twice
	must(t, s.PutSceneChunks(ctx, nil))
	decided := &all[100]
	must(t, s.SetSceneMessageState(ctx, "game", "s1", decided.Message, "retracted"))
	decided.State = "retracted"
	must(t, s.SetSceneMessageState(ctx, "game", "s1", decided.Message, "delivered")) // undone
	must(t, s.SetSceneMessageState(ctx, "game", "s1", decided.Message, "retracted"))
	wantErr(t, "state of no message", s.SetSceneMessageState(ctx, "game", "s1", messageID(start, 4000), "retracted"), store.ErrNotFound)

	slices.SortFunc(all, func(a, b store.SceneMessage) int { return cmp.Compare(a.Message, b.Message) })
	for i := range all {
		got, err := s.SceneMessage(ctx, "game", "s1", all[i].Message)
		must(t, err)
		same(t, "message", got, all[i])
	}
	_, err := s.SceneMessage(ctx, "game", "s2", all[3].Message)
	wantErr(t, "another scene's", err, store.ErrNotFound)
	_, err = s.SceneMessage(ctx, "other", "s1", all[3].Message)
	wantErr(t, "another app's", err, store.ErrNotFound)
	for _, most := range []int{1, 7, 50, 1000} {
		for i := 0; i < len(all); i += 1 + i%13 {
			before, after, err := s.SceneAround(ctx, "game", "s1", all[i].Message, most)
			must(t, err)
			same(t, fmt.Sprintf("%d before %d", most, i), before, nothing(all[max(0, i-most):i]))
			same(t, fmt.Sprintf("%d after %d", most, i), after, nothing(all[i+1:min(len(all), i+1+most)]))
		}
	}
	before, after, err := s.SceneAround(ctx, "game", "s1", messageID(start.Add(-time.Hour), 0), 2)
	must(t, err)
	same(t, "before all", before, nil)
	same(t, "before all, after", after, all[:2])
}

// nothing is nil for an empty list, as the store returns it.
func nothing(list []store.SceneMessage) []store.SceneMessage {
	if len(list) == 0 {
		return nil
	}
	return list
}

// testCaseOfChunk: a case about a message that is in a chunk only, which somebody
// reported, knows it and changes it.
func testCaseOfChunk(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	m := message("s1", at, 1)
	must(t, s.PutSceneChunks(ctx, []store.SceneChunk{chunk(message("s1", at.Add(-time.Second), 2), m)}))
	putCase(t, s, store.Case{ID: "c1", App: "game", Scene: "s1", Subject: m.Message, Player: m.Player})
	for i, state := range []string{"retracted", "delivered"} { // rejected, and undone
		_, _, err := s.MoveCase(ctx, "c1", "decide", "", func(f store.CaseFacts) (store.CaseChange, error) {
			if f.Message == nil || f.Message.Content != m.Content {
				t.Errorf("move %d: facts %+v", i, f.Message)
			}
			c := f.Case
			c.Version++
			x := moved(c, "decide", "ann", at)
			x.Message = state
			return x, nil
		})
		must(t, err)
		got, err := s.SceneMessage(ctx, "game", "s1", m.Message)
		must(t, err)
		want := m
		want.State = state
		same(t, "message", got, want)
	}
	putCase(t, s, store.Case{ID: "c2", App: "game", Scene: "s1", Subject: messageID(at, 4000)})
	_, _, err := s.MoveCase(ctx, "c2", "decide", "", func(f store.CaseFacts) (store.CaseChange, error) {
		c := f.Case
		c.Version++
		x := moved(c, "decide", "ann", at)
		x.Message = "retracted"
		return x, nil
	})
	if err != nil {
		t.Errorf("a case about what is not there (any more): %v", err)
	}
}

// testChunkSweep: a chunk goes when its last message is old enough, by app.
func testChunkSweep(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	start := now().Add(-time.Hour)
	var chunks []store.SceneChunk
	for i := range 450 { // more than one piece
		chunks = append(chunks, chunk(message("s1", start.Add(time.Duration(i)*time.Second), i), message("s1", start.Add(time.Duration(i)*time.Second), i+1000)))
	}
	late := message("s2", start.Add(20*time.Minute), 1)
	foreign := message("s1", start, 7)
	foreign.App = "other"
	must(t, s.PutSceneChunks(ctx, append(chunks, chunk(message("s2", start.Add(14*time.Minute), 9), late), chunk(foreign))))
	must(t, s.PutSceneMessages(ctx, []store.SceneMessage{message("s3", start.Add(30*time.Minute), 3)}))
	apps, err := s.SceneApps(ctx)
	must(t, err)
	same(t, "apps", apps, []engines.AppID{"game", "other"})
	n, err := s.SweepSceneMessages(ctx, "game", start.Add(15*time.Minute))
	must(t, err)
	if n != 900 {
		t.Errorf("deleted %d, want 900", n)
	}
	for _, want := range []store.SceneMessage{foreign, late} {
		got, err := s.SceneMessage(ctx, want.App, want.Scene, want.Message)
		must(t, err)
		same(t, "what stays", got, want)
	}
	before, after, err := s.SceneAround(ctx, "game", "s1", messageID(start, 0), 10)
	if err != nil || len(before)+len(after) > 0 {
		t.Errorf("left: %v, %v, %v", before, after, err)
	}
}

// testChunkErasure: a player goes out of every chunk and the others stay as they are,
// also where the id is part of another's, or of what others say.
func testChunkErasure(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	start := now().Add(-time.Hour)
	var all []store.SceneMessage
	var chunks []store.SceneChunk
	authors := []engines.PlayerID{victim, "other", victim + "2", "x" + victim}
	for i := range 2300 { // more than one piece
		m := message(engines.SceneID(fmt.Sprintf("s%d", i%5)), start.Add(time.Duration(i)*time.Second), i)
		m.Player = authors[i%4]
		if i%4 == 1 {
			m.Content = "hey " + string(victim)
		}
		all = append(all, m)
		chunks = append(chunks, chunk(m))
	}
	theirs := all[0]
	theirs.App = "elsewhere"
	must(t, s.PutSceneChunks(ctx, append(chunks, chunk(theirs))))
	must(t, s.SetSceneMessageState(ctx, "game", all[4].Scene, all[4].Message, "retracted")) // a row too
	exported := map[engines.RequestID]bool{}
	must(t, s.PlayerRecords(ctx, "game", victim, func(r store.PlayerRecord) error {
		if r.Message == nil || r.Message.Player != victim || r.Message.Content == "" || exported[r.Message.Message] {
			t.Errorf("exported: %+v", r.Message)
			return nil
		}
		exported[r.Message.Message] = true
		return nil
	}))
	if len(exported) != 575 {
		t.Errorf("%d messages are exported, want 575", len(exported))
	}
	_, err := s.StartErasure(ctx, "x1", "game", victim, "ana")
	must(t, err)
	if e := erase(t, s, 0); e.Counts["messages"] != 575+1 {
		t.Errorf("counts: %v", e.Counts)
	}
	for i := range all {
		want := all[i]
		if i%4 == 0 {
			want.Player, want.Session, want.Content, want.State = s.Pseudonym("game", victim), "", "", "erased"
		}
		got, err := s.SceneMessage(ctx, want.App, want.Scene, want.Message)
		must(t, err)
		same(t, "message", got, want)
	}
	got, err := s.SceneMessage(ctx, theirs.App, theirs.Scene, theirs.Message)
	must(t, err)
	same(t, "another app's", got, theirs)
	must(t, s.SetSceneMessageState(ctx, "game", all[8].Scene, all[8].Message, "retracted"))
	if got, err := s.SceneMessage(ctx, "game", all[8].Scene, all[8].Message); err != nil || got.State != "erased" {
		t.Errorf("decided after it: %+v, %v", got, err)
	}
}
