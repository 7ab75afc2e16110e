package pictures

import (
	"fmt"
	"image"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// point is a place in a picture, y growing downwards.
type point struct{ x, y float64 }

// outline is a line of text as curves around its baseline's beginning, unrotated.
type outline struct {
	segments []sfnt.Segment
	offsets  []point // of each segment
	width    float64 // px
	ascent   float64 // px above the baseline that glyphs reach
	descent  float64 // px below it
}

// layOut sets text at size px. A rune that the font has no glyph for is an error, so
// that no picture holds boxes in place of what its truth says. Marks above Thai letters are
// raised by a fixed part of the size or, where seated, put right above what lies below them.
func layOut(f *sfnt.Font, text string, size float64, seated bool) (*outline, error) {
	var buf sfnt.Buffer
	ppem := fixed.Int26_6(size * 64)
	out := &outline{}
	var before rune
	var under stack
	if seated {
		var err error
		if under.plain, err = plainHeight(f, &buf, ppem); err != nil {
			return nil, err
		}
	}
	runes := []rune(text)
	for i, r := range runes {
		index, err := f.GlyphIndex(&buf, r)
		if err != nil {
			return nil, fmt.Errorf("draw text: %w", err)
		}
		if index == 0 {
			return nil, fmt.Errorf("draw text: the font has no %q", r)
		}
		segments, err := f.LoadGlyph(&buf, index, ppem, nil)
		if err != nil {
			return nil, fmt.Errorf("draw text: %q: %w", r, err)
		}
		at := point{out.width, raise(before, r, size)}
		if seated {
			at.y = under.seat(r, next(runes, i), segments, size)
		}
		for _, s := range segments {
			out.segments, out.offsets = append(out.segments, s), append(out.offsets, at)
			for _, a := range s.Args {
				y := float64(a.Y)/64 + at.y
				out.ascent, out.descent = max(out.ascent, -y), max(out.descent, y)
			}
		}
		advance, err := f.GlyphAdvance(&buf, index, ppem, font.HintingNone)
		if err != nil {
			return nil, fmt.Errorf("draw text: %q: %w", r, err)
		}
		out.width += float64(advance) / 64
		before = r
	}
	return out, nil
}

// raise lifts a Thai tone mark that stands on a vowel above it, which fonts leave to
// shaping.
func raise(before, r rune, size float64) float64 {
	tone := r >= 0x0e48 && r <= 0x0e4c
	above := before == 0x0e31 || before >= 0x0e34 && before <= 0x0e37
	if tone && above {
		return -0.2 * size
	}
	return 0
}

// mask rasterises the line rotated by angle radians with the beginning of its baseline
// at, into a mask that covers bounds.
func (o *outline) mask(bounds image.Rectangle, at point, angle float64) *image.Alpha {
	sin, cos := math.Sincos(angle)
	r := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
	place := func(p fixed.Point26_6, off point) (x, y float32) {
		px, py := float64(p.X)/64+off.x, float64(p.Y)/64+off.y
		return float32(at.x + px*cos - py*sin - float64(bounds.Min.X)), float32(at.y + px*sin + py*cos - float64(bounds.Min.Y))
	}
	for i, s := range o.segments {
		off := o.offsets[i]
		ax, ay := place(s.Args[0], off)
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			r.ClosePath()
			r.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			r.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			bx, by := place(s.Args[1], off)
			r.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			bx, by := place(s.Args[1], off)
			cx, cy := place(s.Args[2], off)
			r.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	r.ClosePath()
	m := image.NewAlpha(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	r.Draw(m, m.Bounds(), image.Opaque, image.Point{})
	m.Rect = bounds
	return m
}

// grown is m with every pixel spread over a disc of radius px.
func grown(m *image.Alpha, radius float64) *image.Alpha {
	out := image.NewAlpha(m.Rect)
	n := int(math.Ceil(radius))
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for dy := -n; dy <= n; dy++ {
		for dx := -n; dx <= n; dx++ {
			if math.Hypot(float64(dx), float64(dy)) > radius {
				continue
			}
			for y := max(0, -dy); y < min(h, h-dy); y++ {
				from, to := m.Pix[(y+dy)*m.Stride:], out.Pix[y*out.Stride:]
				for x := max(0, -dx); x < min(w, w-dx); x++ {
					to[x] = max(to[x], from[x+dx])
				}
			}
		}
	}
	return out
}
