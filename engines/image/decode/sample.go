package decode

import "image"

// picker chooses which frames are shown.
type picker interface {
	see(canvas *image.RGBA, fr Frame, show func(Frame) error) error
	end(show func(Frame) error) error
}

// pick is all frames where they are no more than limits.Sampled, else one of each of
// so many equal pieces of time.
func (f *File) pick(s *sequence) picker {
	if len(s.parts) <= f.limits.Sampled {
		return everyFrame{}
	}
	return &oneOfEach{piece: max(1, (f.DurationMS+int64(f.limits.Sampled)-1)/int64(f.limits.Sampled))}
}

type everyFrame struct{}

func (everyFrame) see(_ *image.RGBA, fr Frame, show func(Frame) error) error { return show(fr) }
func (everyFrame) end(func(Frame) error) error                               { return nil }

// oneOfEach shows, of each piece of time, the frame that differs most from the one
// shown last: what flashes up for a moment between frames that are alike is what
// somebody would hide there. A frame belongs to the piece in which it begins.
type oneOfEach struct {
	piece int64 // ms

	last  Thumb // of the frame shown last
	any   bool
	best  Frame
	kept  *image.RGBA // what best shows
	seen  Thumb       // of best
	diff  int
	index int64
}

func (o *oneOfEach) see(canvas *image.RGBA, fr Frame, show func(Frame) error) error {
	if index := fr.AtMS / o.piece; o.any && index != o.index {
		if err := o.end(show); err != nil {
			return err
		}
		o.index = index
	} else if !o.any {
		o.index = index
	}
	t := ThumbOf(canvas)
	d := t.Diff(&o.last)
	if o.any && d <= o.diff {
		return nil
	}
	if o.kept == nil {
		o.kept = image.NewRGBA(canvas.Rect)
	}
	copy(o.kept.Pix, canvas.Pix)
	o.any, o.best, o.seen, o.diff = true, fr, t, d
	o.best.img = o.kept
	return nil
}

func (o *oneOfEach) end(show func(Frame) error) error {
	if !o.any {
		return nil
	}
	o.any, o.last = false, o.seen
	return show(o.best)
}

// Thumb is a picture of 16 × 16 points, each the mean of some pixels of its place.
type Thumb [16 * 16][4]uint8

// ThumbOf makes the thumb of a picture that begins at (0, 0).
func ThumbOf(img *image.RGBA) (t Thumb) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for i := range t {
		x0, y0, x1, y1 := i%16*w/16, i/16*h/16, (i%16+1)*w/16, (i/16+1)*h/16
		var sum [4]int
		n := 0
		for y := y0; y < max(y1, y0+1); y += max(1, (y1-y0)/8) {
			for x := x0; x < max(x1, x0+1); x += max(1, (x1-x0)/8) {
				p := img.Pix[min(y, h-1)*img.Stride+4*min(x, w-1):]
				for c := range sum {
					sum[c] += int(p[c])
				}
				n++
			}
		}
		for c := range sum {
			t[i][c] = uint8(sum[c] / n)
		}
	}
	return t
}

// Diff is how far two pictures are apart, 0 where they are alike.
func (t *Thumb) Diff(o *Thumb) (sum int) {
	for i := range t {
		for c := range t[i] {
			d := int(t[i][c]) - int(o[i][c])
			sum += d * d
		}
	}
	return sum
}
