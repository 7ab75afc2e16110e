package ocr

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/tesseract"
)

const (
	liftHeight = 60 // px, about what Tesseract's networks were trained with
	liftMargin = 8  // px of white around
)

// lift gives the line at r as dark text on white, which Tesseract was made for, in both
// ways that it can be had: of a light line and of a dark one, the likelier first. What
// games draw has three levels of light, its letters, what sets them off (an outline, a
// shadow, a panel) and the scene; letters are the first or the last of them. The scene
// reaches the upper and lower edges of the line and the letters do not, which says which
// is likelier.
func (b *bitmap) lift(r rect) (likely, other tesseract.Gray) {
	w := max(16, min(widestLine, int(math.Round(liftHeight*r.width/max(1, r.height)))))
	planes := make([]float32, 3*w*liftHeight)
	b.fill(planes, r.window(), w, liftHeight, w, norm{deviation: [3]float32{1, 1, 1}})
	blue, green, red := planes[:w*liftHeight], planes[w*liftHeight:2*w*liftHeight], planes[2*w*liftHeight:]
	luma := make([]byte, w*liftHeight) // ITU-R BT.601
	for i := range luma {
		luma[i] = byte(255 * (0.114*blue[i] + 0.587*green[i] + 0.299*red[i]))
	}
	low, high := threeLevels(luma)
	dark, middle, light := meanWithin(luma, 0, low), meanWithin(luma, low, high), meanWithin(luma, high, 256)
	ofLight, ofDark := stretched(luma, w, light, middle), stretched(luma, w, dark, middle)
	if edge := liftHeight / 10 * w; share(luma, edge, high, 256) < share(luma, edge, 0, low) {
		return ofLight, ofDark
	}
	return ofDark, ofLight
}

// threeLevels gives the two thresholds that split values into the three classes with the
// least variance within (Otsu 1979, for two thresholds).
func threeLevels(values []byte) (low, high int) {
	const bins, width = 64, 4
	var count, sum [bins + 1]float64 // of all bins before
	for _, v := range values {
		count[v/width+1]++
	}
	for i := 1; i <= bins; i++ {
		sum[i] = sum[i-1] + count[i]*float64(i)
		count[i] += count[i-1]
	}
	between := func(i, j int) float64 {
		if count[j] == count[i] {
			return 0
		}
		s := sum[j] - sum[i]
		return s * s / (count[j] - count[i])
	}
	best := -1.0
	for a := 1; a < bins-1; a++ {
		for b := a + 1; b < bins; b++ {
			if s := between(0, a) + between(a, b) + between(b, bins); s > best {
				best, low, high = s, a*width, b*width
			}
		}
	}
	return low, high
}

// meanWithin is the mean of the values from low to high (exclusive), their middle when
// there are none.
func meanWithin(values []byte, low, high int) float64 {
	sum, n := 0, 0
	for _, v := range values {
		if int(v) >= low && int(v) < high {
			sum, n = sum+int(v), n+1
		}
	}
	if n == 0 {
		return float64(low+high) / 2
	}
	return float64(sum) / float64(n)
}

// share is how much of the first and last n values lies from low to high (exclusive).
func share(values []byte, n, low, high int) float64 {
	in := 0
	for _, part := range [][]byte{values[:n], values[len(values)-n:]} {
		for _, v := range part {
			if int(v) >= low && int(v) < high {
				in++
			}
		}
	}
	return float64(in) / float64(2*n)
}

// stretched maps black to 0 and white to 255, whichever of the two is lighter, within a
// margin of white.
func stretched(values []byte, w int, black, white float64) tesseract.Gray {
	g := tesseract.Gray{Width: w + 2*liftMargin, Height: len(values)/w + 2*liftMargin}
	g.Pix = make([]byte, g.Width*g.Height)
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	span := white - black
	if math.Abs(span) < 1 {
		return g
	}
	for i, v := range values {
		to := (i/w+liftMargin)*g.Width + i%w + liftMargin
		g.Pix[to] = byte(255 * max(0, min(1, (float64(v)-black)/span)))
	}
	return g
}
