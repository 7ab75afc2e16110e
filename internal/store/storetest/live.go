package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
)

// OpenRedis opens one Redis; node "" is a name of its own. It is closed when the
// test ends.
func OpenRedis(t *testing.T, url, node string) *redisstore.Redis {
	t.Helper()
	if node == "" {
		node = Unique("node")
	}
	r, err := redisstore.Open(t.Context(), redisstore.Config{URL: url, Node: node, Wait: 3 * time.Second})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return r
}

// Live runs the suite of one gateway; url "" is the embedded engine.
func Live(t *testing.T, url func(t *testing.T) string) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*testing.T, *redisstore.Redis)
	}{
		{"CreateAndResume", testCreateAndResume},
		{"ResumeOnce", testResumeOnce},
		{"ResumeRefused", testResumeRefused},
		{"ResumeByToken", testResumeByToken},
		{"ServerSessions", testServerSessions},
		{"Replay", testReplay},
		{"ReplayTrimmed", testReplayTrimmed},
		{"ReplayGap", testReplayGap},
		{"Join", testJoin},
		{"Touch", testTouch},
		{"Forget", testForget},
		{"ForgetPlayer", testForgetPlayer},
		{"LiveSeen", testLiveSeen},
		{"OddIDs", testOddIDs},
		{"Blobs", testBlobs},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, OpenRedis(t, url(t), "")) })
	}
}

// State returns a new session with everything set.
func State(node string) session.State {
	return session.State{
		ID: engines.SessionID(Unique("s")), App: engines.AppID(Unique("a")), Player: "p1", Epoch: "epoch1",
		Token: [32]byte{'\n', 0, 255, 1}, Node: node, Fence: 1, Grants: []engines.SceneID{"s1", "s<2>"},
		Joined:  []session.Joined{{Scene: "s1", After: "0"}},
		Segment: "adult", Region: "jp", Language: "ja",
	}
}

// owner is who holds a player that a session of this node has claimed. The
// embedded engine keeps no claims.
func owner(r *redisstore.Redis, sid engines.SessionID) session.Owner {
	if !r.Shared() {
		return session.Owner{}
	}
	return session.Owner{Session: sid, Node: r.Node()}
}

func claim(s session.State, node string) session.Claim {
	c := session.Claim{ID: s.ID, App: s.App, Player: s.Player, Epoch: s.Epoch, Token: s.Token, Node: node}
	c.Next = s.Token
	c.Next[31]++
	return c
}

func create(t *testing.T, r *redisstore.Redis) session.State {
	t.Helper()
	s := State(r.Node())
	_, err := r.Create(t.Context(), s)
	must(t, err)
	return s
}

// losses collects what a Behind reports.
type losses struct {
	mu   sync.Mutex
	seen map[engines.SessionID]redisstore.Lost
}

func (l *losses) note(sid engines.SessionID, what redisstore.Lost) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil {
		l.seen = make(map[engines.SessionID]redisstore.Lost)
	}
	l.seen[sid] = what
}

func (l *losses) of(sid engines.SessionID) (redisstore.Lost, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	what, ok := l.seen[sid]
	return what, ok
}

func behind(t *testing.T, r *redisstore.Redis) (*redisstore.Behind, *losses) {
	t.Helper()
	l := &losses{}
	b := r.NewBehind(l.note)
	t.Cleanup(func() { must(t, b.Close()) })
	return b, l
}

func entry(seq int) session.Entry {
	return session.Entry{Seq: uint64(seq), Message: engines.RequestID(fmt.Sprint("m", seq)), Frame: []byte(fmt.Sprintf("frame\x00\n%d", seq))}
}

func entries(from, to int) (es []session.Entry) {
	for seq := from; seq <= to; seq++ {
		es = append(es, entry(seq))
	}
	return es
}

func testCreateAndResume(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := State(r.Node())
	prev, err := r.Create(t.Context(), s)
	must(t, err)
	same(t, "owner before the first session", prev, session.Owner{})
	second := State(r.Node())
	second.App = s.App
	prev, err = r.Create(t.Context(), second)
	must(t, err)
	same(t, "owner before the second session", prev, owner(r, s.ID))

	c := claim(s, r.Node())
	got, err := r.Resume(t.Context(), c)
	must(t, err)
	want := s
	want.Token, want.Fence = c.Next, 2
	same(t, "resumed state", got, want)
	third := State(r.Node())
	third.App = s.App
	prev, err = r.Create(t.Context(), third)
	must(t, err)
	same(t, "owner after the resume", prev, owner(r, s.ID))
}

