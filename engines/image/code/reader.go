package code

import (
	"context"
	"image"
	"math"
	"strings"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode/decoder"
	"github.com/makiuchi-d/gozxing/qrcode/detector"

	"github.com/portcullis-gg/portcullis/engines"
)

// Reader reads codes. It is safe for concurrent use and keeps nothing.
type Reader struct {
	// Budget is how long one picture may take beyond the first look, which is always
	// had; 0 is 60 ms. A picture full of what looks like codes costs no more.
	Budget time.Duration
}

const (
	budget = 60 * time.Millisecond
	// radius of the window that a pixel is compared with: dark insides up to 51 px are
	// seen, at each of the scales.
	radius = 25
	scales = 3
	// mostCodes bounds what one picture can make the gateway read.
	mostCodes = 16
	// mostCorners bounds how many sets of three patterns are tried at one scale.
	mostCorners = 64
)

// ReadCodes returns the codes of a picture with their boxes in its pixels. An error is
// ctx's.
func (r *Reader) ReadCodes(ctx context.Context, img image.Image) ([]engines.Code, error) {
	end := time.Now().Add(r.Budget)
	if r.Budget <= 0 {
		end = time.Now().Add(budget)
	}
	g := grayOf(img)
	var found []engines.Code
	full := g
	defer full.done()
	for times := 1; times <= 1<<(scales-1); times *= 2 {
		if g.w < 21 || g.h < 21 || len(found) >= mostCodes || times > 1 && time.Now().After(end) {
			break
		}
		if ctx.Err() != nil {
			break
		}
		m := g.local(radius)
		found = readQR(g, m, times, end, found)
		if times < 4 {
			found = readBars(m, times, end, found)
		}
		m.done()
		smaller := g.half()
		if g != full {
			g.done()
		}
		g = smaller
	}
	if g != full {
		g.done()
	}
	if len(found) == 0 && ctx.Err() == nil && time.Now().Before(end) {
		found = readAlone(full, found)
	}
	return found, ctx.Err()
}

// readQR reads the codes that finder patterns belong to.
func readQR(g *gray, m *mask, times int, end time.Time, found []engines.Code) []engines.Code {
	list := m.finders()
	used := make([]bool, len(list))
	tried := 0
	for _, c := range corners(list) {
		if tried >= mostCorners || len(found) >= mostCodes || tried > 0 && time.Now().After(end) {
			break
		}
		if used[c.topLeft] || used[c.topRight] || used[c.bottomLeft] {
			continue
		}
		three := [3]finder{list[c.bottomLeft], list[c.topLeft], list[c.topRight]}
		if !m.timed(three) {
			continue
		}
		tried++
		box := boxOf(three)
		text, ok := readOne(g, three, box)
		if !ok {
			continue
		}
		used[c.topLeft], used[c.topRight], used[c.bottomLeft] = true, true, true
		found = add(found, "qr", text, box, times)
	}
	return found
}

// add adds a code once: other scales may see it again.
func add(found []engines.Code, kind, text string, box image.Rectangle, times int) []engines.Code {
	text = strings.ToValidUTF8(text, "\ufffd")
	at := image.Rect(box.Min.X*times, box.Min.Y*times, box.Max.X*times, box.Max.Y*times)
	for _, have := range found {
		b := have.Place.Box
		if have.Content == text && at.Overlaps(image.Rect(b[0], b[1], b[0]+b[2], b[1]+b[3])) {
			return found
		}
	}
	return append(found, engines.Code{Kind: kind, Content: text, Place: engines.Place{Box: [4]int{at.Min.X, at.Min.Y, at.Dx(), at.Dy()}}})
}

// boxOf bounds a code by its finder patterns: bottom left, top left, top right.
func boxOf(three [3]finder) image.Rectangle {
	bl, tl, tr := three[0], three[1], three[2]
	x, y := bl.x+tr.x-tl.x, bl.y+tr.y-tl.y
	edge := 3.5 * (bl.module + tl.module + tr.module) / 3
	left, right := min(bl.x, tl.x, tr.x, x)-edge, max(bl.x, tl.x, tr.x, x)+edge
	top, low := min(bl.y, tl.y, tr.y, y)-edge, max(bl.y, tl.y, tr.y, y)+edge
	return image.Rect(int(max(left, 0)), int(max(top, 0)), int(math.Ceil(right)), int(math.Ceil(low)))
}

// readOne samples and decodes one code: as it is seen, then enlarged, since a module
// of two or three pixels is easily missed, and with one threshold for all of it.
func readOne(g *gray, three [3]finder, box image.Rectangle) (string, bool) {
	module := (three[0].module + three[1].module + three[2].module) / 3
	margin := int(4 * module)
	box = box.Inset(-margin).Intersect(image.Rect(0, 0, g.w, g.h))
	enlarge := []int{1, 2}
	switch {
	case module < 2.5:
		enlarge = []int{3, 4}
	case module < 5:
		enlarge = []int{2, 1, 3}
	}
	for _, times := range enlarge {
		if box.Dx()*box.Dy()*times*times > 4<<20 {
			continue
		}
		part := g.crop(box, times)
		for _, m := range []*mask{part.local(max(radius, int(5*module*float64(times)))), part.global()} {
			if text, ok := sample(m, three, box.Min, times); ok {
				return text, true
			}
		}
	}
	return "", false
}

// sample has gozxing find the modules of the code and decode them.
func sample(m *mask, three [3]finder, origin image.Point, times int) (text string, ok bool) {
	// Whatever a picture makes of its tables, it is no code then.
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	bits, err := gozxing.NewBitMatrix(m.w, m.h)
	if err != nil {
		return "", false
	}
	for y := range m.h {
		for x, dark := range m.dark[y*m.w : (y+1)*m.w] {
			if dark != three[0].light {
				bits.Set(x, y)
			}
		}
	}
	at := func(f finder) *detector.FinderPattern {
		scale := float64(times)
		return detector.NewFinderPattern((f.x-float64(origin.X))*scale, (f.y-float64(origin.Y))*scale, f.module*scale, f.count)
	}
	found, err := detector.NewDetector(bits).ProcessFinderPatternInfo(detector.NewFinderPatternInfo(at(three[0]), at(three[1]), at(three[2])))
	if err != nil {
		return "", false
	}
	result, err := decoder.NewDecoder().Decode(found.GetBits(), nil)
	if err != nil || result.GetText() == "" {
		return "", false
	}
	return result.GetText(), true
}
