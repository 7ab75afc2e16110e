package decode

import (
	"encoding/binary"
	"io"

	"github.com/hajimehoshi/go-mp3"
)

// feed gives a decoder whole frames, one after the other, and counts them. The decoder
// sees nothing else of a file: no tags, whose sizes it would believe, and no junk.
type feed struct {
	walk  mpegWalk
	rest  []byte
	given int64 // frames begun
	// have is how many bytes of the frames before the decoder holds, of which the next
	// may begin with some; mute is set while one would begin with more than there are.
	have int
	mute bool
}

func (f *feed) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		if f.rest = f.walk.next(); f.rest == nil {
			return 0, io.EOF
		}
		f.given++
		f.borrow()
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// borrow looks how far back the frame's data begins (main_data_begin). Where that was
// lost, what the decoder makes of it is noise, which no player plays.
func (f *feed) borrow() {
	h, _ := parseMPEG(f.rest)
	at := 4
	if f.rest[1]&1 == 0 { // a checksum
		at += 2
	}
	main := len(f.rest) - at - h.side()
	if main < 0 {
		f.mute, f.have = true, 0
		return
	}
	back := int(f.rest[at])
	if h.version == 1 {
		back = back<<1 | int(f.rest[at+1]>>7)
	}
	if f.mute = back > f.have; f.mute {
		f.have += main
		return
	}
	f.have = back + main
}

// mp3Player decodes frames, those that the decoder does not survive excepted: they are
// silence, and the next one begins with a decoder of its own.
type mp3Player struct {
	s       *sink
	feed    feed
	samples int64 // of a frame
	done    int64 // frames that were handed on
	bad     int64
	buf     []byte
	block   []float32
}

// unpackMP3 decodes frame by frame. A tenth of them may be bad.
func unpackMP3(s *sink, from mpegWalk) error {
	p := mp3Player{s: s, feed: feed{walk: from}, samples: int64(from.first.samples), buf: make([]byte, from.first.samples*4)}
	for ended := false; !ended; {
		var err error
		if ended, err = p.run(); err != nil {
			return err
		}
		missed := p.feed.given - p.done
		p.bad, p.done = p.bad+missed, p.feed.given
		if err := s.silence(int(missed * p.samples)); err != nil {
			return err
		}
		p.feed.rest, p.feed.have = nil, 0
	}
	if p.bad*10 > p.done {
		return damaged("%d of its %d frames can't be decoded", p.bad, p.done)
	}
	return nil
}

// run decodes with one decoder until the end, or until a frame that it can't do.
func (p *mp3Player) run() (ended bool, err error) {
	d, e := p.open()
	for e == nil {
		var n int
		if n, e = p.read(d); e != nil {
			break
		}
		if err := p.hand(p.buf[:n]); err != nil {
			return true, err
		}
		p.done++
	}
	rest := p.feed.walk
	return rest.next() == nil, nil
}

// errPanic stands for a panic of the decoder.
var errPanic = damaged("the decoder gave up")

func (p *mp3Player) open() (d *mp3.Decoder, err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	return mp3.NewDecoder(&p.feed)
}

// read is the sound of one frame: 16 bits, two channels.
func (p *mp3Player) read(d *mp3.Decoder) (n int, err error) {
	defer func() {
		if recover() != nil {
			n, err = 0, errPanic
		}
	}()
	return io.ReadFull(d, p.buf)
}

func (p *mp3Player) hand(b []byte) error {
	p.block = p.block[:0]
	if p.feed.mute {
		clear(b)
	}
	for ; len(b) >= 4; b = b[4:] {
		p.block = append(p.block, float32(int16(binary.LittleEndian.Uint16(b)))/(1<<15))
		if p.s.channels == 2 {
			p.block = append(p.block, float32(int16(binary.LittleEndian.Uint16(b[2:])))/(1<<15))
		}
	}
	return p.s.push(p.block)
}
