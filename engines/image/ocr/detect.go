package ocr

import (
	"errors"
	"fmt"
	"math"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// detector finds lines of text with a network that gives, for each pixel, how likely it
// is to lie in the middle of one (DB, arXiv:1911.08947).
type detector struct {
	// net sees whole pictures, whose sizes are few; parts sees what else is looked at: a network
	// in bfloat16 is made anew for each size, which takes longer than looking.
	net, parts *onnx.Session
	cfg        Config
}

// detectorNorm is what PP-OCR's detectors were trained with: that of ImageNet, applied
// to blue, green, red in this order.
var detectorNorm = norm{mean: [3]float32{0.485, 0.456, 0.406}, deviation: [3]float32{0.229, 0.224, 0.225}}

const (
	mapThreshold = 0.3 // of what counts as text in the map
	mostBlobs    = 1000
	thinnest     = 2.5 // px of the map: what is thinner is a line, not a line of text
	unclip       = 1.6 // PP-OCR's
	fills        = 0.8 // of BoxScore, the mean over a line's rectangle
)

// find gives the rectangles of lines in px of b. It looks at a smaller picture first,
// and once more at its own size where that shows something small or unsure: most of a
// picture is neither.
func (d *detector) find(b *bitmap) ([]rect, error) {
	whole := window{right: point{float64(b.w), 0}, down: point{0, float64(b.h)}}
	fine := min(1, float64(d.cfg.Side)/float64(max(b.w, b.h)))
	coarse := min(fine, float64(d.cfg.FirstSide)/float64(max(b.w, b.h)))
	if coarse == fine {
		all, err := d.look(d.net, b, whole, fine, d.cfg.BoxScore)
		return rectsOf(all), err
	}
	first, err := d.look(d.net, b, whole, coarse, doubt*d.cfg.BoxScore)
	if err != nil {
		return nil, err
	}
	return d.again(b, first, fine)
}

// look gives what a network of the detector sees in a straight window at a scale.
func (d *detector) look(net *onnx.Session, b *bitmap, win window, scale, least float64) ([]seen, error) {
	w, h := to32(win.right.x*scale), to32(win.down.y*scale)
	data, done := tensor(3 * w * h)
	defer done()
	in := onnx.Tensor{Shape: []int{1, 3, h, w}, Data: data}
	b.fill(in.Data, win, w, h, w, detectorNorm)
	var found []seen
	err := net.Run([]onnx.Tensor{in}, func(out []onnx.Tensor) error {
		if out[0].Size() != w*h {
			return fmt.Errorf("the detector's map has shape %v for %dx%d", out[0].Shape, w, h)
		}
		found = d.boxes(out[0].Data, w, h, least)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("detect text: %w", err)
	}
	sx, sy := win.right.x/float64(w), win.down.y/float64(h)
	for i := range found {
		r := found[i].scaled(sx, sy).reading()
		r.middle = r.middle.plus(win.origin)
		found[i].rect = r
	}
	return found, nil
}

// to32 is a side of what the detector is shown: a multiple of 32.
func to32(v float64) int { return max(32, int(math.Round(v/32))*32) }

func (d *detector) boxes(values []float32, w, h int, least float64) []seen {
	var found []seen
	for _, b := range blobs(values, w, h, mapThreshold, mostBlobs) {
		if b.pixels < 8 || b.sum/float64(b.pixels) < least {
			continue
		}
		r := smallestRect(b.corners())
		if min(r.width, r.height) < thinnest {
			continue
		}
		// A line fills its rectangle; what does not is a scatter, or a line that something
		// clings to.
		if b.sum/(r.width*r.height) < fills*least {
			band, ok := b.band()
			if !ok {
				continue
			}
			r = band
		}
		found = append(found, seen{r.grown(unclip), b.sum / float64(b.pixels)})
	}
	return found
}

// scaled maps r by factors that differ by what rounding to 32 px makes.
func (r rect) scaled(sx, sy float64) rect {
	u, v := r.along, r.along.turned()
	su, sv := point{u.x * sx, u.y * sy}, point{v.x * sx, v.y * sy}
	n := su.length()
	return rect{
		middle: point{r.middle.x * sx, r.middle.y * sy},
		along:  su.times(1 / n), width: r.width * n, height: r.height * sv.length(),
	}
}

func newDetector(model []byte, cfg Config) (*detector, error) {
	net, err := onnx.NewHalf(model)
	if err != nil {
		return nil, fmt.Errorf("text detector: %w", err)
	}
	parts, err := onnx.New(model)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("text detector: %w", err), net.Close())
	}
	return &detector{net: net, parts: parts, cfg: cfg}, nil
}

func (d *detector) close() error { return errors.Join(d.net.Close(), d.parts.Close()) }
