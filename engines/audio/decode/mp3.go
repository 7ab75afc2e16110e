package decode

import (
	"bytes"
	"encoding/binary"
)

// mpegHead is the header of a frame of MPEG audio (ISO/IEC 11172-3 §2.4.1.3, 13818-3).
type mpegHead struct {
	version  int // 1 or 2
	rate     int
	channels int
	size     int // of the frame with its header
	samples  int
}

var (
	mpegRates = [3]int{44100, 48000, 32000}
	// layer III, kbit/s, of MPEG-1 and MPEG-2
	mpegBits = [2][16]int{
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
	}
)

// parse reads a header; why says in words of the sender what it is that is not taken,
// "" where it is none at all.
func parseMPEG(b []byte) (h mpegHead, why string) {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe0 != 0xe0 {
		return h, ""
	}
	version, layer, bits, rate := b[1]>>3&3, b[1]>>1&3, b[2]>>4, b[2]>>2&3
	switch {
	case version == 1 || layer == 0 || bits == 15 || rate == 3 || b[3]&3 == 2: // reserved
		return h, ""
	case version == 0:
		return h, "MPEG-2.5"
	case layer == 3:
		return h, "MPEG audio layer I"
	case layer == 2:
		return h, "MPEG audio layer II"
	case bits == 0:
		return h, "MP3 of free bit rate"
	}
	h = mpegHead{version: 1, rate: mpegRates[rate], channels: 2, samples: 1152}
	if version == 2 {
		h.version, h.rate, h.samples = 2, h.rate/2, 576
	}
	if b[3]>>6 == 3 {
		h.channels = 1
	}
	h.size = h.samples/8*mpegBits[h.version-1][bits]*1000/h.rate + int(b[2]>>1&1)
	return h, ""
}

// side is how many bytes of side information stand behind the header.
func (h *mpegHead) side() int {
	switch {
	case h.version == 1 && h.channels == 2:
		return 32
	case h.version == 1 || h.channels == 2:
		return 17
	}
	return 9
}

// mpegWalk goes from frame to frame. Where none stands, it looks for the next, of the
// same kind and with another behind it, as players do.
type mpegWalk struct {
	data  []byte
	at    int
	first mpegHead
	// changed is where a frame is of another rate than the first, 0 for nowhere.
	changed int
}

// next is the next whole frame, nil at the end.
func (w *mpegWalk) next() []byte {
	for w.at+4 <= len(w.data) {
		h, _ := parseMPEG(w.data[w.at:])
		if h.size > 0 && (h.rate != w.first.rate || h.version != w.first.version) {
			if w.changed == 0 && w.proven(&h) {
				w.changed = w.at
			}
			h.size = 0
		}
		if h.size == 0 {
			if w.at = w.seek(w.at + 1); w.at < 0 {
				w.at = len(w.data)
			}
			continue
		}
		if w.at+h.size > len(w.data) {
			return nil // it ends within the frame
		}
		frame := w.data[w.at : w.at+h.size]
		w.at += h.size
		return frame
	}
	return nil
}

// seek is where the next frame stands, -1 for nowhere.
func (w *mpegWalk) seek(from int) int {
	for at := from; at+4 <= len(w.data); at++ {
		i := bytes.IndexByte(w.data[at:], 0xff)
		if i < 0 {
			return -1
		}
		at += i
		if h, _ := parseMPEG(w.data[at:]); h.size > 0 && h.rate == w.first.rate && h.version == w.first.version && w.follows(at, &h) {
			return at
		}
	}
	return -1
}

// follows reports whether behind a frame another one stands, or the file's end.
func (w *mpegWalk) follows(at int, h *mpegHead) bool {
	if at+h.size == len(w.data) {
		return true
	}
	if at+h.size+4 > len(w.data) {
		return false
	}
	n, _ := parseMPEG(w.data[at+h.size:])
	return n.size > 0 && n.rate == h.rate && n.version == h.version
}

func (w *mpegWalk) proven(h *mpegHead) bool { return w.follows(w.at, h) }

// readMP3 goes through the headers of all frames.
func (f *File) readMP3(data []byte) (end int, err error) {
	w := mpegWalk{data: data, at: skipID3(data)}
	why := ""
	for begin := w.at; ; w.at++ {
		if w.at+4 > len(data) || w.at-begin > 64<<10 {
			if why != "" {
				return 0, unsupported("the content is %s; %s", why, Supported)
			}
			return 0, damaged("there is no whole MP3 frame in it")
		}
		h, other := parseMPEG(data[w.at:])
		if why == "" {
			why = other
		}
		if h.size > 0 && (w.follows(w.at, &h) || w.at == begin && w.at+h.size <= len(data)) {
			w.first = h
			break
		}
	}
	begin := w
	for frame := w.next(); frame != nil; frame = w.next() {
		end = w.at
		f.frames += int64(w.first.samples)
		h, _ := parseMPEG(frame)
		f.Channels = max(f.Channels, h.channels)
	}
	f.SampleRate = w.first.rate
	if w.changed > 0 {
		return 0, unsupported("the sample rate changes at byte %d", w.changed)
	}
	if f.frames == 0 {
		return 0, damaged("there is no whole MP3 frame in it")
	}
	if tagged(data[begin.at:begin.at+begin.first.size], &begin.first) && f.frames > int64(begin.first.samples) {
		begin.next()
		f.frames -= int64(begin.first.samples)
	}
	if err := f.limits.shape(f.Channels, f.SampleRate); err != nil {
		return 0, err
	}
	f.unpack = func(s *sink) error { return unpackMP3(s, begin) }
	return behindMP3(data, end), nil
}

// tagged is true of a first frame that holds no sound but an encoder's notes.
func tagged(frame []byte, h *mpegHead) bool {
	at := 4 + h.side()
	if len(frame) < at+4 {
		return false
	}
	id := string(frame[at : at+4])
	return id == "Xing" || id == "Info" || len(frame) >= 40 && string(frame[36:40]) == "VBRI"
}

// behindMP3 is where the tags end that stand behind the last frame: APEv2, then ID3v1.
func behindMP3(data []byte, end int) int {
	rest := data[end:]
	if len(rest) >= 32 && string(rest[:8]) == "APETAGEX" {
		size := uint64(binary.LittleEndian.Uint32(rest[12:])) + 32
		end += int(min(size, uint64(len(rest))))
		rest = data[end:]
	}
	if len(rest) >= 128 && string(rest[:3]) == "TAG" {
		end += 128
	}
	return end
}
