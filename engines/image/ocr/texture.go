package ocr

import "math"

// The detector takes fences, windows and grass for lines as well, as sure of them as of text,
// and to read one costs as much as to read a line. What tells them apart costs next to
// nothing: within a line of text light goes up and down along it, more so than above and
// below, in few strong steps, and not in the same places at its top as at its foot.

const (
	textureRows = 24  // px at which a line is looked at
	textureMost = 960 // px of its length, its middle
	// likelyText is how likely a line must be to be text for it to be read, likelyScript
	// for it to be shown to the readers of single scripts when the network made nothing of
	// it. Of 621 lines on pictures that nothing was fitted to the first loses 3, all of them
	// one or two words; of 129 that are no text it keeps 20. The second loses 5 and keeps 14.
	likelyText, likelyScript = 0.05, 0.2
)

// textureWeights are those of a logistic regression, fitted by TestFitTexture: of the parts
// of texture in their order, and what is added.
var textureWeights = [textureParts + 1]float64{-2.966, 3.897, 0.927, -0.258, -7.534, -4.990}

// textureParts is how many parts a texture has.
const textureParts = 5

// texture is what tells text from what looks like it. None of it depends on how strong the
// contrast is or how long the line, since games have faint text and short words.
type texture [textureParts]float64

// text is how likely what has the texture is text, 0 to 1.
func (t texture) text() float64 {
	sum := textureWeights[textureParts]
	for i, v := range t {
		sum += textureWeights[i] * v
	}
	return 1 / (1 + math.Exp(-sum))
}

// textureOf looks at the line in r.
func (b *bitmap) textureOf(r rect) texture {
	r.width = min(r.width, r.height*textureMost/textureRows)
	w := max(4, int(math.Round(textureRows*r.width/max(1, r.height))))
	g := b.grayOf(r, w, textureRows)
	const middle, end, edge = textureRows / 4, textureRows * 3 / 4, textureRows / 8
	at := func(y int) []float32 { return g[y*w : (y+1)*w] }
	var across, down, outside float64
	for y := range textureRows {
		steps := stepsOf(at(y))
		switch {
		case y >= middle && y < end:
			across += steps / (end - middle)
			down += stepsBetween(at(y), at(y+1)) / (end - middle)
		case y < edge || y >= textureRows-edge:
			outside += steps / (2 * edge)
		}
	}
	const floor = 0.5 // levels of light, of what is flat
	across, down, outside = across+floor, down+floor, outside+floor
	return texture{
		math.Log(outside / across), math.Log(down / across),
		turnsOf(g[middle*w:end*w]) / (end - middle) / float64(w) * textureRows,
		strongOf(g[middle*w:end*w], w, 2*across), alikeOf(g, w),
	}
}

// stepsOf is the mean step between neighbours.
func stepsOf(row []float32) float64 { return stepsBetween(row[:len(row)-1], row[1:]) }

// stepsBetween is the mean of how far the values of b are from those of a.
func stepsBetween(a, b []float32) float64 {
	sum := 0.0
	for i, v := range a {
		sum += math.Abs(float64(v - b[i]))
	}
	return sum / float64(len(a))
}

// turnsOf counts how often light turns from clearly above its mean to clearly below, or
// back, from one value to the next.
func turnsOf(values []float32) float64 {
	var sum, squares float64
	for _, v := range values {
		sum, squares = sum+float64(v), squares+float64(v)*float64(v)
	}
	mean := sum / float64(len(values))
	least := math.Sqrt(max(0, squares/float64(len(values))-mean*mean))/2 + 1
	turns, side := 0.0, 0
	for _, v := range values {
		now := 0
		switch d := float64(v) - mean; {
		case d > least:
			now = 1
		case d < -least:
			now = -1
		}
		if now != 0 && now != side {
			if side != 0 {
				turns++
			}
			side = now
		}
	}
	return turns
}

// strongOf is the share of steps along rows of w that pass least.
func strongOf(values []float32, w int, least float64) float64 {
	n := 0
	for i, v := range values {
		if i%w > 0 && math.Abs(float64(v-values[i-1])) > least {
			n++
		}
	}
	return float64(n) / float64(len(values)/w*(w-1))
}

// alikeOf is how much rows of the line are like those a quarter of it further down, from
// -1 to 1.
func alikeOf(g []float32, w int) float64 {
	const from, apart = textureRows / 6, textureRows / 4
	var both, upper, lower float64
	for y := from; y < textureRows-from-apart; y++ {
		a, b := g[y*w:(y+1)*w], g[(y+apart)*w:(y+apart+1)*w]
		ma, mb := meanOf(a), meanOf(b)
		for i, v := range a {
			x, z := float64(v)-ma, float64(b[i])-mb
			both, upper, lower = both+x*z, upper+x*x, lower+z*z
		}
	}
	return both / (math.Sqrt(upper*lower) + 1)
}

func meanOf(values []float32) float64 {
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	return sum / float64(len(values))
}

// grayOf is the light of what lies in r at w×h px, 0 to 255 (ITU-R BT.601).
func (b *bitmap) grayOf(r rect, w, h int) []float32 {
	planes := make([]float32, 3*w*h)
	b.fill(planes, r.window(), w, h, w, norm{deviation: [3]float32{1. / 255, 1. / 255, 1. / 255}})
	blue, green, red := planes[:w*h], planes[w*h:2*w*h], planes[2*w*h:]
	for i, v := range blue {
		blue[i] = 0.114*v + 0.587*green[i] + 0.299*red[i]
	}
	return blue
}
