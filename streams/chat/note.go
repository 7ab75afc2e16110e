package chat

import (
	"encoding/binary"
	"errors"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

// A note is what gateways tell each other about a session.
type note struct {
	Kind    noteKind
	Session engines.SessionID
	From    string
	// Fence, in noteMoved, is the new owner's.
	Fence int64
	// Lost, in noteReleased: pushes up to this one may be missing in the log.
	Lost uint64
	// Tail, in noteReleased, is what was pushed last, in the log or not.
	Tail []session.Entry
}

type noteKind byte

const (
	// noteReplaced: the player opened a session elsewhere.
	noteReplaced noteKind = 'r'
	// noteMoved: the session was resumed elsewhere; let go of it and answer
	// noteReleased.
	noteMoved noteKind = 'm'
	// noteReleased answers noteMoved.
	noteReleased noteKind = 'o'
)

// noteVersion is raised when the form changes: gateways of two releases run side
// by side while one is rolled out.
const noteVersion = 1

var errNote = errors.New("chat: malformed note")

// encode is the note's form on the bus: version, kind, then numbers as varints and
// strings with their length in front.
func (n note) encode() []byte {
	b := []byte{noteVersion, byte(n.Kind)}
	b = appendField(appendField(b, string(n.Session)), n.From)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(n.Fence)), n.Lost)
	for _, e := range n.Tail {
		b = appendField(binary.AppendUvarint(b, e.Seq), string(e.Message))
		b = appendField(b, string(e.Frame))
	}
	return b
}

func appendField(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func readNote(payload []byte) (n note, err error) {
	if len(payload) < 2 || payload[0] != noteVersion {
		return n, errNote
	}
	n.Kind = noteKind(payload[1])
	f := fields{rest: payload[2:]}
	n.Session, n.From = engines.SessionID(f.text()), string(f.text())
	n.Fence, n.Lost = int64(f.number()), f.number()
	for len(f.rest) > 0 && !f.bad {
		n.Tail = append(n.Tail, session.Entry{Seq: f.number(), Message: engines.RequestID(f.text()), Frame: f.text()})
	}
	if f.bad {
		return note{}, errNote
	}
	return n, nil
}

// fields reads a note; bad is set once it ends too early.
type fields struct {
	rest []byte
	bad  bool
}

func (f *fields) number() uint64 {
	n, size := binary.Uvarint(f.rest)
	if size <= 0 {
		f.bad, f.rest = true, nil
		return 0
	}
	f.rest = f.rest[size:]
	return n
}

func (f *fields) text() []byte {
	n := f.number()
	if n > uint64(len(f.rest)) {
		f.bad, f.rest = true, nil
		return nil
	}
	s := f.rest[:n:n]
	f.rest = f.rest[n:]
	return s
}
