package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// own is a loaded network of the operator.
type own struct {
	cfg     Own
	sum     string // sha256 of the file, in hex
	network *network
	finds   []*Find // by label, nil for those that don't matter
}

var _ image.Detector = (*own)(nil)

// Detect implements image.Detector.
func (o *own) Detect(ctx context.Context, p *image.Picture, out []engines.Signal) ([]engines.Signal, error) {
	if err := ctx.Err(); err != nil {
		return out, err
	}
	var err error
	if o.cfg.Boxes == "" {
		out, err = o.whole(p, out)
	} else {
		out, err = o.places(p, out)
	}
	if err != nil {
		return out, fmt.Errorf("model %s: %w", o.cfg.Name, err)
	}
	return out, nil
}

func (o *own) signal(label int, score float64) (engines.Signal, bool) {
	f := o.finds[label]
	if f == nil || !(score >= f.Threshold) {
		return engines.Signal{}, false
	}
	return engines.Signal{
		Category: f.Category, SubLabel: f.SubLabel, Severity: f.Severity, Confidence: min(score, 1),
		Source: engines.SourceModel, Rule: "model/" + o.cfg.Name + "/" + o.cfg.Labels[label],
	}, true
}

// whole reads one score a label.
func (o *own) whole(p *image.Picture, out []engines.Signal) ([]engines.Signal, error) {
	scores, err := o.network.scores(p.RGBA, len(o.cfg.Labels))
	if err != nil {
		return out, err
	}
	activate(o.cfg.Activation, scores)
	for i, score := range scores {
		if s, ok := o.signal(i, score); ok {
			out = append(out, s)
		}
	}
	return out, nil
}

func activate(how string, scores []float64) {
	switch how {
	case Sigmoid:
		for i, v := range scores {
			scores[i] = 1 / (1 + math.Exp(-v))
		}
	case Softmax:
		top, sum := slices.Max(scores), 0.
		for i, v := range scores {
			scores[i] = math.Exp(v - top)
			sum += scores[i]
		}
		for i := range scores {
			scores[i] /= sum
		}
	}
}

// maxBoxes bounds what is said of one picture: the surest.
const maxBoxes = 50

// found is a box in the input of the network.
type found struct {
	label      int
	score      float64
	x, y, w, h float64 // from its corner
}

// places reads boxes.
func (o *own) places(p *image.Picture, out []engines.Signal) ([]engines.Signal, error) {
	var boxes []found
	var shown view
	err := o.network.in.with(p.RGBA, func(t onnx.Tensor, v view) error {
		shown = v
		return o.network.session.Run([]onnx.Tensor{t}, func(outputs []onnx.Tensor) (err error) {
			boxes, err = o.read(outputs[0])
			return err
		})
	})
	if err != nil {
		return out, err
	}
	size := p.Rect.Size()
	for _, b := range o.thin(boxes) {
		s, _ := o.signal(b.label, b.score)
		x0, y0 := shown.back(b.x, b.y, size.X, size.Y)
		x1, y1 := shown.back(b.x+b.w, b.y+b.h, size.X, size.Y)
		s.Place = &engines.Place{Box: [4]int{x0, y0, max(x1-x0, 1), max(y1-y0, 1)}}
		out = append(out, s)
	}
	return out, nil
}

// back gives the pixel of the picture that a place of the input shows, within it.
func (v *view) back(x, y float64, width, height int) (px, py int) {
	x = v.from.x + (x-v.to.x)/v.to.w*v.from.w
	y = v.from.y + (y-v.to.y)/v.to.h*v.from.h
	return int(min(max(x+.5, 0), float64(width))), int(min(max(y+.5, 0), float64(height)))
}

// read takes the boxes that matter out of a network's output.
func (o *own) read(t onnx.Tensor) ([]found, error) {
	labels, head := len(o.cfg.Labels), 4
	if o.cfg.Boxes == YOLOv5 {
		head = 5
	}
	if len(t.Shape) != 3 || t.Shape[0] != 1 {
		return nil, fmt.Errorf("it gives %v, not one list of boxes", t.Shape)
	}
	count, width := t.Shape[1], t.Shape[2]
	at := func(box, i int) float64 { return float64(t.Data[box*width+i]) }
	if o.cfg.Boxes == YOLOv8 {
		count, width = width, count
		at = func(box, i int) float64 { return float64(t.Data[i*count+box]) }
	}
	if width != head+labels {
		return nil, fmt.Errorf("it gives %v: a box has %d numbers, not %d", t.Shape, width, head+labels)
	}
	var boxes []found
	for b := range count {
		sure := 1.
		if head == 5 {
			sure = o.probability(at(b, 4))
		}
		for label := range labels {
			score := sure * o.probability(at(b, head+label))
			if _, ok := o.signal(label, score); !ok {
				continue
			}
			w, h := at(b, 2), at(b, 3)
			f := found{label, score, at(b, 0) - w/2, at(b, 1) - h/2, w, h}
			if !(w > 0 && h > 0 && math.Abs(f.x) < 1e6 && math.Abs(f.y) < 1e6) {
				continue // no box: nothing has such a place
			}
			boxes = append(boxes, f)
		}
	}
	return boxes, nil
}

func (o *own) probability(v float64) float64 {
	if o.cfg.Activation == Sigmoid {
		return 1 / (1 + math.Exp(-v))
	}
	return v
}

// thin keeps the surest of boxes that show one thing, and of all of them the surest.
func (o *own) thin(boxes []found) []found {
	overlap := o.cfg.Overlap
	if overlap == 0 {
		overlap = 0.45
	}
	slices.SortStableFunc(boxes, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	var kept []found
	for _, b := range boxes {
		same := func(k found) bool { return k.label == b.label && shared(k, b) > overlap }
		if !slices.ContainsFunc(kept, same) {
			if kept = append(kept, b); len(kept) == maxBoxes {
				break
			}
		}
	}
	return kept
}

// shared is the intersection over the union of two boxes.
func shared(a, b found) float64 {
	w := min(a.x+a.w, b.x+b.w) - max(a.x, b.x)
	h := min(a.y+a.h, b.y+b.h) - max(a.y, b.y)
	if w <= 0 || h <= 0 {
		return 0
	}
	both := w * h
	return both / (a.w*a.h + b.w*b.h - both)
}
