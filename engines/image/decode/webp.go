package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"

	"golang.org/x/image/webp"
)

// riffChunk cuts a chunk off b (RFC 9649, 2.3); ok is false where b ends before it does.
func riffChunk(b []byte) (kind string, body, all, rest []byte, ok bool) {
	if len(b) < 8 {
		return "", nil, nil, nil, false
	}
	n := int64(binary.LittleEndian.Uint32(b[4:]))
	if n > int64(len(b))-8 {
		return "", nil, nil, nil, false
	}
	end := 8 + n
	body = b[8:end]
	if padded := end + n&1; padded <= int64(len(b)) {
		end = padded
	}
	return string(b[:4]), body, b[:end], b[end:], true
}

// webpWalk is a walk over the chunks of a WebP.
type webpWalk struct {
	sequence

	still []byte // the picture's chunks
	alpha []byte // those that stood before it
}

// chunk notes what a chunk says.
func (w *webpWalk) chunk(f *File, kind string, body, all []byte) error {
	switch kind {
	case "VP8X":
		if len(body) < 10 || w.width > 0 {
			return damaged("the WebP's header is not one")
		}
		w.width, w.height = 1+int24(body[4:]), 1+int24(body[7:])
		return f.size(w.width, w.height)
	case "EXIF":
		f.turn = exifOrientation(body)
	case "ALPH":
		w.alpha = append(w.alpha, all...)
	case "VP8 ", "VP8L":
		return w.picture(f, kind, body, all)
	case "ANMF":
		if w.width == 0 {
			return damaged("the WebP is animated without a header")
		}
		if len(w.parts) >= f.limits.Frames {
			return tooLarge("the animation has more than %d frames", f.limits.Frames)
		}
		p, err := f.webpFrame(body, len(w.parts), image.Rect(0, 0, w.width, w.height))
		if err != nil {
			return err
		}
		w.parts = append(w.parts, p)
	}
	return nil
}

// picture takes the picture of a still, whose size its header must say.
func (w *webpWalk) picture(f *File, kind string, body, all []byte) error {
	if w.still != nil {
		return damaged("the WebP has two pictures")
	}
	width, height, err := vp8Size(kind, body)
	switch {
	case err != nil:
		return err
	case w.width == 0:
		err = f.size(width, height)
	case width != w.width || height != w.height:
		err = damaged("the WebP's header says %d × %d, its picture is %d × %d", w.width, w.height, width, height)
	}
	if err != nil {
		return err
	}
	w.still, w.alpha = append(w.alpha, all...), nil // the picture with its transparency
	return nil
}

func (f *File) readWebP(data []byte) (end int, err error) {
	size := int64(binary.LittleEndian.Uint32(data[4:])) + 8
	if size > int64(len(data)) {
		return 0, damaged("the WebP says that it has %d bytes, and has %d", size, len(data))
	}
	if size < 20 {
		return 0, damaged("the WebP has no picture")
	}
	end = int(size)
	rest := data[12:end]
	walk := webpWalk{sequence: sequence{format: "WebP"}}
	for len(rest) >= 8 {
		kind, body, all, more, ok := riffChunk(rest)
		if !ok {
			return 0, damaged("the WebP ends within a chunk")
		}
		if err := walk.chunk(f, kind, body, all); err != nil {
			return 0, err
		}
		rest = more
	}
	s, still := &walk.sequence, walk.still
	switch {
	case len(s.parts) > 0 && still == nil:
		return end, f.animate(s, webpBytes)
	case still == nil || len(s.parts) > 0:
		return 0, damaged("the WebP has no picture, or is a still and an animation at once")
	}
	f.Memory = int64(f.Width)*int64(f.Height)*webpBytes + working
	w, h := f.Width, f.Height
	f.unpack = func(ctx context.Context, show func(Frame) error) error {
		img, err := webp.Decode(&patient{ctx, bytes.NewReader(webpFile(still, w, h))})
		if err != nil {
			return broken(ctx, "WebP", err)
		}
		return show(Frame{img: img})
	}
	return end, nil
}

// webpBytes is what a pixel takes at most while it is unpacked: of a lossless picture
// its colour, and the same again where a transform needs it.
const webpBytes = 8

// webpFrame reads a frame of an animation, which is a picture with its own header in
// the frame's: both must say the same.
func (f *File) webpFrame(b []byte, i int, canvas image.Rectangle) (part, error) {
	if len(b) < 16 {
		return part{}, damaged("frame %d of the WebP has no header", i)
	}
	x, y, w, h := 2*int24(b), 2*int24(b[3:]), 1+int24(b[6:]), 1+int24(b[9:])
	if err := f.limits.area("frame "+itoa(i), w, h); err != nil {
		return part{}, err
	}
	p := part{box: image.Rect(x, y, x+w, y+h), lasts: shown(int64(int24(b[12:]))), over: b[15]&2 == 0}
	if b[15]&1 != 0 {
		p.dispose = toClear
	}
	if !p.box.In(canvas) {
		return part{}, damaged("frame %d of the WebP lies outside of its canvas", i)
	}
	var parts []byte
	for rest := b[16:]; len(rest) >= 8; {
		kind, body, all, more, ok := riffChunk(rest)
		if !ok {
			return part{}, damaged("frame %d of the WebP ends within a chunk", i)
		}
		rest = more
		switch kind {
		case "ALPH":
			parts = append(parts, all...)
		case "VP8 ", "VP8L":
			iw, ih, err := vp8Size(kind, body)
			if err != nil {
				return part{}, err
			}
			if iw != w || ih != h {
				return part{}, damaged("frame %d of the WebP says %d × %d, its picture is %d × %d", i, w, h, iw, ih)
			}
			parts = append(parts, all...)
			p.unpack = func(ctx context.Context) (image.Image, error) {
				return webp.Decode(&patient{ctx, bytes.NewReader(webpFile(parts, w, h))})
			}
			return p, nil
		}
	}
	return part{}, damaged("frame %d of the WebP has no picture", i)
}

// webpFile makes a file of the chunks of one picture: a simple one, or with a header
// where its transparency stands beside it.
func webpFile(chunks []byte, w, h int) []byte {
	out := make([]byte, 0, 30+len(chunks))
	out = append(out, "RIFF\x00\x00\x00\x00WEBP"...)
	if string(chunks[:4]) == "ALPH" {
		out = append(out, "VP8X\x0a\x00\x00\x00\x10\x00\x00\x00"...)
		for _, n := range [...]int{w - 1, h - 1} {
			out = append(out, byte(n), byte(n>>8), byte(n>>16))
		}
	}
	out = append(out, chunks...)
	if len(out)&1 == 1 {
		out = append(out, 0)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// vp8Size reads the size out of the header of a picture: a key frame of VP8 (RFC 6386,
// 9.1) or a lossless one (RFC 9649, 3.4).
func vp8Size(kind string, b []byte) (w, h int, err error) {
	switch {
	case kind == "VP8L" && len(b) >= 5 && b[0] == 0x2f:
		n := binary.LittleEndian.Uint32(b[1:])
		return 1 + int(n&0x3fff), 1 + int(n>>14&0x3fff), nil
	case kind == "VP8 " && len(b) >= 10 && b[0]&1 == 0 && string(b[3:6]) == "\x9d\x01\x2a":
		return int(binary.LittleEndian.Uint16(b[6:]) & 0x3fff), int(binary.LittleEndian.Uint16(b[8:]) & 0x3fff), nil
	}
	return 0, 0, damaged("the WebP's picture has no header")
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
