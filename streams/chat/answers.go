package chat

import (
	"encoding/binary"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
)

// An answer is kept for two minutes, so that a client that is not sure may send
// its message again. Full-rule: the oldest is forgotten first.
const (
	answerLife      = 2 * time.Minute
	answersOfPlayer = 32 << 10 // bytes
	answersOfServer = 16 << 20
)

// answers keeps answers by the client's id. They lie one behind the other in a
// single buffer without pointers, since thousands of players have dozens each
// and the garbage collector would walk them all.
type answers struct {
	mu    sync.Mutex
	most  int
	buf   []byte            // entries, oldest first, from head on
	head  int               // where the oldest entry begins
	base  uint64            // how many bytes were dropped before buf[0]
	index map[uint64]uint64 // hash of the id → base-relative place
}

// An entry is: length u32, Unix second u32, body hash u64, id length u8, id, frame.
const answerHead = 4 + 4 + 8 + 1

// get finds the answer to id. conflict is true when the id was used for another body.
func (a *answers) get(id string, body uint64, now time.Time) (frame []byte, found, conflict bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.index[xxhash.Sum64String(id)]
	if !ok {
		return nil, false, false
	}
	e := a.buf[at-a.base:]
	n := int(e[16])
	if string(e[answerHead:answerHead+n]) != id || expired(e, now) {
		return nil, false, false
	}
	if binary.LittleEndian.Uint64(e[8:]) != body {
		return nil, true, true
	}
	size := binary.LittleEndian.Uint32(e)
	return append([]byte(nil), e[answerHead+n:size]...), true, false
}

func expired(e []byte, now time.Time) bool {
	return now.Unix()-int64(binary.LittleEndian.Uint32(e[4:])) > int64(answerLife/time.Second)
}

// put keeps an answer; frame is copied.
func (a *answers) put(id string, body uint64, frame []byte, now time.Time) {
	size := answerHead + len(id) + len(frame)
	if size > a.most {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.drop(size, now)
	at := a.base + uint64(len(a.buf))
	a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(size))
	a.buf = binary.LittleEndian.AppendUint32(a.buf, uint32(now.Unix()))
	a.buf = binary.LittleEndian.AppendUint64(a.buf, body)
	a.buf = append(a.buf, byte(len(id)))
	a.buf = append(a.buf, id...)
	a.buf = append(a.buf, frame...)
	if a.index == nil {
		a.index = map[uint64]uint64{}
	}
	a.index[xxhash.Sum64String(id)] = at
}

// drop forgets what has expired and what must go to make room. The buffer moves
// down once half of it is free, so an entry is copied about once in its life.
func (a *answers) drop(room int, now time.Time) {
	for a.head < len(a.buf) && (expired(a.buf[a.head:], now) || len(a.buf)-a.head+room > a.most) {
		e := a.buf[a.head:]
		key := xxhash.Sum64(e[answerHead : answerHead+int(e[16])])
		if a.index[key] == a.base+uint64(a.head) { // not when the id was used again since
			delete(a.index, key)
		}
		a.head += int(binary.LittleEndian.Uint32(e))
	}
	if a.head > len(a.buf)/2 {
		a.base += uint64(a.head)
		a.buf = append(a.buf[:0], a.buf[a.head:]...)
		a.head = 0
	}
}

// bodyHash tells one message from another under the same id.
func bodyHash(parts ...string) uint64 {
	d := xxhash.New()
	for _, p := range parts {
		_, _ = d.WriteString(p) // never fails
		_, _ = d.WriteString("\x00")
	}
	return d.Sum64()
}
