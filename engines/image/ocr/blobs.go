package ocr

// blob is a connected part of the map of what is text: for each of its rows, where it
// begins and ends.
type blob struct {
	spans  []span
	pixels int
	sum    float64 // of the map's values over its pixels
}

// span is the pixels from, to (exclusive) of row y.
type span struct{ y, from, to int }

// blobs gives the parts of a w×h map whose values pass threshold, pixels that touch by a
// corner belonging together. At most limit, the first ones from the top: a picture of
// nothing but specks must not cost more than one full of text.
func blobs(values []float32, w, h int, threshold float32, limit int) []*blob {
	of := map[*run]*blob{}
	var out []*blob
	for _, r := range runs(values, w, h, threshold) {
		root := r.root()
		b := of[root]
		if b == nil {
			if len(out) == limit {
				continue
			}
			b = &blob{}
			of[root] = b
			out = append(out, b)
		}
		b.spans = append(b.spans, r.span)
		b.pixels += r.to - r.from
		b.sum += r.sum
	}
	return out
}

// runs gives the spans that pass threshold, from the top, each joined to those that it
// touches in the row above.
func runs(values []float32, w, h int, threshold float32) []*run {
	var all []*run
	above := 0 // where the row above begins in all
	for y := range h {
		here := len(all)
		next := above
		row := values[y*w : (y+1)*w]
		for x := 0; x < w; x++ {
			if row[x] <= threshold {
				continue
			}
			r := &run{span: span{y, x, x}}
			for ; x < w && row[x] > threshold; x++ {
				r.sum += float64(row[x])
			}
			r.to = x
			next = joinAbove(all[:here], next, r)
			all = append(all, r)
		}
		above = here
	}
	return all
}

// joinAbove joins r to those of the row above that it touches, which begin at next or
// later, and gives where those of the next run begin.
func joinAbove(above []*run, next int, r *run) int {
	for next < len(above) && above[next].to < r.from {
		next++
	}
	for _, up := range above[next:] {
		if up.from > r.to {
			break
		}
		join(up, r)
	}
	return next
}

// run is a span on its way to a blob (union-find).
type run struct {
	span
	sum float64
	up  *run
}

func (r *run) root() *run {
	for r.up != nil {
		if r.up.up != nil {
			r.up = r.up.up
		}
		r = r.up
	}
	return r
}

func join(a, b *run) {
	if ra, rb := a.root(), b.root(); ra != rb {
		rb.up = ra
	}
}

// corners are those of the ends of b's rows, which hold its hull.
func (b *blob) corners() []point {
	points := make([]point, 0, 4*len(b.spans))
	for _, s := range b.spans {
		left, right, top, bottom := float64(s.from), float64(s.to), float64(s.y), float64(s.y+1)
		points = append(points, point{left, top}, point{left, bottom}, point{right, top}, point{right, bottom})
	}
	return points
}