func testResumeOnce(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	wins, errs := race(8, func(i int) error {
		c := claim(s, r.Node())
		c.Next[30] = byte(i)
		_, err := r.Resume(t.Context(), c)
		return err
	})
	if wins != 1 {
		t.Errorf("%d of 8 resumed with one token, want 1", wins)
	}
	for _, err := range errs {
		wantErr(t, "Resume", err, session.ErrToken)
	}
}

func testResumeRefused(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	for _, test := range []struct {
		name   string
		change func(*session.Claim)
		want   error
	}{
		{"unknown session", func(c *session.Claim) { c.ID = "nobody" }, session.ErrGone},
		{"another token", func(c *session.Claim) { c.Token[5] ^= 1 }, session.ErrToken},
		{"another player", func(c *session.Claim) { c.Player = "p2" }, session.ErrToken},
		{"another app", func(c *session.Claim) { c.App = "other" }, session.ErrToken},
		{"another epoch", func(c *session.Claim) { c.Epoch = "epoch2" }, session.ErrEpoch},
	} {
		c := claim(s, r.Node())
		test.change(&c)
		_, err := r.Resume(t.Context(), c)
		wantErr(t, test.name, err, test.want)
	}
	// None of these used the token up.
	_, err := r.Resume(t.Context(), claim(s, r.Node()))
	must(t, err)
}

func testReplay(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	b, lost := behind(t, r)
	replay := func(after uint64, want []session.Entry, wantLast uint64, wantOK bool) {
		t.Helper()
		got, last, ok, err := r.Replay(t.Context(), s.ID, after)
		must(t, err)
		same(t, fmt.Sprintf("entries after %d", after), got, want)
		if last != wantLast || ok != wantOK {
			t.Errorf("Replay(%d): last %d, ok %v, want %d, %v", after, last, ok, wantLast, wantOK)
		}
	}
	replay(0, nil, 0, true)
	replay(1, nil, 0, false) // the client saw what was never stored
	for _, e := range entries(1, 40) {
		b.Log(s.ID, s.Fence, e)
	}
	must(t, b.Flush(t.Context()))
	replay(0, entries(1, 40), 40, true)
	replay(37, entries(38, 40), 40, true)
	replay(40, nil, 40, true)
	replay(41, nil, 40, false)

	// The log goes on under the next owner, in one sequence.
	taken, err := r.Resume(t.Context(), claim(s, r.Node()))
	must(t, err)
	replay(40, nil, 40, true)
	b.Log(s.ID, taken.Fence, entry(41))
	must(t, b.Flush(t.Context()))
	replay(39, entries(40, 41), 41, true)
	if what, ok := lost.of(s.ID); ok {
		t.Errorf("the session was reported lost: %v", what)
	}
	ttl, err := r.Client().PTTL(t.Context(), store.SessionLogKey(s.ID)).Result()
	must(t, err)
	if ttl <= session.ResumeWindow || ttl > store.StateTTL {
		t.Errorf("the log lives for %v, want at most %v", ttl, store.StateTTL)
	}
}

func testReplayTrimmed(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	b, _ := behind(t, r)
	const n = 3 * session.LogLength
	for _, e := range entries(1, n) {
		b.Log(s.ID, s.Fence, e)
	}
	must(t, b.Flush(t.Context()))
	if _, last, ok, err := r.Replay(t.Context(), s.ID, 1); ok || last != n || err != nil {
		t.Errorf("Replay past the log's start: last %d, ok %v, %v, want %d, false", last, ok, err, n)
	}
	got, _, ok, err := r.Replay(t.Context(), s.ID, n-session.LogLength)
	must(t, err)
	if !ok || len(got) != session.LogLength {
		t.Errorf("Replay of the last %d: %d, ok %v", session.LogLength, len(got), ok)
	}
}

