package classify

import (
	stdimage "image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/models"
)

// TestSkinColours: what has the colours of skin and is none, such as sand, wood, clay and
// round shapes of them, as statues and drawn bodies of games are, is not said to be nude.
func TestSkinColours(t *testing.T) {
	both := builtin{nsfw: stored(t, models.Nudity, "nsfwjs-mid.onnx", nsfwInput), safety: stored(t, models.Safety, "image-safety-s.onnx", safetyInput)}
	worst := map[engines.Category]float64{}
	for seed := range uint64(48) {
		rng := rand.New(rand.NewPCG(seed, 5)) //nolint:gosec // the same pictures each time
		for kind, p := range map[string]*stdimage.RGBA{"plain": skinPlain(rng), "dunes": skinDunes(rng), "shapes": skinShapes(rng)} {
			signals, err := both.Detect(t.Context(), &image.Picture{RGBA: p, Scale: 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range signals {
				worst[s.Category] = max(worst[s.Category], s.Confidence)
				if s.Category == engines.Nudity && s.Confidence >= 0.5 {
					t.Errorf("%s %d: nudity at %.2f", kind, seed, s.Confidence)
				}
			}
		}
	}
	t.Logf("of 144 pictures, the surest: %.2v", worst)
}

// skinTone is a colour between dark and light skin, lit by light.
func skinTone(rng *rand.Rand) func(light float64) color.RGBA {
	at := rng.Float64()
	mix := func(dark, pale float64) float64 { return dark + (pale-dark)*at }
	r, g, b := mix(90, 241), mix(56, 194), mix(37, 163)
	return func(light float64) color.RGBA {
		c := func(v float64) uint8 { return uint8(max(0, min(255, v*light))) }
		return color.RGBA{c(r), c(g), c(b), 255}
	}
}

func skinPlain(rng *rand.Rand) *stdimage.RGBA {
	tone, turn := skinTone(rng), rng.Float64()*2*math.Pi
	return toned(func(x, y float64) color.RGBA { return tone(0.8 + 0.3*(x*math.Cos(turn)+y*math.Sin(turn))) })
}

func skinDunes(rng *rand.Rand) *stdimage.RGBA {
	tone, bend, many := skinTone(rng), 1+3*rng.Float64(), 4+12*rng.Float64()
	return toned(func(x, y float64) color.RGBA {
		return tone(0.85 + 0.2*math.Sin(many*(y+0.15*math.Sin(bend*x))) + 0.1*math.Sin(40*x*y))
	})
}

// skinShapes are lit ellipsoids, four to nine, before a ground of another colour.
func skinShapes(rng *rand.Rand) *stdimage.RGBA {
	tone := skinTone(rng)
	ground := color.RGBA{uint8(rng.IntN(200)), uint8(rng.IntN(200)), uint8(rng.IntN(200)), 255} //nolint:gosec // bytes
	type shape struct{ x, y, rx, ry float64 }
	shapes := make([]shape, 4+rng.IntN(6))
	for i := range shapes {
		shapes[i] = shape{rng.Float64(), rng.Float64(), 0.05 + 0.25*rng.Float64(), 0.05 + 0.25*rng.Float64()}
	}
	return toned(func(x, y float64) color.RGBA {
		c := ground
		for _, s := range shapes {
			if d := math.Hypot((x-s.x)/s.rx, (y-s.y)/s.ry); d < 1 {
				c = tone(0.55 + 0.5*math.Sqrt(1-d*d))
			}
		}
		return c
	})
}

func toned(at func(x, y float64) color.RGBA) *stdimage.RGBA {
	const side = 256
	img := stdimage.NewRGBA(stdimage.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			img.SetRGBA(x, y, at(float64(x)/side, float64(y)/side))
		}
	}
	return img
}
