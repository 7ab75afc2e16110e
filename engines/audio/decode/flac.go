package decode

import (
	"bytes"
	"errors"
	"io"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
)

// flacHead is what STREAMINFO says (RFC 9639 §8.2).
type flacHead struct {
	channels, rate, bits int
	frames               int64 // 0 where it does not say
}

// readFLAC reads STREAMINFO and walks the other metadata by their sizes, to where the
// first frame must be.
func (f *File) readFLAC(data []byte) (end int, err error) {
	begin := skipID3(data)
	at := begin + 4
	var head flacHead
	for last, first := false, true; !last; first = false {
		if len(data)-at < 4 {
			return 0, damaged("it ends within its metadata")
		}
		kind, size := data[at]&0x7f, int(data[at+1])<<16|int(data[at+2])<<8|int(data[at+3])
		last = data[at]&0x80 != 0
		at += 4
		if size > len(data)-at {
			return 0, damaged("the metadata at byte %d would end behind the file", at-4)
		}
		if first {
			if kind != 0 || size != 34 {
				return 0, damaged("it does not begin with STREAMINFO")
			}
			head = flacInfo(data[at : at+34])
		}
		at += size
	}
	if len(data)-at < 2 || data[at] != 0xff || data[at+1]&0xfc != 0xf8 {
		return 0, damaged("there is no sound behind its metadata")
	}
	if err := f.limits.shape(head.channels, head.rate); err != nil {
		return 0, err
	}
	if head.bits < 4 || head.bits > 24 {
		return 0, unsupported("its samples have %d bits; 4 to 24 are taken", head.bits)
	}
	f.Channels, f.SampleRate, f.frames = head.channels, head.rate, head.frames
	f.unpack = func(s *sink) error { return unpackFLAC(s, data[begin:], &head) }
	return len(data), nil // only what decodes it knows where it ends
}

func flacInfo(b []byte) flacHead {
	return flacHead{
		rate:     int(b[10])<<12 | int(b[11])<<4 | int(b[12])>>4,
		channels: int(b[12]>>1&7) + 1,
		bits:     int(b[12]&1)<<4 | int(b[13])>>4 + 1,
		frames:   int64(b[13]&0x0f)<<32 | int64(b[14])<<24 | int64(b[15])<<16 | int64(b[16])<<8 | int64(b[17]),
	}
}

// unpackFLAC decodes frame by frame. The file may end within one.
func unpackFLAC(s *sink, data []byte, head *flacHead) error {
	stream, err := flac.New(bytes.NewReader(data))
	if err != nil {
		return broken(FLAC, err)
	}
	var block []float32
	for {
		fr, err := nextFLAC(stream, head)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil && head.frames > 0 && s.frames >= head.frames: // what lies behind
			return nil
		case err != nil:
			return broken(FLAC, err)
		}
		block = block[:0]
		scale := 1 / float32(int64(1)<<(fr.BitsPerSample-1))
		for i := range int(fr.BlockSize) {
			for _, sub := range fr.Subframes {
				block = append(block, float32(sub.Samples[i])*scale)
			}
		}
		if err := s.push(block); err != nil {
			return err
		}
	}
}

// nextFLAC is the next frame, decoded. What its header leaves to STREAMINFO is filled in.
func nextFLAC(stream *flac.Stream, head *flacHead) (*frame.Frame, error) {
	fr, err := stream.Next()
	if err != nil {
		return nil, err //nolint:wrapcheck // its caller tells the ends of files from others
	}
	if fr.Channels.Count() != head.channels {
		return nil, damaged("a frame has %d channels, and the header says %d", fr.Channels.Count(), head.channels)
	}
	if fr.SampleRate != 0 && int(fr.SampleRate) != head.rate {
		return nil, damaged("a frame has a rate of %d Hz, and the header says %d", fr.SampleRate, head.rate)
	}
	if fr.BitsPerSample == 0 {
		fr.BitsPerSample = uint8(head.bits)
	}
	if fr.BitsPerSample > 24 {
		return nil, unsupported("its samples have %d bits; 4 to 24 are taken", fr.BitsPerSample)
	}
	if err := fr.Parse(); err != nil {
		return nil, err //nolint:wrapcheck // as above
	}
	for _, sub := range fr.Subframes {
		if len(sub.Samples) < int(fr.BlockSize) {
			return nil, damaged("a frame has fewer samples than its header says")
		}
	}
	return fr, nil
}
