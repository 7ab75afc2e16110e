package decode

import (
	"context"
	"errors"
	"image"
	"image/draw"

	"github.com/portcullis-gg/portcullis/engines"
)

// disposal is what becomes of a frame's place before the next one is drawn.
type disposal byte

const (
	toKeep   disposal = iota // it stays
	toClear                  // it is cleared
	toBefore                 // it is as it was before the frame
)

// part is one frame of an animation: what changes on the canvas.
type part struct {
	box     image.Rectangle // within the canvas
	lasts   int64           // ms
	dispose disposal
	over    bool // drawn over what is there, not in its place
	unpack  func(ctx context.Context) (image.Image, error)
}

// sequence is an animation.
type sequence struct {
	format        string
	width, height int
	parts         []part
}

// shown is for how long viewers show a frame that asks for ms: 100 where it asks for
// next to nothing, as browsers have it.
func shown(ms int64) int64 {
	if ms <= 10 {
		return 100
	}
	return ms
}

// animate checks a sequence against the limits and has it unpacked. perPixel is how
// many bytes a pixel of a frame takes.
func (f *File) animate(s *sequence, perPixel int64) error {
	if len(s.parts) > f.limits.Frames {
		return tooLarge("the animation has %d frames; at most %d are taken", len(s.parts), f.limits.Frames)
	}
	var all, largest, back int64
	f.DurationMS = 0
	for i := range s.parts {
		p := &s.parts[i]
		n := int64(p.box.Dx()) * int64(p.box.Dy())
		all, largest = all+n, max(largest, n)
		if p.dispose == toBefore {
			back = max(back, n)
		}
		f.DurationMS += p.lasts
	}
	if all > int64(f.limits.AllPixels) {
		return tooLarge("the animation's %d frames have %d megapixels in all; at most %d are taken", len(s.parts), all/1_000_000, f.limits.AllPixels/1_000_000)
	}
	f.Frames = len(s.parts)
	canvas := 4 * int64(s.width) * int64(s.height)
	f.Memory = canvas + largest*(perPixel+4) + 4*back + working
	if f.Frames > f.limits.Sampled {
		f.Memory += canvas
	}
	if f.Frames == 1 {
		f.DurationMS = 0
	}
	f.unpack = func(ctx context.Context, show func(Frame) error) error { return s.play(ctx, f.pick(s), show) }
	return nil
}

// play draws the frames one after another and gives each to show that pick says.
func (s *sequence) play(ctx context.Context, pick picker, show func(Frame) error) error {
	canvas := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	var at int64
	for i := range s.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := &s.parts[i]
		img, err := p.unpack(ctx)
		if err != nil {
			if !errors.As(err, new(*engines.Refusal)) {
				err = broken(ctx, s.format, err)
			}
			return err
		}
		var before *image.RGBA
		if p.dispose == toBefore {
			before = image.NewRGBA(p.box.Intersect(canvas.Rect))
			draw.Draw(before, before.Rect, canvas, before.Rect.Min, draw.Src)
		}
		p.draw(canvas, img)
		fr := Frame{img: canvas, Index: i, AtMS: at, EndMS: at + p.lasts}
		if len(s.parts) == 1 {
			fr.EndMS = 0
		}
		at += p.lasts
		if err := pick.see(canvas, fr, show); err != nil {
			return err
		}
		switch p.dispose {
		case toClear:
			draw.Draw(canvas, p.box, image.Transparent, image.Point{}, draw.Src)
		case toBefore:
			draw.Draw(canvas, before.Rect, before, before.Rect.Min, draw.Src)
		case toKeep:
		}
	}
	return pick.end(show)
}

// draw puts a frame on the canvas.
func (p *part) draw(canvas *image.RGBA, img image.Image) {
	b := img.Bounds()
	at := image.Rectangle{Min: p.box.Min, Max: p.box.Min.Add(b.Size())}.Intersect(p.box)
	if src, ok := img.(*image.Paletted); ok && p.paint(canvas, src, at.Intersect(canvas.Rect)) {
		return
	}
	op := draw.Src
	if p.over {
		op = draw.Over
	}
	draw.Draw(canvas, at, img, b.Min, op)
}

// paint draws a picture with a palette whose colours cover or are none, as all of GIFs
// do; five times as fast as image/draw. It reports false where one is in between.
func (p *part) paint(canvas *image.RGBA, src *image.Paletted, at image.Rectangle) bool {
	var table [256][4]uint8
	for i, c := range src.Palette {
		r, g, b, a := c.RGBA()
		if a != 0 && a != 0xffff {
			return false
		}
		table[i] = [4]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
	}
	for y := at.Min.Y; y < at.Max.Y; y++ {
		to := canvas.Pix[canvas.PixOffset(at.Min.X, y):]
		from := src.Pix[src.PixOffset(src.Rect.Min.X+at.Min.X-p.box.Min.X, src.Rect.Min.Y+y-p.box.Min.Y):]
		for x := range at.Dx() {
			if c := &table[from[x]]; c[3] != 0 || !p.over {
				copy(to[4*x:4*x+4], c[:])
			}
		}
	}
	return true
}
