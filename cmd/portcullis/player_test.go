package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/coder/websocket"
)

// frame is one message of a stream.
type frame map[string]any

func (f frame) str(name string) string { s, _ := f[name].(string); return s }
func (f frame) num(name string) int    { n, _ := f[name].(float64); return int(n) }

// player is a client of the stream and what it needs to resume.
type player struct {
	from         *caller
	name         string
	scenes       []string
	ws           *websocket.Conn
	session      string
	token, epoch string
	last         int     // the newest seq that came
	pending      []frame // what came while something else was waited for
}

// dial opens a connection and says nothing yet.
func (p *player) dial(ctx context.Context) error {
	head := http.Header{}
	if p.from.cookie != "" { // a moderator
		head.Set("Cookie", p.from.cookie)
		head.Set("Origin", p.from.url)
	} else {
		ticket, err := p.from.ticket(p.name, p.scenes...)
		if err != nil {
			return err
		}
		head.Set("Authorization", "Bearer "+ticket)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ws, resp, err := websocket.Dial(ctx, p.from.url+"/api/v1/stream", &websocket.DialOptions{
		HTTPHeader: head, Subprotocols: []string{"portcullis.v1"},
	})
	if resp != nil && resp.Body != nil {
		err = errors.Join(err, resp.Body.Close())
	}
	if err != nil {
		return fmt.Errorf("dial as %s: %w", p.name, err)
	}
	p.ws = ws
	return nil
}

func (p *player) send(ctx context.Context, m frame) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return p.ws.Write(ctx, websocket.MessageText, text)
}

// next reads one message.
func (p *player) next(ctx context.Context) (frame, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, text, err := p.ws.Read(ctx)
	if err != nil {
		return nil, err
	}
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("frame %q: %w", text, err)
	}
	if n := f.num("seq"); n > 0 {
		if n != p.last+1 {
			return f, fmt.Errorf("%s: seq %d follows %d", p.name, n, p.last)
		}
		p.last = n
	}
	switch f.str("type") {
	case "ready":
		p.session, p.token, p.epoch, p.last = f.str("session_id"), f.str("resume_token"), f.str("epoch"), 0
	case "resumed":
		p.token = f.str("resume_token")
	}
	return f, nil
}

// until reads to the next message of a type, of the same id where one is given
// (an error that answers it will do). Others wait for later calls.
func (p *player) until(ctx context.Context, kind, id string) (frame, error) {
	fits := func(f frame) bool {
		if id == "" {
			return f.str("type") == kind
		}
		return f.str("id") == id && (f.str("type") == kind || f.str("type") == "error")
	}
	for i, f := range p.pending {
		if fits(f) {
			p.pending = append(p.pending[:i], p.pending[i+1:]...)
			return f, nil
		}
	}
	for {
		f, err := p.next(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s waits for %s %s: %w", p.name, kind, id, err)
		}
		if fits(f) {
			return f, nil
		}
		p.pending = append(p.pending, f)
	}
}

// hello opens a session.
func (p *player) hello(ctx context.Context) error {
	if err := p.dial(ctx); err != nil {
		return err
	}
	if err := p.send(ctx, frame{"type": "hello"}); err != nil {
		return err
	}
	_, err := p.until(ctx, "ready", "")
	return err
}

// resume takes the session up on a new connection, as one that saw everything
// up to p.last. It returns the first message: resumed or reset.
func (p *player) resume(ctx context.Context) (frame, error) {
	if err := p.dial(ctx); err != nil {
		return nil, err
	}
	err := p.send(ctx, frame{
		"type": "resume", "session_id": p.session, "resume_token": p.token, "epoch": p.epoch, "last_seq": p.last,
	})
	if err != nil {
		return nil, err
	}
	return p.next(ctx)
}

func (p *player) join(ctx context.Context, scene string) error {
	id := "join-" + scene
	if err := p.send(ctx, frame{"type": "join", "id": id, "scene_id": scene}); err != nil {
		return err
	}
	f, err := p.until(ctx, "ok", id)
	if err == nil && f.str("type") != "ok" {
		err = fmt.Errorf("%s joins %s: %v", p.name, scene, f)
	}
	return err
}

// say sends a chat message and returns its verdict.
func (p *player) say(ctx context.Context, id, scene, text string) (frame, error) {
	if err := p.send(ctx, frame{"type": "chat", "id": id, "scene_id": scene, "content": text}); err != nil {
		return nil, err
	}
	return p.until(ctx, "verdict", id)
}

// closed reads to the end and returns how the server closed.
func (p *player) closed(ctx context.Context) (code int, reason string) {
	for {
		_, err := p.next(ctx)
		if end, ok := errors.AsType[websocket.CloseError](err); ok {
			return int(end.Code), end.Reason
		}
		if err != nil {
			return -1, err.Error()
		}
	}
}

// cut drops the connection without a word.
func (p *player) cut() { p.ws.CloseNow() }

// lobby is the scene of tests that need no more than one.
const lobby = "lobby"

// enter opens a session in the lobby; it ends with the test.
func enter(t *testing.T, from *caller, name string) *player {
	t.Helper()
	p := &player{from: from, name: name, scenes: []string{lobby}}
	if err := p.hello(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cut() })
	if err := p.join(t.Context(), lobby); err != nil {
		t.Fatal(err)
	}
	return p
}
