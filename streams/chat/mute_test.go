package chat

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// mutes are players who may not write, or speak.
type mutes struct {
	mu          sync.Mutex
	text, voice map[engines.PlayerID]time.Time
}

func (m *mutes) set(voice bool, p engines.PlayerID, until time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.text == nil {
		m.text, m.voice = map[engines.PlayerID]time.Time{}, map[engines.PlayerID]time.Time{}
	}
	if voice {
		m.voice[p] = until
	} else {
		m.text[p] = until
	}
}

func (m *mutes) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.text, m.voice = nil, nil
}

func (m *mutes) Muted(_ engines.AppID, p engines.PlayerID) (time.Time, engines.Category, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	until, ok := m.text[p]
	return until, engines.Hate, ok
}

func (m *mutes) VoiceMuted(_ engines.AppID, p engines.PlayerID) (time.Time, engines.Category, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	until, ok := m.voice[p]
	return until, engines.Hate, ok
}

// players are known by their language and by what they have not seen.
type players struct {
	mu       sync.Mutex
	language map[engines.PlayerID]string
	untold   map[engines.PlayerID]func()
}

func (k *players) Arrived(_ engines.AppID, p engines.PlayerID) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.untold[p] != nil
}

func (k *players) TellWarnings(_ engines.AppID, p engines.PlayerID) {
	k.mu.Lock()
	tell := k.untold[p]
	delete(k.untold, p)
	k.mu.Unlock()
	tell()
}

func (k *players) Language(_ engines.AppID, p engines.PlayerID) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.language[p]
}

// Every language has every text, and those with an end a place for it.
func TestTexts(t *testing.T) {
	for _, language := range []string{"en", "ja", "zh", "zh-hant", "ko"} {
		if _, ok := texts[language]; !ok {
			t.Errorf("no texts in %s", language)
		}
	}
	ends := map[textID]bool{}
	for _, id := range untilOf {
		ends[id] = true
	}
	for language, list := range texts {
		seen := map[string]bool{}
		for id, text := range list {
			if text == "" || seen[text] {
				t.Errorf("%s: text %d is missing, or stands twice: %q", language, id, text)
			}
			seen[text] = true
			want := 0
			if ends[textID(id)] {
				want = 1
			}
			if strings.Count(text, "%") != want {
				t.Errorf("%s: text %d has not %d places for a time: %q", language, id, want, text)
			}
		}
	}
}

// A muted player's message is answered with when it may write again, and reaches
// nobody; a game server's on its behalf too. Others write on, and so does the player
// once the mute is over.
func TestMuted(t *testing.T) {
	w := newWorld()
	checked := 0
	a := serve(t, w, "a", testConfig(), desk(func(it *engines.Item) (engines.Outcome, error) { checked++; return words(it) }))
	ann, bob := login(t, a, "bare ann lobby"), login(t, a, "player bob lobby")
	server := login(t, a, "server")
	server.join("lobby")
	app := a.session(ann).app
	a.players.language = map[engines.PlayerID]string{"ann": "ja"}
	until := time.Now().Add(time.Hour).Truncate(time.Second)
	a.mutes.set(false, "ann", until)
	a.hub.Mute(app, "ann", false, until, engines.Hate)
	a.hub.Mute(app, "stranger", false, until, engines.Hate)
	n := ann.expect("notice")
	if n.str("kind") != "mute" || n.str("scope") != "text" || n.str("category") != "hate" || n.num("seq") == 0 ||
		n.str("until") != until.UTC().Format("2006-01-02T15:04:05.000Z") || !strings.Contains(n.str("text"), "書き込むことはできません") {
		t.Errorf("notice of the mute: %v", n)
	}
	refused := func(c *client, m message) {
		t.Helper()
		c.send(m)
		e := c.expect("error")
		if e.num("code") != 1004 || e.str("id") != m.str("id") || e.str("until") != n.str("until") || e.num("retry_ms") == 0 {
			t.Errorf("answer to a muted player: %v", e)
		}
	}
	refused(ann, message{"type": "chat", "id": "1", "scene_id": "lobby", "content": "can you hear me"})
	refused(server, message{"type": "chat", "id": "2", "scene_id": "lobby", "player_id": "ann", "content": "can you hear me"})
	if checked != 0 {
		t.Errorf("%d messages that reach nobody were checked", checked)
	}
	bob.say("3", "I write on")
	ann.settle()
	a.hub.Unmute(app, "ann", false)
	a.mutes.clear()
	if n := ann.expect("notice"); n.str("kind") != "unmute" || n.str("scope") != "text" || n["until"] != nil || n.str("text") == "" {
		t.Errorf("notice of the end: %v", n)
	}
	ann.say("1", "now you do") // the id of the message that was refused is free
	bob.wantSaid([]string{"now you do"})
	// For good: no time, and no time to try again. A mute in voice does not keep from writing.
	a.mutes.set(false, "bob", time.Time{})
	bob.send(message{"type": "chat", "id": "4", "scene_id": "lobby", "content": "x"})
	if e := bob.expect("error"); e.num("code") != 1004 || e["until"] != nil || e["retry_ms"] != nil {
		t.Errorf("answer to one muted for good: %v", e)
	}
	a.mutes.clear()
	a.mutes.set(true, "bob", time.Time{})
	bob.say("5", "still writing")
}

