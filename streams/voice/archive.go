package voice

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// keptMS is how much of a call is at hand: the 10 s before an event, the 5 s after
	// it, and the time that a verdict may take.
	keptMS = 30_000
	// converge is how long a decoder needs that starts within a stream (RFC 7845
	// section 4.6).
	convergeMS = 80
	perMS      = engines.SoundRate / 1000
	// mostKept bounds the packets whatever their times: 30 s of 5 ms. Full-rule: the
	// oldest go, a page at a time.
	mostKept = 6000
)

// piece is a packet, or a block of sound, and where in the call it lies.
type piece struct {
	at      int64 // samples at engines.SoundRate
	samples int32
	payload []byte
}

// page holds pieces one behind the other, each as its head and its payload: a call has
// thousands of small packets at hand, and one by one they would take twice the room. What
// is written of it does not change, so that it may be read while more is.
type page struct {
	data  []byte
	n     int
	until int64 // where its last piece ends
}

const (
	pageSize  = 4 << 10
	pieceHead = 8 + 4 + 4 // at, samples, length
)

// archive keeps the last of a call as it came: Opus packets, or PCM16 at
// engines.SoundRate where the call has no packets. Its methods are safe for concurrent use.
type archive struct {
	pcm   bool
	mu    sync.Mutex
	pages []page // oldest first
	n     int    // pieces
}

// put keeps a piece, of whose payload it makes a copy.
func (a *archive) put(p piece) {
	a.mu.Lock()
	defer a.mu.Unlock()
	need := pieceHead + len(p.payload)
	if last := len(a.pages) - 1; last < 0 || len(a.pages[last].data)+need > cap(a.pages[last].data) {
		a.pages = append(a.pages, page{data: make([]byte, 0, max(pageSize, need))})
	}
	g := &a.pages[len(a.pages)-1]
	g.data = binary.LittleEndian.AppendUint64(g.data, uint64(p.at))           //nolint:gosec // it comes back as it was
	g.data = binary.LittleEndian.AppendUint32(g.data, uint32(p.samples))      //nolint:gosec // as above
	g.data = binary.LittleEndian.AppendUint32(g.data, uint32(len(p.payload))) //nolint:gosec // a packet's
	g.data = append(g.data, p.payload...)
	g.until = p.at + int64(p.samples)
	g.n++
	a.n++
	gone := 0
	for a.pages[gone].until < p.at-keptMS*perMS || a.n > mostKept {
		a.n -= a.pages[gone].n
		gone++
	}
	a.pages = slices.Delete(a.pages, 0, gone)
}

// between returns the pieces that lie in a stretch, given in ms. What is too old and only
// still there because its page is does not count.
func (a *archive) between(from, to int64) []piece {
	a.mu.Lock()
	pages := slices.Clone(a.pages)
	a.mu.Unlock()
	if len(pages) > 0 {
		from = max(from, pages[len(pages)-1].until/perMS-keptMS)
	}
	var list []piece
	for _, g := range pages {
		if g.until <= from*perMS {
			continue
		}
		for b := g.data; len(b) > 0; {
			p := piece{
				at:      int64(binary.LittleEndian.Uint64(b)),     //nolint:gosec // see put
				samples: int32(binary.LittleEndian.Uint32(b[8:])), //nolint:gosec // as above
			}
			end := pieceHead + int(binary.LittleEndian.Uint32(b[12:]))
			p.payload = b[pieceHead:end:end]
			b = b[end:]
			if p.at+int64(p.samples) > from*perMS && p.at < to*perMS {
				list = append(list, p)
			}
		}
	}
	return list
}

// start is when the first piece begins that is left of a stretch, in ms; where the
// stretch does, where it begins within a piece, or nothing is left.
func (a *archive) start(from, to int64) int64 {
	from = max(from, 0)
	if left := a.between(from, to); len(left) > 0 {
		return max(from, left[0].at/perMS)
	}
	return from
}

// clip is a stretch of the call, in ms, as a file that begins at from: what is not left
// of it is silence. mime says of which kind it is. It has nothing where nothing is left,
// or so little that more than the archive keeps would be silence.
func (a *archive) clip(from, to int64) (file []byte, mime string) {
	from = max(from, 0)
	if a.pcm {
		return a.wav(from, to), "audio/wav"
	}
	return a.ogg(from, to), "audio/ogg"
}

func (a *archive) ogg(from, to int64) []byte {
	pieces := a.between(max(from-convergeMS, 0), to)
	if len(pieces) == 0 || pieces[0].at > (from+keptMS)*perMS {
		return nil
	}
	channels := 1
	for _, p := range pieces {
		if opusStereo(p.payload) {
			channels = 2
			break
		}
	}
	const toClock = clock / engines.SoundRate
	at := min(pieces[0].at, from*perMS)
	skip := min((from*perMS-at)*toClock, 0xffff)
	w := newOgg(channels, uint16(skip)) //nolint:gosec // bounded above
	for _, p := range pieces {
		for ; p.at-at >= 320; at += 320 { // 20 ms of silence each: what was not sent is no sound, and takes time
			w.add(silence, 960)
		}
		n := opusSamples(p.payload)
		w.add(p.payload, n)
		at = max(at, p.at) + int64(n/toClock)
	}
	return w.close()
}

// wav is 16 bit PCM, mono.
func (a *archive) wav(from, to int64) []byte {
	pieces := a.between(from, to)
	if len(pieces) == 0 || pieces[0].at > (from+keptMS)*perMS {
		return nil
	}
	last := pieces[len(pieces)-1]
	data := make([]byte, 2*(last.at+int64(last.samples)-from*perMS))
	for _, p := range pieces {
		at, sound := 2*(p.at-from*perMS), p.payload
		if at < 0 { // it begins before
			at, sound = 0, sound[min(-at, int64(len(sound))):]
		}
		copy(data[at:], sound)
	}
	out := append(make([]byte, 0, 44+len(data)), "RIFF"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(36+len(data))) //nolint:gosec // a minute at most
	out = append(out, "WAVEfmt "...)
	out = binary.LittleEndian.AppendUint32(out, 16)
	out = binary.LittleEndian.AppendUint16(out, 1)
	out = binary.LittleEndian.AppendUint16(out, 1)
	out = binary.LittleEndian.AppendUint32(out, engines.SoundRate)
	out = binary.LittleEndian.AppendUint32(out, 2*engines.SoundRate)
	out = binary.LittleEndian.AppendUint16(out, 2)
	out = binary.LittleEndian.AppendUint16(out, 16)
	out = append(out, "data"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(data))) //nolint:gosec // as above
	return append(out, data...)
}
