package chat

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// A client that goes on past its rate is told so; after this many refusals the
// connection closes with 4029. A message within the rate pardons some of them: who sends up
// to four times its rate is told, no more. Were it all of them, who sends a hundred times
// its rate would never be closed, and nobody by a gateway that is busy.
const (
	refusalsBeforeClose = 100
	pardons             = 3
)

// What a player may send besides chat (joins, pings, and what nobody understands):
// enough to join every scene at once.
const (
	otherRate  = 20
	otherBurst = 2 * maxJoined
)

var frames = sync.Pool{New: func() any { b := make([]byte, 0, 2048); return &b }}

var errClosed = errors.New("chat: connection closed")

// read reads one text frame.
func (l *link) read(buf []byte) ([]byte, error) {
	typ, in, err := l.ws.Reader(context.Background())
	if err != nil {
		return nil, err
	}
	return l.finish(typ, in, buf)
}

func readAll(r io.Reader, buf []byte) ([]byte, error) {
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
}

// reader is one message being answered.
type reader struct {
	s   *Session
	l   *link
	out []byte // the answer being built
}

// read handles one message after another, so that a player's messages keep their
// order and one that does not read its answers is not read from either. While it
// waits it holds no buffer and little stack: nothing but the calls down to the
// socket.
func (s *Session) read(l *link) {
	defer func() {
		s.detach(l)
		l.hub.done(l, recover())
	}()
	for {
		typ, in, err := l.ws.Reader(context.Background())
		if err != nil || !s.one(l, typ, in) {
			return
		}
	}
}

// one answers one frame; false ends the connection.
func (s *Session) one(l *link, typ websocket.MessageType, in io.Reader) bool {
	buf := frames.Get().(*[]byte)  //nolint:errcheck // the pool holds nothing else
	out := scratch.Get().(*[]byte) //nolint:errcheck // the pool holds nothing else
	r := reader{s: s, l: l, out: (*out)[:0]}
	defer func() {
		const keep = 16 << 10 // a rare large frame does not stay in the pool
		if *out = r.out; cap(*out) <= keep {
			scratch.Put(out)
		}
		if cap(*buf) <= keep {
			frames.Put(buf)
		}
	}()
	if s.bridges(typ) {
		var goesOn bool
		*buf, goesOn = r.sound(in, *buf)
		return goesOn
	}
	var err error
	if *buf, err = l.finish(typ, in, *buf); err != nil {
		return false
	}
	if !s.holds(l) {
		return true // it is being closed: the client asks again over its next connection
	}
	return r.frame(*buf)
}

// finish reads the rest of a frame. It closes the connection for a frame of the
// wrong kind and for bytes that are not UTF-8, which coder/websocket lets by.
func (l *link) finish(typ websocket.MessageType, in io.Reader, buf []byte) ([]byte, error) {
	if typ != text {
		l.close(wire.CloseWrongKind, "text frames only")
		return buf, errClosed
	}
	buf, err := readAll(in, buf[:0])
	if err != nil {
		return buf, err
	}
	if !utf8.Valid(buf) {
		l.close(wire.CloseBadUTF8, "not UTF-8")
		return buf, errClosed
	}
	l.heard.Store(time.Now().Unix())
	return buf, nil
}

// frame answers one frame; false ends the connection.
func (r *reader) frame(data []byte) bool {
	msg, err := wire.ReadMessage(data)
	if err == nil {
		switch msg.Type {
		case wire.TypeChat, wire.TypeCheck:
			return r.content(msg)
		case wire.TypeBatch:
			return r.batch(msg)
		}
	}
	if allowed, goesOn := r.allow(&r.s.mine.other, msg.ID); !allowed {
		return goesOn
	}
	if err != nil {
		return r.fail(msg.ID, err)
	}
	switch msg.Type {
	case wire.TypeJoin:
		return r.join(msg)
	case wire.TypeLeave:
		return r.leave(msg)
	case wire.TypePing:
		if _, _, err := wire.ReadPing(msg.Body); err != nil {
			return r.fail(msg.ID, err)
		}
		return r.send(wire.AppendPong(r.out, msg.ID))
	case wire.TypeReport:
		return r.report(msg)
	case wire.TypeVoiceOffer, wire.TypeVoiceCandidate, wire.TypeVoiceClose, wire.TypeVoiceOpen:
		return r.voice(msg)
	}
	return r.fail(msg.ID, wire.Invalid("/type", "not a message that a session takes"))
}

// send writes an answer; false when the connection is gone.
func (r *reader) send(frame []byte) bool {
	r.out = frame[:0]
	return r.l.write(frame) == nil
}

// fail answers with an error; the session goes on.
func (r *reader) fail(id string, err error) bool {
	e := wire.From(err)
	if e.Code == wire.Internal {
		r.s.hub.log.Error("stream: internal error", "app", r.s.app, "err", err)
	}
	return r.send(wire.AppendError(r.out, id, e))
}

// allow takes one message off the rate; when it may not, it answers and says
// whether the connection goes on.
func (r *reader) allow(rate *bucket, id string) (allowed, goesOn bool) {
	wait := rate.take(time.Now())
	if wait == 0 {
		r.s.mine.granted()
		return true, true
	}
	r.s.hub.m.limited.Inc()
	if r.s.mine.refused() {
		r.l.close(wire.CloseRateAbuse, "rate abuse")
		return false, false
	}
	e := wire.Fail(wire.RateLimited, "")
	e.RetryAfter = wait
	return false, r.fail(id, e)
}

// fill sets what the session knows about an item.
func (s *Session) fill(it *engines.Item) {
	it.App, it.Session, it.ReceivedAt = s.app, s.id, time.Now()
	if s.tags == nil {
		return
	}
	it.Segment, it.Region = s.tags.segment, s.tags.region
	if it.Language == "" {
		it.Language = s.tags.language
	}
}
