package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// ChunkSpan is how far apart, by their ids, the messages of one chunk are at the most.
// Who looks for a message looks no further back than that for the chunk it is in.
const ChunkSpan = 10 * time.Minute

// SceneChunk is some messages of one scene, written together: a row for each of them
// costs several times as much as all else that a message costs.
//
// Its body holds the messages one after the other, in the order in which they came.
// Ids of players and content stand in it as they are, so that a chunk that holds a
// player can be found without taking it apart. It is not compressed: what a chunk holds
// that repeats is mostly ids, which are packed.
type SceneChunk struct {
	App         engines.AppID
	Scene       engines.SceneID
	First, Last engines.RequestID // the lowest and the highest id
	Messages    int
	Body        []byte
}

// What an entry of a body leaves out or holds in another form.
const (
	packedMessage = 1 << iota // the id is 16 bytes
	packedSession
	isDelivered // the state is
)

const stateDelivered = "delivered"

var errChunk = errors.New("the chunk is cut off")

// Takes reports whether a message may be added.
func (c *SceneChunk) Takes(m engines.RequestID) bool {
	if c.Messages == 0 {
		return true
	}
	at, ok := MessageTime(m)
	first, has := MessageTime(c.First)
	last, had := MessageTime(c.Last)
	if !ok || !has || !had {
		return ok == has && has == had // ids that are no times, by themselves
	}
	return at.Sub(first) <= ChunkSpan && last.Sub(at) <= ChunkSpan
}

// Add adds a message of the chunk's app and scene.
func (c *SceneChunk) Add(m *SceneMessage) {
	at := len(c.Body)
	b := append(c.Body, 0)
	var flags byte
	packed := func(id string, flag byte) {
		raw, ok := packID(id)
		if !ok {
			b = appendText(b, id)
			return
		}
		flags |= flag
		b = append(b, raw[:]...)
	}
	packed(string(m.Message), packedMessage)
	packed(string(m.Session), packedSession)
	if m.State == stateDelivered {
		flags |= isDelivered
	} else {
		b = appendText(b, m.State)
	}
	b = appendText(b, string(m.Player))
	b = appendText(b, m.Language)
	b = appendText(b, m.Content)
	b = binary.AppendVarint(b, m.Sent.UnixMilli())
	b[at] = flags
	c.Body = b
	if c.Messages == 0 || m.Message < c.First {
		c.First = m.Message
	}
	if c.Messages == 0 || m.Message > c.Last {
		c.Last = m.Message
	}
	c.Messages++
}

// ChunkNeedle is how a message's id stands in the body of its chunk.
func ChunkNeedle(m engines.RequestID) []byte {
	if raw, ok := packID(string(m)); ok {
		return raw[:]
	}
	return []byte(m)
}

// Read returns the messages in the order in which they came.
func (c *SceneChunk) Read() ([]SceneMessage, error) {
	r := chunkReader{rest: c.Body}
	var out []SceneMessage
	for len(r.rest) > 0 && r.err == nil {
		flags := r.bytes(1)
		if r.err != nil {
			break
		}
		m := SceneMessage{App: c.App, Scene: c.Scene, State: stateDelivered}
		m.Message = engines.RequestID(r.id(flags[0]&packedMessage != 0))
		m.Session = engines.SessionID(r.id(flags[0]&packedSession != 0))
		if flags[0]&isDelivered == 0 {
			m.State = r.text()
		}
		m.Player, m.Language, m.Content = engines.PlayerID(r.text()), r.text(), r.text()
		ms, n := binary.Varint(r.rest)
		if n <= 0 {
			r.fail()
		} else {
			r.rest = r.rest[n:]
		}
		m.Sent = time.UnixMilli(ms).UTC()
		out = append(out, m)
	}
	if r.err != nil {
		return nil, fmt.Errorf("chunk of scene %s at %s: %w", c.Scene, c.First, r.err)
	}
	return out, nil
}

// chunkReader takes a body apart; after a failure all that it reads is empty.
type chunkReader struct {
	rest []byte
	err  error
}

func (r *chunkReader) fail() { r.rest, r.err = nil, errChunk }

func (r *chunkReader) bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *chunkReader) text() string {
	n, used := binary.Uvarint(r.rest)
	if used <= 0 || n > uint64(len(r.rest)) {
		r.fail()
		return ""
	}
	r.rest = r.rest[used:]
	return string(r.bytes(int(n)))
}

func (r *chunkReader) id(packed bool) string {
	if !packed {
		return r.text()
	}
	b := r.bytes(idBytes)
	if b == nil {
		return ""
	}
	return unpackID([idBytes]byte(b))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
