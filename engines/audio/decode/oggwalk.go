package decode

import (
	"bytes"
	"encoding/binary"
)

// opusHead begins a stream of Opus in Ogg (RFC 7845 §5.1).
type opusHead struct {
	channels int
	skip     int // samples at 48 kHz that are not played
	gain     int // dB in parts of 256
}

// packetMost is how long a packet of sound may be; 120 ms at 512 kbit/s are 7,680
// bytes. Longer ones (a picture among the comments) are passed over.
const packetMost = 61440

// opusWalk goes from packet to packet of the Opus streams of an Ogg file, of which one
// may follow the other.
type opusWalk struct {
	data []byte
	at   int

	page   oggPage
	next   int // in page.lacing
	offset int // in page.body
	serial uint32
	begun  bool // a stream is open
	packet int  // counts those of the stream
	part   []byte
	lost   bool // what part would be the rest of is missing, or too long
	played bool // sound has come since the stream began
}

// step is the next packet of sound, or the head of a stream that begins; both are nil at
// the end. A packet is good until the next one.
func (w *opusWalk) step() (packet []byte, head *opusHead, err error) {
	for {
		for w.next < len(w.page.lacing) {
			whole := w.segment()
			if whole == nil {
				continue
			}
			if w.packet++; w.packet > 2 { // the head and the comments
				w.played = true
				return whole, nil, nil
			}
		}
		p, ok := nextPage(w.data, w.at)
		if !ok {
			return nil, nil, nil
		}
		w.at = p.end
		if p.flags&oggBegins != 0 {
			if head, err = w.begin(&p); head != nil || err != nil {
				return nil, head, err
			}
			continue
		}
		if !w.begun || p.serial != w.serial {
			continue
		}
		w.page, w.next, w.offset = p, 0, 0
		if p.flags&oggContinued == 0 {
			w.part, w.lost = w.part[:0], false
		} else if len(w.part) == 0 {
			w.lost = true
		}
	}
}

// segment adds the next segment to the packet, and returns that when it is whole.
func (w *opusWalk) segment() []byte {
	n := int(w.page.lacing[w.next])
	w.next++
	if len(w.part)+n > packetMost {
		w.part, w.lost = w.part[:0], true
	}
	if !w.lost {
		w.part = append(w.part, w.page.body[w.offset:w.offset+n]...)
	}
	w.offset += n
	if n == 255 {
		return nil
	}
	whole, lost := w.part, w.lost
	w.part, w.lost = w.part[:0], false
	if lost && w.packet >= 2 {
		return nil
	}
	return whole[:len(whole):len(whole)]
}

// begin looks at the first page of a logical stream: ours, or one that lies beside it.
func (w *opusWalk) begin(p *oggPage) (*opusHead, error) {
	name := codec(p.body)
	if name != "Opus" {
		if name == "Skeleton" {
			return nil, nil //nolint:nilnil // an index, no sound
		}
		return nil, unsupported("the content is %s in Ogg; %s", name, Supported)
	}
	if w.begun && !w.played {
		return nil, unsupported("the Ogg file has two sounds at once")
	}
	h, err := readOpusHead(p.body)
	if err != nil {
		return nil, err
	}
	w.page, w.next, w.part, w.lost = oggPage{}, 0, w.part[:0], false
	w.serial, w.begun, w.packet, w.played = p.serial, true, 1, false
	return h, nil
}

// codecs are known by how the first packet of their stream begins.
var codecs = []struct{ begins, name string }{
	{"OpusHead", "Opus"}, {"\x01vorbis", "Vorbis"}, {"\x7fFLAC", "FLAC"}, {"Speex   ", "Speex"}, {"fishead\x00", "Skeleton"},
	{"\x80theora", "a video (Theora)"}, {"BBCD", "a video (Dirac)"}, {"OVP80", "a video (VP8)"}, {"CELT    ", "CELT"}, {"PCM     ", "PCM"},
}

func codec(b []byte) string {
	for _, c := range codecs {
		if bytes.HasPrefix(b, []byte(c.begins)) {
			return c.name
		}
	}
	return "no codec that we know"
}

func readOpusHead(b []byte) (*opusHead, error) {
	if len(b) < 19 {
		return nil, damaged("the Opus header has %d bytes; it needs 19", len(b))
	}
	if b[8]>>4 != 0 {
		return nil, unsupported("it is Opus in version %d of its Ogg mapping; 1 is taken", b[8])
	}
	h := &opusHead{
		channels: int(b[9]), skip: int(binary.LittleEndian.Uint16(b[10:])), gain: int(int16(binary.LittleEndian.Uint16(b[16:]))),
	}
	switch family := b[18]; {
	case h.channels == 0:
		return nil, damaged("the header says 0 channels")
	case family != 0:
		return nil, unsupported("it is Opus with %d channels (mapping family %d); mono and stereo (family 0) are taken", h.channels, family)
	case h.channels > 2:
		return nil, damaged("the header says %d channels in mapping family 0, which has 2", h.channels)
	}
	return h, nil
}

// lasts is how many samples at 48 kHz a packet of Opus has (RFC 6716 §3.1, §3.2), 0
// where it is none.
func lasts(packet []byte) int {
	if len(packet) == 0 {
		return 0
	}
	config := packet[0] >> 3
	var one int
	switch {
	case config < 12: // SILK: 10, 20, 40, 60 ms
		one = [4]int{480, 960, 1920, 2880}[config&3]
	case config < 16: // hybrid: 10, 20 ms
		one = [2]int{480, 960}[config&1]
	default: // CELT: 2.5, 5, 10, 20 ms
		one = [4]int{120, 240, 480, 960}[config&3]
	}
	n := 1
	switch packet[0] & 3 {
	case 1, 2:
		n = 2
	case 3:
		if len(packet) < 2 {
			return 0
		}
		n = int(packet[1] & 0x3f)
	}
	if one*n > 5760 { // 120 ms
		return 0
	}
	return one * n
}
