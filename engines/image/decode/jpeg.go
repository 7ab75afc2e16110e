package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image/jpeg"
	"io"
)

const (
	// maxScans: real files have about ten; each costs a walk over the whole picture
	// and a few bytes.
	maxScans = 200
	// maxSegments bounds the walk over a file of nothing but markers.
	maxSegments = 10_000
)

// jpegHead is what the markers of a JPEG say (ITU T.81, annex B).
type jpegHead struct {
	seen        bool // a frame header
	progressive bool
	w, h        int
	comps       int
	blocks      int64 // of 8 × 8, in all components
	scans       int
	rgb         bool // its components are no luma and chroma
}

// eachSegment calls do for the segments of a JPEG with the byte at which each begins,
// and says where the JPEG ends.
func eachSegment(data []byte, do func(at int, marker byte, body []byte) error) (end int, err error) {
	i, segments := 2, 0
	for {
		i = nextMarker(data, i)
		if i < 0 || i+1 >= len(data) {
			return len(data), nil // it ends early, as some cameras' do
		}
		marker := data[i+1]
		i += 2
		switch {
		case marker == 0xd9:
			return i, nil
		case marker >= 0xd0 && marker <= 0xd7: // a restart
			continue
		case marker < 0xc0 || marker == 0xd8:
			return 0, damaged("the JPEG has a marker at byte %d that has no place there", i-2)
		}
		if segments++; segments > maxSegments {
			return 0, damaged("the JPEG has more than %d segments", maxSegments)
		}
		if i+2 > len(data) {
			return 0, damaged("the JPEG ends within a segment's length, at byte %d", i)
		}
		n := int(binary.BigEndian.Uint16(data[i:]))
		if n < 2 || i+n > len(data) {
			return 0, damaged("the JPEG ends within the segment at byte %d", i-2)
		}
		if err := do(i-2, marker, data[i+2:i+n]); err != nil {
			return 0, err
		}
		i += n
	}
}

// jpegSegment notes what a segment says of the picture.
func (f *File) jpegSegment(head *jpegHead, at int, marker byte, body []byte) error {
	switch {
	case marker == 0xda:
		if head.scans++; head.scans > maxScans {
			return damaged("the JPEG has more than %d scans", maxScans)
		}
	case marker == 0xe1 && !head.seen && f.turn == upright:
		if len(body) > 6 && string(body[:6]) == "Exif\x00\x00" {
			f.turn = exifOrientation(body)
		}
	case marker == 0xee && len(body) >= 12 && string(body[:5]) == "Adobe":
		head.rgb = body[11] == 0
	case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
		if head.seen {
			return damaged("the JPEG has two frame headers, the second at byte %d", at)
		}
		if err := head.frame(marker, body); err != nil {
			return err
		}
		return f.size(head.w, head.h)
	}
	return nil
}

func (f *File) readJPEG(data []byte) (end int, err error) {
	var head jpegHead
	end, err = eachSegment(data, func(at int, marker byte, body []byte) error { return f.jpegSegment(&head, at, marker, body) })
	if err != nil {
		return 0, err
	}
	switch {
	case !head.seen:
		return 0, damaged("the JPEG has no frame header")
	case head.scans == 0:
		return 0, damaged("the JPEG has no picture behind its header")
	}
	f.Memory = head.blocks * 64
	if head.progressive {
		f.Memory += head.blocks * 64 * 4 // coefficients, kept until the last scan
	}
	if head.comps == 4 || head.rgb {
		f.Memory += 4 * int64(head.w) * int64(head.h)
	}
	f.Memory += working
	if err := f.same(jpeg.DecodeConfig(bytes.NewReader(data))); err != nil {
		return 0, err
	}
	f.unpack = func(ctx context.Context, show func(Frame) error) error {
		// Of some the end marker is missing; that is all that they lack.
		whole := io.MultiReader(bytes.NewReader(data), bytes.NewReader([]byte{0xff, 0xd9}))
		img, err := jpeg.Decode(&patient{ctx, whole})
		if err != nil {
			return broken(ctx, "JPEG", err)
		}
		return show(Frame{img: img})
	}
	return end, nil
}

// frame reads a frame header.
func (h *jpegHead) frame(marker byte, b []byte) error {
	if marker != 0xc0 && marker != 0xc1 && marker != 0xc2 {
		return unsupported("this kind of JPEG (SOF%d: lossless, hierarchical or arithmetic coding) is not; baseline and progressive ones are", marker-0xc0)
	}
	if len(b) < 6 || len(b) < 6+3*int(b[5]) {
		return damaged("the frame header of the JPEG is too short")
	}
	if b[0] != 8 {
		return unsupported("a JPEG of %d bits is not; those of 8 are", b[0])
	}
	h.seen, h.progressive, h.comps = true, marker == 0xc2, int(b[5])
	h.h, h.w = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
	if h.comps != 1 && h.comps != 3 && h.comps != 4 {
		return unsupported("a JPEG of %d components is not; those of 1, 3 and 4 are", h.comps)
	}
	var hmax, vmax int
	for c := range h.comps {
		hmax, vmax = max(hmax, int(b[7+3*c]>>4)), max(vmax, int(b[7+3*c]&15))
	}
	if hmax == 0 || vmax == 0 || hmax > 4 || vmax > 4 {
		return damaged("the JPEG's sampling factors are not 1 to 4")
	}
	mcus := int64((h.w+8*hmax-1)/(8*hmax)) * int64((h.h+8*vmax-1)/(8*vmax))
	for c := range h.comps {
		h.blocks += mcus * int64(b[7+3*c]>>4) * int64(b[7+3*c]&15)
	}
	return nil
}

// nextMarker is the place of the next marker from i on, past entropy-coded data and
// fill bytes; -1 where there is none.
func nextMarker(b []byte, i int) int {
	for i < len(b) {
		n := bytes.IndexByte(b[i:], 0xff)
		if n < 0 {
			return -1
		}
		i += n
		if i+1 >= len(b) {
			return -1
		}
		if b[i+1] != 0 && b[i+1] != 0xff {
			return i
		}
		i++
	}
	return -1
}

// patient is a reader that ends when nobody waits any more.
type patient struct {
	ctx context.Context //nolint:containedctx // a reader of one call
	r   io.Reader
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b) //nolint:wrapcheck // a Reader's
}

// broken translates a library's error: ctx's stays what it is, the others are about
// the content.
func broken(ctx context.Context, format string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return damaged("the %s ends early", format)
	}
	return damaged("the %s can't be unpacked", format)
}

// working is what is made of a frame for who looks at it.
const working = 48 << 20
