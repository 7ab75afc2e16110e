package ocr

import (
	"image"
	"math"
)

// seen is a line that the detector sees, and how sure it is of it.
type seen struct {
	rect
	score float64
}

func rectsOf(found []seen) []rect {
	rects := make([]rect, len(found))
	for i := range found {
		rects[i] = found[i].rect
	}
	return rects
}

const (
	// smallLine is the height, in px of what the first look saw, below which a line is
	// looked at once more: letters of 9 px lose strokes, and lines their ends. closerLine
	// is the height that it has then, where the picture has so many px.
	smallLine, closerLine = 20, 28
	// closerLeast is how much closer a closer look is, at least.
	closerLeast = 4.0 / 3
	// doubt is how much of BoxScore the first look must reach for a closer one.
	doubt = 0.8
	// closerMargin is what is seen around such a line, in px at the closer scale.
	closerMargin = 32
	// mostCloser is how much of the picture may be looked at in parts; beyond it all of
	// it is.
	mostCloser = 0.5
)

// again looks closer at what was small or unsure.
func (d *detector) again(b *bitmap, first []seen, fine float64) ([]rect, error) {
	coarse := float64(d.cfg.FirstSide) / float64(max(b.w, b.h))
	var large []rect
	var small []part
	for i := range first {
		if first[i].height*coarse >= smallLine && first[i].score >= d.cfg.BoxScore {
			large = append(large, first[i].rect)
			continue
		}
		box := first[i].box(b.w, b.h)
		scale := min(fine, max(closerLeast*coarse, closerLine/first[i].height))
		r := image.Rect(box[0], box[1], box[0]+box[2], box[1]+box[3]).Inset(-int(closerMargin / scale))
		small = joined(append(small, part{r.Intersect(image.Rect(0, 0, b.w, b.h)), scale}))
	}
	area := 0.0
	for _, p := range small {
		area += float64(p.Dx()*p.Dy()) * p.scale * p.scale
	}
	if area > mostCloser*float64(b.w*b.h)*fine*fine {
		all, err := d.look(d.net, b, window{right: point{float64(b.w), 0}, down: point{0, float64(b.h)}}, fine, d.cfg.BoxScore)
		return rectsOf(all), err
	}
	rects := large
	for _, p := range small {
		r := whole32(p.Rectangle, p.scale, b)
		win := window{
			origin: point{float64(r.Min.X), float64(r.Min.Y)},
			right:  point{float64(r.Dx()), 0}, down: point{0, float64(r.Dy())},
		}
		closer, err := d.look(d.parts, b, win, p.scale, d.cfg.BoxScore)
		if err != nil {
			return nil, err
		}
		for _, c := range rectsOf(closer) {
			if !within(c.middle, large) {
				rects = append(rects, c)
			}
		}
	}
	return rects, nil
}

// part is a part of a picture to look at, and at which scale.
type part struct {
	image.Rectangle

	scale float64
}

// joined joins the last part to those that it overlaps, at the closest scale of them.
func joined(list []part) []part {
	r := list[len(list)-1]
	list = list[:len(list)-1]
	for again := true; again; {
		again = false
		kept := list[:0]
		for _, o := range list {
			if o.Overlaps(r.Rectangle) {
				r, again = part{r.Union(o.Rectangle), max(r.scale, o.scale)}, true
			} else {
				kept = append(kept, o)
			}
		}
		list = kept
	}
	return append(list, r)
}

// whole32 is r made larger, within b, to what is a multiple of 32 at a scale, so that
// letters keep their proportions.
func whole32(r image.Rectangle, scale float64, b *bitmap) image.Rectangle {
	grow := func(from, to, size int) (low, high int) {
		want := int(math.Ceil(math.Ceil(float64(to-from)*scale/32) * 32 / scale))
		low = max(0, min(from-(want-(to-from))/2, size-want))
		return low, min(size, low+want)
	}
	r.Min.X, r.Max.X = grow(r.Min.X, r.Max.X, b.w)
	r.Min.Y, r.Max.Y = grow(r.Min.Y, r.Max.Y, b.h)
	return r
}

// within says whether p lies in one of the rectangles.
func within(p point, list []rect) bool {
	for _, r := range list {
		d := p.minus(r.middle)
		if math.Abs(d.dot(r.along)) < r.width/2 && math.Abs(d.dot(r.along.turned())) < r.height/2 {
			return true
		}
	}
	return false
}
