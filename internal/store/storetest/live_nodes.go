package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
)

// LiveNodes runs the suite of two gateways that share a Redis.
func LiveNodes(t *testing.T, url func(t *testing.T) string) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(t *testing.T, a, b *redisstore.Redis)
	}{
		{"TakeOver", testTakeOver},
		{"Scenes", testScenes},
		{"SceneLogTrimmed", testSceneLogTrimmed},
		{"TellAndFeed", testTellAndFeed},
		{"Answers", testAnswers},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := url(t)
			test.run(t, OpenRedis(t, u, ""), OpenRedis(t, u, ""))
		})
	}
}

// testTakeOver has the former owner go on writing after another node took its
// session over: Redis refuses all of it, even where the new owner wrote nothing yet.
func testTakeOver(t *testing.T, a, b *redisstore.Redis) {
	t.Helper()
	s := create(t, a)
	behindA, lostA := behind(t, a)
	behindB, lostB := behind(t, b)
	for _, e := range entries(1, 3) {
		behindA.Log(s.ID, s.Fence, e)
	}
	must(t, behindA.Flush(t.Context()))

	taken, former, err := b.TakeOver(t.Context(), claim(s, b.Node()))
	must(t, err)
	if former != a.Node() || taken.Node != b.Node() || taken.Fence != s.Fence+1 {
		t.Errorf("taken over from %s: node %s, fence %d", former, taken.Node, taken.Fence)
	}
	behindA.Log(s.ID, s.Fence, session.Entry{Seq: 4, Frame: []byte("stale")})
	must(t, behindA.Flush(t.Context()))
	if what, ok := lostA.of(s.ID); !ok || what != redisstore.LostOwnership {
		t.Errorf("a stale Log: %v, %v, want LostOwnership", what, ok)
	}
	lostA.note(s.ID, redisstore.LostWrites)
	behindA.Join(s.ID, nil)
	must(t, behindA.Flush(t.Context()))
	if what, ok := lostA.of(s.ID); !ok || what != redisstore.LostOwnership {
		t.Errorf("a stale Join: %v, %v, want LostOwnership", what, ok)
	}
	behindB.Log(s.ID, taken.Fence, entry(4))
	must(t, behindB.Flush(t.Context()))
	got, last, ok, err := b.Replay(t.Context(), s.ID, 2)
	must(t, err)
	same(t, "log after the change of owner", got, entries(3, 4))
	if last != 4 || !ok {
		t.Errorf("Replay: last %d, ok %v, want 4, true", last, ok)
	}
	if what, ok := lostB.of(s.ID); ok {
		t.Errorf("the new owner's writes were reported lost: %v", what)
	}
	again, err := a.Resume(t.Context(), session.Claim{
		ID: s.ID, App: s.App, Player: s.Player, Epoch: s.Epoch, Token: taken.Token, Next: [32]byte{7}, Node: a.Node(),
	})
	must(t, err)
	same(t, "scenes of the session", again.Joined, s.Joined)
}

type heard struct {
	App   engines.AppID
	Scene engines.SceneID
	Entry session.SceneEntry
}

// listen runs a listener until the test ends.
func listen(t *testing.T, r *redisstore.Redis, h redisstore.Handlers) *redisstore.Listener {
	t.Helper()
	l := r.NewListener(h)
	ctx, done := t.Context(), make(chan struct{})
	go func() {
		defer close(done)
		l.Listen(ctx)
	}()
	t.Cleanup(func() { <-done }) // t.Context has ended by then
	return l
}

func receive[T any](t *testing.T, what string, ch <-chan T, want T) {
	t.Helper()
	select {
	case got := <-ch:
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	case <-time.After(patience):
		t.Fatalf("%s: nothing was heard", what)
	}
}

