package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"image/png"
)

const (
	pngMagic = "\x89PNG\r\n\x1a\n"
	// maxChunks bounds the walk over a file of nothing but chunks.
	maxChunks = 100_000
)

// chunk is one chunk of a PNG (ISO/IEC 15948, 5.3).
type chunk struct {
	kind string
	body []byte
	all  []byte // with its length and its sum
}

// nextChunk cuts a chunk off b; the error is a Refusal.
func nextChunk(b []byte) (c chunk, rest []byte, err error) {
	if len(b) < 12 {
		return c, nil, damaged("the PNG ends early")
	}
	n := int64(binary.BigEndian.Uint32(b))
	if n > int64(len(b))-12 {
		return c, nil, damaged("the PNG ends within a chunk")
	}
	c = chunk{string(b[4:8]), b[8 : 8+n], b[:12+n]}
	return c, b[12+n:], nil
}

func (f *File) readPNG(data []byte) (end int, err error) {
	rest := data[len(pngMagic):]
	head, rest, err := nextChunk(rest)
	if err != nil {
		return 0, err
	}
	if head.kind != "IHDR" || len(head.body) != 13 {
		return 0, damaged("the PNG does not begin with its header")
	}
	w, h := binary.BigEndian.Uint32(head.body), binary.BigEndian.Uint32(head.body[4:])
	if w > 1<<31-1 || h > 1<<31-1 {
		return 0, damaged("the PNG's size is over 2^31")
	}
	if err := f.size(int(w), int(h)); err != nil {
		return 0, err
	}
	if err := f.same(png.DecodeConfig(bytes.NewReader(data))); err != nil {
		return 0, err
	}
	a := apng{head: head}
	ended, picture, chunks := false, false, 0
	for !ended && len(rest) > 0 {
		var c chunk
		if c, rest, err = nextChunk(rest); err != nil {
			return 0, err
		}
		if chunks++; chunks > maxChunks {
			return 0, damaged("the PNG has more than %d chunks", maxChunks)
		}
		switch c.kind {
		case "IEND":
			ended = true
		case "IDAT":
			picture = true
			a.data(c.body, true)
		case "eXIf":
			f.turn = exifOrientation(c.body)
		default:
			a.chunk(c, picture)
		}
	}
	switch {
	case !picture:
		return 0, damaged("the PNG has no picture behind its header")
	case !ended:
		return 0, damaged("the PNG ends early")
	}
	f.still(data, head.body)
	if a.valid(f.Width, f.Height) {
		err = f.animatePNG(&a)
	}
	return len(data) - len(rest), err
}

// still has a PNG unpacked as the one picture that it is, or is too.
func (f *File) still(data, head []byte) {
	f.Memory = int64(f.Width)*int64(f.Height)*pngBytes(head) + working
	f.unpack = func(ctx context.Context, show func(Frame) error) error {
		img, err := png.Decode(&patient{ctx, bytes.NewReader(data)})
		if err != nil {
			return broken(ctx, "PNG", err)
		}
		return show(Frame{img: img})
	}
}

// pngBytes is how many bytes a pixel takes when it is unpacked, by depth and kind;
// half as many again for the passes of an interlaced one.
func pngBytes(head []byte) int64 {
	n := int64(4)
	switch depth, kind := head[8], head[9]; {
	case depth == 16 && kind != 0:
		n = 8
	case depth == 16:
		n = 2
	case kind == 3, kind == 0:
		n = 1
	}
	if head[12] != 0 {
		n += (n + 1) / 2
	}
	return n
}
