package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
)

// apng is the animation of a PNG (PNG third edition, 11.3.6).
type apng struct {
	head     chunk
	shared   []byte // what every frame needs: PLTE, tRNS, …
	animated bool   // acTL came before the picture
	bad      bool
	frames   []apngFrame
}

type apngFrame struct {
	box            image.Rectangle
	num, den       uint16
	dispose, blend byte
	parts          [][]byte
}

// chunk takes a chunk that is neither the picture nor the end.
func (a *apng) chunk(c chunk, picture bool) {
	switch c.kind {
	case "acTL":
		a.animated = a.animated || !picture
	case "fcTL":
		if len(c.body) != 26 {
			a.bad = true
			return
		}
		n := func(at int) int { return int(binary.BigEndian.Uint32(c.body[at:])) }
		w, h, x, y := n(4), n(8), n(12), n(16)
		const most = 1<<31 - 1
		if w <= 0 || h <= 0 || w > most || h > most || x > most-w || y > most-h {
			a.bad = true
			return
		}
		a.frames = append(a.frames, apngFrame{
			box: image.Rect(x, y, x+w, y+h), num: binary.BigEndian.Uint16(c.body[20:]), den: binary.BigEndian.Uint16(c.body[22:]),
			dispose: c.body[24], blend: c.body[25],
		})
	case "fdAT":
		if len(c.body) < 4 {
			a.bad = true
			return
		}
		a.data(c.body[4:], false)
	case "PLTE", "tRNS", "gAMA", "sBIT", "cHRM", "sRGB":
		if !picture {
			a.shared = append(a.shared, c.all...)
		}
	}
}

// data takes picture data: that of the still is a frame's where one was announced.
func (a *apng) data(b []byte, still bool) {
	if len(a.frames) == 0 {
		a.bad = a.bad || !still
		return
	}
	if still && len(a.frames) > 1 {
		a.bad = true
		return
	}
	last := &a.frames[len(a.frames)-1]
	last.parts = append(last.parts, b)
}

// valid reports whether the animation is what it says. Of one that is not viewers show
// the still.
func (a *apng) valid(w, h int) bool {
	if !a.animated || a.bad || len(a.frames) == 0 {
		return false
	}
	for i := range a.frames {
		fr := &a.frames[i]
		if len(fr.parts) == 0 || !fr.box.In(image.Rect(0, 0, w, h)) || fr.dispose > 2 || fr.blend > 1 {
			return false
		}
	}
	return true
}

func (f *File) animatePNG(a *apng) error {
	s := sequence{width: f.Width, height: f.Height, format: "PNG"}
	for i := range a.frames {
		fr := &a.frames[i]
		den := int64(fr.den)
		if den == 0 {
			den = 100
		}
		dispose := disposal(fr.dispose)
		if i == 0 && dispose == toBefore {
			dispose = toClear
		}
		s.parts = append(s.parts, part{
			box: fr.box, lasts: shown(int64(fr.num) * 1000 / den), dispose: dispose, over: fr.blend == 1,
			unpack: func(ctx context.Context) (image.Image, error) {
				return png.Decode(&patient{ctx, bytes.NewReader(a.file(fr))})
			},
		})
	}
	// A frame is made a file of its own to be unpacked.
	return f.animate(&s, pngBytes(a.head.body))
}

// file makes a PNG of one frame.
func (a *apng) file(fr *apngFrame) []byte {
	size := 0
	for _, p := range fr.parts {
		size += len(p) + 12
	}
	out := make([]byte, 0, len(pngMagic)+64+len(a.shared)+size)
	out = append(out, pngMagic...)
	head := bytes.Clone(a.head.body)
	binary.BigEndian.PutUint32(head, uint32(fr.box.Dx()))
	binary.BigEndian.PutUint32(head[4:], uint32(fr.box.Dy()))
	out = appendChunk(out, "IHDR", head)
	out = append(out, a.shared...)
	for _, p := range fr.parts {
		out = appendChunk(out, "IDAT", p)
	}
	return appendChunk(out, "IEND", nil)
}

func appendChunk(dst []byte, kind string, body []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(body)))
	at := len(dst)
	dst = append(append(dst, kind...), body...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[at:]))
}
