package pictures

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"golang.org/x/image/font/sfnt"
)

// writer lays one line over a scene.
type writer struct {
	rng  *rand.Rand
	img  *image.RGBA
	font *sfnt.Font
	// seated has marks above Thai letters stand where shaping puts them.
	seated bool
	taken  []Line
}

// write draws text at a random place, nil when that place is taken or too small; after
// many tries the text is made smaller.
func (w *writer) write(text string, o Options, try int) (*Line, error) {
	size := o.MinSize + (o.MaxSize-o.MinSize)*w.rng.Float64()
	if try > 50 {
		size = o.MinSize
	}
	angle := 0.0
	if o.MaxAngle > 0 && w.rng.IntN(2) == 0 {
		angle = (2*w.rng.Float64() - 1) * o.MaxAngle
	}
	shape, err := layOut(w.font, text, size, w.seated)
	if err != nil {
		return nil, err
	}
	at := point{w.rng.Float64() * float64(o.Width), w.rng.Float64() * float64(o.Height)}
	rad := angle * math.Pi / 180
	turn := func(x, y float64) point {
		sin, cos := math.Sincos(rad)
		return point{at.x + x*cos - y*sin, at.y + x*sin + y*cos}
	}
	bounds := around(turn(0, -shape.ascent), turn(shape.width, -shape.ascent), turn(shape.width, shape.descent), turn(0, shape.descent))
	room := bounds.Inset(-int(0.6 * size))
	if !room.In(w.img.Rect) {
		return nil, nil //nolint:nilnil // nil is "not here", as the comment says
	}
	for _, other := range w.taken {
		if other.Box.Inset(-int(0.6 * other.Size)).Overlaps(room) {
			return nil, nil //nolint:nilnil // likewise
		}
	}
	w.paint(shape.mask(room, at, rad), size)
	middle := (shape.descent - shape.ascent) / 2
	from, to := turn(0, middle), turn(shape.width, middle)
	return &Line{
		Text: text, Box: bounds, Angle: angle, Size: size,
		From: image.Pt(int(from.x), int(from.y)), To: image.Pt(int(to.x), int(to.y)),
	}, nil
}

func around(corners ...point) image.Rectangle {
	lowX, lowY, highX, highY := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range corners {
		lowX, lowY, highX, highY = min(lowX, c.x), min(lowY, c.y), max(highX, c.x), max(highY, c.y)
	}
	return image.Rect(int(math.Floor(lowX)), int(math.Floor(lowY)), int(math.Ceil(highX)), int(math.Ceil(highY)))
}

// paint lays the mask over the scene as games do, so that people can read it: with an
// outline, with a shadow, on a panel, or plain in a colour that stands out.
func (w *writer) paint(mask *image.Alpha, size float64) {
	white, black := color.RGBA{255, 255, 255, 255}, color.RGBA{A: 255}
	light, dark := mix(shade(w.rng, 0.9, 1), white, 0.4), mix(shade(w.rng, 0, 0.4), black, 0.5)
	front, back := light, dark
	if w.rng.IntN(3) == 0 {
		front, back = dark, light
	}
	switch w.rng.IntN(4) {
	case 0, 1:
		w.lay(grown(mask, 1+size/24), back, 255, 0)
	case 2:
		w.lay(grown(mask, 1), back, 230, 2)
	default:
		box(w.img, mask.Rect.Inset(int(size/4)), back, 120+w.rng.IntN(100))
		w.lay(grown(mask, 1), back, 120, 1)
	}
	w.lay(mask, front, 255, 0)
}

// lay colours what a mask covers, shifted by px to the lower right.
func (w *writer) lay(mask *image.Alpha, c color.RGBA, alpha, shift int) {
	r := mask.Rect
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if a := int(mask.Pix[(y-r.Min.Y)*mask.Stride+x-r.Min.X]); a > 0 && image.Pt(x+shift, y+shift).In(w.img.Rect) {
				blend(w.img, x+shift, y+shift, c, a*alpha/255)
			}
		}
	}
}