func testReplayGap(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	b, _ := behind(t, r)
	for _, seq := range []int{1, 2, 4, 5} {
		b.Log(s.ID, s.Fence, entry(seq))
	}
	must(t, b.Flush(t.Context()))
	for after, want := range map[uint64]bool{0: false, 2: false, 3: true, 4: true} {
		if _, _, ok, err := r.Replay(t.Context(), s.ID, after); ok != want || err != nil {
			t.Errorf("Replay(%d) of 1 2 4 5: ok %v, %v, want %v", after, ok, err, want)
		}
	}
}

func testJoin(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	b, lost := behind(t, r)
	joined := []session.Joined{{Scene: "s1", After: "12-0"}, {Scene: "s<2>", After: "0"}}
	b.Join(s.ID, joined)
	b.Join("nobody", joined)
	must(t, b.Flush(t.Context()))
	got, err := r.Resume(t.Context(), claim(s, r.Node()))
	must(t, err)
	want := s
	want.Joined, want.Fence, want.Token = joined, 2, got.Token
	same(t, "state after Join", got, want)
	if what, ok := lost.of("nobody"); !ok || what != redisstore.LostWrites {
		t.Errorf("Join of a session whose state is gone: %v, %v, want LostWrites", what, ok)
	}
	if _, ok := lost.of(s.ID); ok {
		t.Error("Join of a live session was reported lost")
	}
}

func testTouch(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := create(t, r)
	b, _ := behind(t, r)
	b.Log(s.ID, s.Fence, entry(1))
	must(t, b.Flush(t.Context()))
	keys := []string{store.SessionKey(s.ID), store.SessionLogKey(s.ID)}
	if r.Shared() {
		keys = append(keys, store.PlayerKey(s.App, s.Player))
	}
	for _, key := range keys {
		must(t, r.Client().PExpire(t.Context(), key, time.Minute).Err())
	}
	b.Touch(s.ID, s.App, s.Player)
	must(t, b.Flush(t.Context()))
	for _, key := range keys {
		ttl, err := r.Client().PTTL(t.Context(), key).Result()
		must(t, err)
		if ttl <= session.ResumeWindow {
			t.Errorf("%s lives for %v after Touch", key, ttl)
		}
	}
}

func testForget(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	first := create(t, r)
	b, _ := behind(t, r)
	b.Log(first.ID, first.Fence, entry(1))
	must(t, b.Flush(t.Context()))
	second := State(r.Node())
	second.App = first.App
	_, err := r.Create(t.Context(), second)
	must(t, err)
	must(t, r.Forget(t.Context(), first.ID, first.App, first.Player))
	_, err = r.Resume(t.Context(), claim(first, r.Node()))
	wantErr(t, "resume of a forgotten session", err, session.ErrGone)

	third := State(r.Node())
	third.App = first.App
	prev, err := r.Create(t.Context(), third)
	must(t, err)
	same(t, "claim after an older session was forgotten", prev, owner(r, second.ID))
	must(t, r.Forget(t.Context(), third.ID, third.App, third.Player))
	fourth := State(r.Node())
	fourth.App = first.App
	prev, err = r.Create(t.Context(), fourth)
	must(t, err)
	same(t, "claim after its session was forgotten", prev, session.Owner{})
	n, err := r.Client().Exists(t.Context(), store.SessionKey(first.ID), store.SessionLogKey(first.ID)).Result()
	if n != 0 || err != nil {
		t.Errorf("%d keys of a forgotten session are left, %v", n, err)
	}
}

// testForgetPlayer: all that is kept by a player's name goes, whoever owns the
// session, and nothing of another player.
func testForgetPlayer(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	if !r.Shared() {
		must(t, r.ForgetPlayer(t.Context(), "a", "p1")) // it keeps nothing by name
		return
	}
	mine := create(t, r)
	other := State(r.Node())
	other.App, other.Player = mine.App, "p2"
	_, err := r.Create(t.Context(), other)
	must(t, err)
	b, _ := behind(t, r)
	b.Log(mine.ID, mine.Fence, entry(1))
	for _, player := range []engines.PlayerID{mine.Player, other.Player} {
		b.Answer(mine.App, player, session.Answer{ID: "m1", Frame: []byte("{}"), At: now()})
	}
	must(t, b.Flush(t.Context()))
	must(t, r.ForgetPlayer(t.Context(), mine.App, mine.Player))
	must(t, r.ForgetPlayer(t.Context(), mine.App, mine.Player)) // again
	n, err := r.Client().Exists(t.Context(), store.SessionKey(mine.ID)).Result()
	must(t, err)
	for _, key := range []string{store.SessionLogKey(mine.ID), store.PlayerKey(mine.App, mine.Player), store.AnswersKey(mine.App, mine.Player)} {
		more, err := r.Client().Exists(t.Context(), key).Result()
		must(t, err)
		n += more
	}
	if n != 0 {
		t.Errorf("%d keys of a forgotten player are left", n)
	}
	_, err = r.Resume(t.Context(), claim(mine, r.Node()))
	wantErr(t, "resume of a forgotten player", err, session.ErrGone)
	if list, err := r.Answers(t.Context(), mine.App, other.Player); err != nil || len(list) != 1 {
		t.Errorf("another player's answers: %v, %v", list, err)
	}
	_, err = r.Resume(t.Context(), claim(other, r.Node()))
	must(t, err)
}