func testScenes(t *testing.T, a, b *redisstore.Redis) {
	t.Helper()
	ctx := t.Context()
	app, scene := engines.AppID(Unique("app")), engines.SceneID("lobby:{1}")
	got := make(chan heard, 64)
	l := listen(t, a, redisstore.Handlers{Scene: func(app engines.AppID, scene engines.SceneID, e session.SceneEntry) {
		got <- heard{app, scene, e}
	}})
	must(t, l.SubscribeScene(ctx, app, scene))
	must(t, l.SubscribeScene(ctx, app, scene))
	head, err := b.SceneHead(ctx, app, scene)
	must(t, err)
	if head != "0" {
		t.Errorf("head of an empty scene is %q, want 0", head)
	}
	write, _ := behind(t, b)
	var sent []session.SceneEntry
	for i := range 20 {
		e := session.SceneEntry{
			Node: b.Node(), Message: engines.RequestID(fmt.Sprint("m", i)), Player: "p1",
			Retract: i%2 == 1, Frame: []byte(fmt.Sprintf("\"scene\":\n\x00%d", i)),
		}
		sent = append(sent, e)
		write.Scene(app, scene, e)
	}
	for _, e := range sent {
		receive(t, "message of the scene", got, heard{app, scene, e})
	}
	must(t, write.Flush(ctx))
	log, ok, err := a.SceneLog(ctx, app, scene, "0")
	must(t, err)
	if !ok || len(log) != len(sent) {
		t.Fatalf("SceneLog: %d entries, ok %v, want %d, true", len(log), ok, len(sent))
	}
	for i := range log {
		want := sent[i]
		want.ID = log[i].ID
		same(t, "stored entry", log[i], want)
	}
	head, err = a.SceneHead(ctx, app, scene)
	must(t, err)
	if head != log[19].ID {
		t.Errorf("head %q, want %q", head, log[19].ID)
	}
	rest, ok, err := a.SceneLog(ctx, app, scene, log[16].ID)
	must(t, err)
	same(t, "the log after an entry", rest, log[17:])
	if !ok {
		t.Error("SceneLog after an entry: not ok")
	}

	// Another scene's end is told by what comes after it.
	other := engines.SceneID("other")
	must(t, l.SubscribeScene(ctx, app, other))
	l.UnsubscribeScene(ctx, app, scene)
	must(t, l.SubscribeScene(ctx, app, "fence"))
	write.Scene(app, scene, sent[0])
	must(t, write.Flush(ctx))
	write.Scene(app, other, sent[1])
	receive(t, "message after unsubscribing", got, heard{app, other, sent[1]})
}

func testSceneLogTrimmed(t *testing.T, a, b *redisstore.Redis) {
	t.Helper()
	ctx := t.Context()
	app, scene := engines.AppID(Unique("app")), engines.SceneID("s")
	write, _ := behind(t, a)
	put := func(n int) {
		for range n {
			write.Scene(app, scene, session.SceneEntry{Node: "n", Message: "m", Player: "p", Frame: []byte("f")})
		}
		must(t, write.Flush(ctx))
	}
	put(1)
	first, err := b.SceneHead(ctx, app, scene)
	must(t, err)
	put(2 * session.LogLength)
	got, ok, err := b.SceneLog(ctx, app, scene, first)
	must(t, err)
	if ok || len(got) < session.LogLength {
		t.Errorf("SceneLog after a trimmed entry: %d entries, ok %v, want those left and false", len(got), ok)
	}
	head, err := b.SceneHead(ctx, app, scene)
	must(t, err)
	got, ok, err = b.SceneLog(ctx, app, scene, head)
	must(t, err)
	if !ok || len(got) != 0 {
		t.Errorf("SceneLog after the newest entry: %d entries, ok %v, want 0, true", len(got), ok)
	}
}

func testTellAndFeed(t *testing.T, a, b *redisstore.Redis) {
	t.Helper()
	told, feed := make(chan string, 8), make(chan string, 256)
	l := listen(t, a, redisstore.Handlers{
		Tell: func(p []byte) { told <- string(p) },
		Feed: func(p []byte) { feed <- string(p) },
	})
	// A confirmed subscription says that the earlier ones stand too.
	must(t, l.SubscribeScene(t.Context(), "app", "s"))
	must(t, b.Tell(t.Context(), b.Node(), []byte("to itself")))
	must(t, b.Tell(t.Context(), a.Node(), []byte("let go \x00\n")))
	receive(t, "word to the node", told, "let go \x00\n")
	write, _ := behind(t, b)
	event := Unique("event")
	write.Feed([]byte(event))
	for { // other tests may feed the same server
		select {
		case got := <-feed:
			if got == event {
				return
			}
		case <-time.After(patience):
			t.Fatal("nothing was heard of the feed")
		}
	}
}

func testAnswers(t *testing.T, a, b *redisstore.Redis) {
	t.Helper()
	app, player := engines.AppID(Unique("app")), engines.PlayerID("p1")
	got, err := b.Answers(t.Context(), app, player)
	must(t, err)
	same(t, "answers of a new player", got, nil)
	want := []session.Answer{
		{ID: "1", Body: [32]byte{1, 255}, Frame: []byte("{\x00}"), At: now()},
		{ID: "2", Body: [32]byte{2}, Frame: []byte("{}"), At: now()},
	}
	write, _ := behind(t, a)
	write.Answer(app, player, session.Answer{ID: "0", At: now().Add(-store.AnswerTTL)})
	for _, answer := range want {
		write.Answer(app, player, answer)
	}
	must(t, write.Flush(t.Context()))
	got, err = b.Answers(t.Context(), app, player)
	must(t, err)
	same(t, "answers within the window", got, want)
}
