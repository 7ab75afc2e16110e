package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// messageID is a UUIDv7 of a moment, as messages have.
func messageID(at time.Time, n int) engines.RequestID {
	ms := fmt.Sprintf("%012x", at.UnixMilli())
	return engines.RequestID(fmt.Sprintf("%s-%s-7%03x-8000-%012x", ms[:8], ms[8:], n&0xfff, n))
}

func message(scene engines.SceneID, at time.Time, n int) store.SceneMessage {
	return store.SceneMessage{
		App: "game", Scene: scene, Message: messageID(at, n), Player: engines.PlayerID(fmt.Sprintf("p%d", n%3)), Session: "s",
		Content: fmt.Sprintf("line %d", n), Language: "en", State: "delivered", Sent: at,
	}
}

func testSceneAround(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	start := now().Add(-time.Hour)
	var all []store.SceneMessage
	for i := range 60 {
		all = append(all, message("s1", start.Add(time.Duration(i)*time.Second), i))
	}
	other := message("s2", start.Add(30*time.Second), 30)
	shuffled := slices.Clone(all)
	slices.Reverse(shuffled)
	must(t, s.PutSceneMessages(ctx, append(shuffled, other)))
	for _, c := range []struct {
		what          string
		message       engines.RequestID
		most          int
		before, after []store.SceneMessage
	}{
		{"around one", all[30].Message, 20, all[10:30], all[31:51]},
		{"at the start", all[3].Message, 20, all[:3], all[4:24]},
		{"at the end", all[59].Message, 2, all[57:59], nil},
		{"around one that was not kept", messageID(start.Add(30*time.Second+time.Millisecond), 4000), 1, all[30:31], all[31:32]},
		{"before all", messageID(start.Add(-time.Hour), 0), 2, nil, all[:2]},
	} {
		before, after, err := s.SceneAround(ctx, "game", "s1", c.message, c.most)
		must(t, err)
		same(t, c.what+", before", before, c.before)
		same(t, c.what+", after", after, c.after)
	}
	before, after, err := s.SceneAround(ctx, "other", "s1", all[30].Message, 5)
	if err != nil || len(before)+len(after) > 0 {
		t.Errorf("another app's: %d messages before, %d after, %v", len(before), len(after), err)
	}
}

func testSceneSweep(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	start := now().Add(-time.Hour)
	var all []store.SceneMessage
	for i := range 2500 { // more than one piece
		all = append(all, message("s1", start.Add(time.Duration(i)*time.Millisecond), i))
	}
	all = append(all, message("s2", start, 1), message("s2", start.Add(30*time.Minute), 2), message("s3", start.Add(30*time.Minute), 3))
	held := message("s2", start.Add(time.Second), 9)
	held.State = "held"
	foreign := message("s1", start, 5)
	foreign.App = "other"
	must(t, s.PutSceneMessages(ctx, append(all, held, foreign)))
	apps, err := s.SceneApps(ctx)
	must(t, err)
	same(t, "apps", apps, []engines.AppID{"game", "other"})
	n, err := s.SweepSceneMessages(ctx, "game", start.Add(10*time.Minute))
	must(t, err)
	if n != 2501 {
		t.Errorf("deleted %d, want 2501", n)
	}
	for _, want := range []store.SceneMessage{held, foreign, all[2501], all[2502]} {
		got, err := s.SceneMessage(ctx, want.App, want.Scene, want.Message)
		must(t, err)
		same(t, "what stays", got, want)
	}
	if n, err := s.SweepSceneMessages(ctx, "game", start.Add(10*time.Minute)); n != 0 || err != nil {
		t.Errorf("deleted %d again, %v", n, err)
	}
}
