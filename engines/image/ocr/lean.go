package ocr

import (
	"math"
	"slices"
)

// band is the rectangle that most columns of b agree on, for a line that something
// beside it clings to: the middles of columns that are about as thick as most give its
// direction. ok is false where that is no line across.
func (b *blob) band() (r rect, ok bool) {
	from, to := b.spans[0].from, b.spans[0].to
	for _, s := range b.spans {
		from, to = min(from, s.from), max(to, s.to)
	}
	thick, sumY := make([]float64, to-from), make([]float64, to-from)
	for _, s := range b.spans {
		for x := s.from; x < s.to; x++ {
			thick[x-from]++
			sumY[x-from] += float64(s.y) + 0.5
		}
	}
	sorted := slices.Clone(thick)
	slices.Sort(sorted)
	usual := sorted[len(sorted)/2]
	var n, sx, sy, sxx, sxy float64
	for i, t := range thick {
		if t < 0.6*usual || t > 1.4*usual {
			continue
		}
		x, y := float64(from+i)+0.5, sumY[i]/t
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	spread := n*sxx - sx*sx
	if n < 4*usual || 2*n < float64(len(thick)) || spread <= 0 {
		return rect{}, false
	}
	slope := (n*sxy - sx*sy) / spread
	if math.Abs(slope) > 1 {
		return rect{}, false
	}
	x := float64(from+to) / 2
	long := math.Hypot(1, slope)
	return rect{
		middle: point{x, sy/n + slope*(x-sx/n)},
		along:  point{1 / long, slope / long},
		width:  float64(to-from) * long, height: usual / long,
	}, true
}
