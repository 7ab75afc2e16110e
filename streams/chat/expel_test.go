package chat

import (
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// bans keeps players out, and remembers who was named.
type bans struct {
	mu         sync.Mutex
	out, named map[engines.PlayerID]bool
	until      map[engines.PlayerID]time.Time
}

func (b *bans) Excluded(_ engines.AppID, p engines.PlayerID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out[p]
}

func (b *bans) Until(_ engines.AppID, p engines.PlayerID) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.until[p]
}

func (b *bans) Named(_ engines.AppID, p engines.PlayerID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.named == nil {
		b.named = map[engines.PlayerID]bool{}
	}
	b.named[p] = true
}

func (b *bans) set(out ...engines.PlayerID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out = map[engines.PlayerID]bool{}
	for _, p := range out {
		b.out[p] = true
	}
}

// wantBanned wants the notice of a ban, with its end where it has one, and then the
// close.
func (c *client) wantBanned(until string) {
	c.t.Helper()
	m := c.expect("notice")
	if m.str("kind") != "ban" || m.str("until") != until || m.str("text") == "" || m.num("seq") == 0 {
		c.t.Errorf("notice of the ban: %v, want it until %q", m, until)
	}
	c.wantClosed(wire.CloseBanned)
}

// The notice says until when, in the language of the ticket or else in English.
func TestBanText(t *testing.T) {
	until := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		language string
		until    time.Time
		want     string
	}{
		{"", time.Time{}, "Your account is banned."},
		{"en-GB", until, "Your account is banned until 2030-01-02 03:04 UTC."},
		{"ja-JP", until, "あなたのアカウントは2030-01-02 03:04 UTCまで利用停止です。"},
		{"zh", time.Time{}, "您的账号已被封禁。"},
		{"zh_TW", time.Time{}, "您的帳號已被停權。"},
		{"zh-Hant-HK", until, "您的帳號已被停權至 2030-01-02 03:04 UTC。"},
		{"zh-Hans-TW", time.Time{}, "您的账号已被封禁。"},
		{"KO", time.Time{}, "계정이 정지되었습니다."},
		{"xx", time.Time{}, "Your account is banned."},
	} {
		if got := textFor(test.language, banForGood, test.until); got != test.want {
			t.Errorf("textFor(%q, %v) = %q, want %q", test.language, test.until, got, test.want)
		}
	}
}

// A player that is banned for a time learns until when, while its session is open
// and at each try to come back.
func TestBanNotice(t *testing.T) {
	w := newWorld()
	a := serve(t, w, "a", testConfig(), desk(words))
	bob := login(t, a, "player bob lobby")
	a.bans.set("bob")
	a.bans.until = map[engines.PlayerID]time.Time{"bob": time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	a.hub.Expel(a.session(bob).app, "bob")
	bob.wantBanned("2030-01-02T03:04:05.000Z")
	c := dial(t, a)
	c.send(message{"type": "hello", "token": "player bob lobby"})
	c.wantBanned("2030-01-02T03:04:05.000Z")
}

// A banned player is sent away, can neither come back nor resume, here or
// elsewhere, and may once the ban has ended. Others stay.
func TestExpel(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	bob, ann := login(t, a, "player bob lobby"), login(t, a, "player ann lobby")
	if !a.bans.named["bob"] {
		t.Error("bob was not named")
	}
	a.bans.set("bob")
	b.bans.set("bob")
	app := a.session(bob).app
	a.hub.Expel(app, "bob")
	a.hub.Expel(app, "nobody")
	bob.wantBanned("")
	ann.settle()
	for _, g := range []*gate{a, b} {
		c := dial(t, g)
		c.send(message{"type": "hello", "token": "player bob lobby"})
		c.wantBanned("")
		c = dial(t, g)
		c.send(bob.claim())
		switch m, err := c.read(); {
		case err == nil && m.str("type") == "reset": // the session is gone by now
			c.send(message{"type": "hello", "token": "player bob lobby"})
			c.wantBanned("")
		case err == nil && m.str("kind") == "ban": // it was about to go
			c.wantClosed(wire.CloseBanned)
		case websocket.CloseStatus(err) != wire.CloseBanned: // it was about to go
			t.Errorf("resume: %v, %v", m, err)
		}
	}
	a.bans.set()
	login(t, a, "player bob lobby").settle()
}

// A ban that comes while its player is away ends the resume, wherever it is tried.
func TestResumeOfBanned(t *testing.T) {
	for _, where := range []string{"here", "elsewhere"} {
		t.Run(where, func(t *testing.T) {
			w := newWorld()
			a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
			bob := login(t, a, "player bob lobby")
			bob.settle()
			bob.cut()
			back := a
			if where == "elsewhere" {
				back = b
			}
			back.bans.set("bob")
			c := dial(t, back)
			c.send(bob.claim())
			c.wantBanned("")
		})
	}
}