// Who opens a session, or takes it up at another gateway, learns that it is muted, and
// stays so; warnings that it has not seen come too.
func TestMutedArrives(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	for _, g := range []*gate{a, b} {
		g.mutes.set(false, "ann", time.Time{})
		g.mutes.set(true, "ann", time.Time{})
	}
	a.players.untold = map[engines.PlayerID]func(){"cid": func() { a.hub.Warn("game", "cid", engines.Spam) }}
	ann := login(t, a, "player ann lobby")
	kinds := func(c *client, n int) (list []string) {
		t.Helper()
		for range n {
			m := c.expect("notice")
			list = append(list, m.str("kind")+" "+m.str("scope")+m.str("category"))
		}
		return list
	}
	ann.settle()
	ann.wantResumed(b, 0)
	if got := kinds(ann, 2); got[0] != "mute texthate" || got[1] != "mute voicehate" {
		t.Errorf("at the other gateway: %q", got)
	}
	ann.send(message{"type": "chat", "id": "1", "scene_id": "lobby", "content": "x"})
	if e := ann.expect("error"); e.num("code") != 1004 {
		t.Errorf("after the resume: %v", e)
	}
	ann.wantResumed(b, 0) // where it is known to have been told
	ann.settle()

	dan := dial(t, a)
	dan.send(message{"type": "hello", "token": "player ann lobby"})
	dan.expect("ready")
	if got := kinds(dan, 2); got[0] != "mute texthate" {
		t.Errorf("at a hello: %q", got)
	}
	cid := dial(t, a)
	cid.send(message{"type": "hello", "token": "player cid lobby"})
	cid.expect("ready")
	if got := kinds(cid, 1); got[0] != "warning spam" {
		t.Errorf("a warning that waited: %q", got)
	}
	// One that is given while the player is away waits for it as well.
	if !a.hub.Here("game", "cid") || a.hub.Here("game", "nobody") {
		t.Error("cid is not here, or somebody is who never was")
	}
	eve := login(t, a, "player eve lobby")
	eve.cut()
	eventually(t, "eve has gone", func() bool { return !a.hub.Here("game", "eve") })
	a.players.mu.Lock()
	a.players.untold["eve"] = func() { a.hub.Warn("game", "eve", engines.Sexual) }
	a.players.mu.Unlock()
	eve.wantResumed(a, 0)
	if got := kinds(eve, 1); got[0] != "warning sexual" {
		t.Errorf("a warning that waited for a resume: %q", got)
	}
}

// A policy that warns tells the player, not the game server that asked for it.
func TestVerdictWarns(t *testing.T) {
	w := newWorld()
	a := serve(t, w, "a", testConfig(), desk(func(*engines.Item) (engines.Outcome, error) {
		out := verdict(engines.Deliver)
		out.Verdict.Warn, out.Verdict.Labels = true, []engines.Label{{Category: engines.Harassment}}
		return out, nil
	}))
	ann := login(t, a, "player ann lobby")
	v := ann.say("1", "you fool")
	n := ann.expect("notice")
	if v["warn"] != true || n.str("kind") != "warning" || n.str("category") != "harassment" || n.str("request_id") != v.str("request_id") || n.str("text") == "" {
		t.Errorf("verdict %v, notice %v", v, n)
	}
	s := a.session(ann)
	it := &engines.Item{App: s.app, Player: "ann", Session: s.id, Scene: "lobby"}
	late := verdict(engines.Deliver)
	late.RequestID, late.Verdict.Warn, late.Verdict.Labels = "r9", true, []engines.Label{{Category: engines.Hate}}
	a.hub.Late(it, late)
	if n := ann.expect("notice"); n.str("category") != "hate" || n.str("request_id") != "r9" {
		t.Errorf("late warning: %v", n)
	}
}