// seenFirst has 16 note one key at once and counts those who were first.
func seenFirst(t *testing.T, r *redisstore.Redis, ttl time.Duration) (key string, wins int) {
	t.Helper()
	key = Unique("nonce:{")
	wins, _ = race(16, func(int) error {
		first, err := r.Seen(t.Context(), key, ttl)
		if err == nil && !first {
			err = store.ErrExists
		}
		return err
	})
	return key, wins
}

func testLiveSeen(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	ctx := t.Context()
	// On a machine that stands still the key may run out before the last has asked.
	ttl := 500 * time.Millisecond
	key, wins := seenFirst(t, r, ttl)
	for wins > 1 && ttl < 5*time.Second {
		ttl *= 2
		key, wins = seenFirst(t, r, ttl)
	}
	if wins != 1 {
		t.Errorf("%d of 16 were first, want 1", wins)
	}
	// The clock goes forward by itself, in the embedded engine too.
	until := time.Now().Add(patience)
	for {
		first, err := r.Seen(ctx, key, time.Minute)
		must(t, err)
		if first {
			break
		}
		if time.Now().After(until) {
			t.Fatal("the key did not run out")
		}
		time.Sleep(50 * time.Millisecond)
	}
	_, err := r.SeenAnswer(ctx, key)
	wantErr(t, "answer before there is one", err, store.ErrNotFound)
	for _, answer := range [][]byte{[]byte("{\x00}"), {}} {
		must(t, r.PutSeen(ctx, key, answer, time.Minute))
		got, err := r.SeenAnswer(ctx, key)
		must(t, err)
		if !bytes.Equal(got, answer) {
			t.Errorf("SeenAnswer() = %q, want %q", got, answer)
		}
	}
	// What is of one owner goes at once, and nothing of another.
	mine, other := Unique("owner:"), Unique("other:")
	for _, owner := range []string{mine, other} {
		must(t, r.PutSeenOf(ctx, owner, owner+"x", []byte("{}"), time.Minute))
		must(t, r.PutSeenOf(ctx, owner, owner+"y", []byte("{}"), time.Minute))
	}
	must(t, r.ForgetSeenOf(ctx, mine))
	must(t, r.ForgetSeenOf(ctx, mine)) // again
	for key, want := range map[string]error{mine + "x": store.ErrNotFound, mine + "y": store.ErrNotFound, other + "x": nil, other + "y": nil} {
		if _, err := r.SeenAnswer(ctx, key); !errors.Is(err, want) {
			t.Errorf("the answer of %s: %v, want %v", key, err, want)
		}
	}
	must(t, r.ForgetSeen(ctx, key))
	if first, err := r.Seen(ctx, key, time.Minute); !first || err != nil {
		t.Errorf("Seen() of a forgotten key = %v, %v, want true", first, err)
	}
}

func testOddIDs(t *testing.T, r *redisstore.Redis) {
	t.Helper()
	s := State(r.Node())
	s.Player = engines.PlayerID(strings.Repeat("}{:%é", 16))
	_, err := r.Create(t.Context(), s)
	must(t, err)
	got, err := r.Resume(t.Context(), claim(s, r.Node()))
	must(t, err)
	if got.Player != s.Player {
		t.Errorf("player %q came back as %q", s.Player, got.Player)
	}
	s.Player = "two\nlines"
	if _, err := r.Create(t.Context(), s); err == nil || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Create with a line break in an id: %v, want an error of its own", err)
	}
}
