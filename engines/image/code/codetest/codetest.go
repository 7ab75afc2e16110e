// Package codetest makes pictures with codes in them, as players would hide them: on
// busy backgrounds, turned, inverted, faint, small, saved as JPEG. The same seed makes
// the same picture. It measures a reader on them.
package codetest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/makiuchi-d/gozxing/qrcode/decoder"

	"github.com/portcullis-gg/portcullis/engines"
)

// Code is a code to draw.
type Code struct {
	Content string
	Side    int     // px of the code's side, without its quiet zone
	Turn    float64 // degrees
	Invert  bool
	// Contrast is the difference of its two shades, 1 to 255.
	Contrast int
	At       image.Point // of its middle
}

// Scene is a picture and what is in it.
type Scene struct {
	Image image.Image
	Codes []Code
}

// New makes the scene of a seed: 1280x720, with so many codes of at least least px.
func New(seed uint64, codes, least int) (Scene, error) {
	r := rand.New(rand.NewPCG(seed, 0x71c0de)) //nolint:gosec // the same picture each time
	img := Background(r, 1280, 720)
	var s Scene
	for i := range codes {
		c := Code{
			Content: content(r), Side: least + r.IntN(160), Turn: r.Float64() * 360, Invert: r.IntN(4) == 0, Contrast: 60 + r.IntN(180),
		}
		if r.IntN(3) == 0 {
			c.Turn = float64(r.IntN(4)) * 90
		}
		// Codes stand side by side, each in a part of its own.
		part := 1280 / codes
		room := int(float64(c.Side) * 0.85)
		if 2*room > part {
			c.Side = part * 10 / 18
			room = int(float64(c.Side) * 0.85)
		}
		c.At = image.Pt(i*part+room+r.IntN(max(1, part-2*room)), room+r.IntN(max(1, 720-2*room)))
		if err := Draw(img, c); err != nil {
			return s, err
		}
		s.Codes = append(s.Codes, c)
	}
	speckle(r, img, r.IntN(7))
	var err error
	s.Image, err = saved(img, 60+r.IntN(36))
	return s, err
}

// content is what a code of this kind says: links of the lengths that are usual.
func content(r *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	b := []byte("https://")
	for range 5 + r.IntN(12) {
		b = append(b, letters[r.IntN(len(letters))])
	}
	b = append(b, ".example/"...)
	for range r.IntN(24) {
		b = append(b, letters[r.IntN(len(letters))])
	}
	return string(b)
}

// Draw draws a QR code with its quiet zone over img, smoothed.
func Draw(img *image.RGBA, c Code) error {
	bits, err := qrcode.NewQRCodeWriter().Encode(c.Content, gozxing.BarcodeFormat_QR_CODE, 0, 0, map[gozxing.EncodeHintType]any{
		gozxing.EncodeHintType_MARGIN: 0, gozxing.EncodeHintType_ERROR_CORRECTION: decoder.ErrorCorrectionLevel_M,
	})
	if err != nil {
		return fmt.Errorf("make code: %w", err)
	}
	const quiet, grid = 4, 4
	n := bits.GetWidth()
	module := float64(c.Side) / float64(n)
	sin, cos := math.Sincos(c.Turn * math.Pi / 180)
	reach := int(float64(c.Side)*0.75+quiet*module) + 2
	light := 128 + float64(c.Contrast)/2
	dark := light - float64(c.Contrast)
	if c.Invert {
		light, dark = dark, light
	}
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			at := image.Pt(c.At.X+x, c.At.Y+y)
			if !at.In(img.Rect) {
				continue
			}
			dots, inside := 0, 0
			for s := range grid * grid {
				fx, fy := float64(x)+(float64(s%grid)+0.5)/grid, float64(y)+(float64(s/grid)+0.5)/grid
				u, v := (fx*cos+fy*sin)/module+float64(n)/2, (-fx*sin+fy*cos)/module+float64(n)/2
				if u < -quiet || v < -quiet || u >= float64(n+quiet) || v >= float64(n+quiet) {
					continue
				}
				inside++
				if inCode(bits, u, v) {
					dots++
				}
			}
			blend(img, at, (dark*float64(dots)+light*float64(inside-dots))/grid/grid, float64(inside)/grid/grid)
		}
	}
	return nil
}

func inCode(bits *gozxing.BitMatrix, u, v float64) bool {
	n := float64(bits.GetWidth())
	return u >= 0 && v >= 0 && u < n && v < n && bits.Get(int(u), int(v))
}

// blend lays a shade over a pixel, of which it covers a part.
func blend(img *image.RGBA, at image.Point, shade, part float64) {
	have := img.RGBAAt(at.X, at.Y)
	mix := func(old uint8) uint8 { return uint8(float64(old)*(1-part) + shade) }
	img.SetRGBA(at.X, at.Y, color.RGBA{mix(have.R), mix(have.G), mix(have.B), 255})
}

// Background is what a game may show: a sky, ground, figures, bars, grids and letters
// of an interface, none of them a code.
func Background(r *rand.Rand, w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	const waves = 6
	across, down := make([][2 * waves]float64, w), make([][2 * waves]float64, h)
	for i := range waves {
		kx, ky, phase := r.Float64()*0.05, r.Float64()*0.05, r.Float64()*6
		for x := range across {
			across[x][2*i], across[x][2*i+1] = math.Sincos(kx*float64(x) + phase)
		}
		for y := range down {
			down[y][2*i+1], down[y][2*i] = math.Sincos(ky * float64(y)) // sin(a+b), summed below
		}
	}
	base := [3]float64{60 + 120*r.Float64(), 60 + 120*r.Float64(), 60 + 120*r.Float64()}
	for y := range h {
		for x := range w {
			v := 0.0
			for i, a := range across[x] {
				v += 9 * a * down[y][i]
			}
			img.SetRGBA(x, y, color.RGBA{clamp(base[0] + v), clamp(base[1] + v*0.8), clamp(base[2] - v), 255})
		}
	}
	for range 60 + r.IntN(60) {
		thing(r, img, image.Rect(0, 0, 4+r.IntN(120), 4+r.IntN(90)).Add(image.Pt(r.IntN(w), r.IntN(h))))
	}
	return img
}

// thing draws one of what stands in games and their interfaces.
func thing(r *rand.Rand, img *image.RGBA, at image.Rectangle) {
	x, y, w, h := at.Min.X, at.Min.Y, at.Dx(), at.Dy()
	c := color.RGBA{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256)), 255}
	switch r.IntN(4) {
	case 0:
		figure(img, at, c)
	case 1: // a frame with a bar in it
		fill(img, x, y, w, h, c)
		fill(img, x+3, y+3, max(w-6, 0), max(h-6, 0), color.RGBA{c.B, c.R, c.G, 255})
	case 2: // a grid of an inventory
		for i := range 12 {
			fill(img, x+i%4*20, y+i/4*20, 18, 18, c)
			fill(img, x+i%4*20+5, y+i/4*20+5, 8, 8, color.RGBA{c.G, c.B, c.R, 255})
		}
	default: // a line of letters
		for i := range 240 {
			if k := i % 12; r.IntN(2) == 0 {
				fill(img, x+i/12*8+2*(k%3), y+2*(k/3), 2, 2, c)
			}
		}
	}
}

func figure(img *image.RGBA, at image.Rectangle, c color.RGBA) {
	w, h := at.Dx(), at.Dy()
	for dy := -h / 2; dy < h/2; dy++ {
		for dx := -w / 2; dx < w/2; dx++ {
			if 4*dx*dx*h*h+4*dy*dy*w*w < w*w*h*h {
				set(img, at.Min.X+dx, at.Min.Y+dy, c)
			}
		}
	}
}

func clamp(v float64) uint8 { return uint8(min(max(v, 0), 255)) }

func set(img *image.RGBA, x, y int, c color.RGBA) {
	if image.Pt(x, y).In(img.Rect) {
		img.SetRGBA(x, y, c)
	}
}

func fill(img *image.RGBA, x, y, w, h int, c color.RGBA) {
	for dy := range h {
		for dx := range w {
			set(img, x+dx, y+dy, c)
		}
	}
}

// speckle adds the grain of a camera.
func speckle(r *rand.Rand, img *image.RGBA, sigma int) {
	for i := range img.Pix {
		if sigma > 0 && i%4 != 3 {
			img.Pix[i] = clamp(float64(img.Pix[i]) + r.NormFloat64()*float64(sigma))
		}
	}
}

// saved is the picture after it was a JPEG of a quality.
func saved(img image.Image, quality int) (image.Image, error) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("save as JPEG: %w", err)
	}
	back, err := jpeg.Decode(&file)
	if err != nil {
		return nil, fmt.Errorf("read JPEG: %w", err)
	}
	// As a reader is shown pictures.
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, back, image.Point{}, draw.Src)
	return out, nil
}

// Reader is what is measured.
type Reader interface {
	ReadCodes(ctx context.Context, img image.Image) ([]engines.Code, error)
}

// Result is what a reader made of many scenes.
type Result struct {
	Scenes, Codes, Found int
	// Wrong are codes that are not there, or say something else.
	Wrong int
	// Missed are the codes that were not found.
	Missed []Code
	// Took is the time of all scenes.
	Took time.Duration
}

// Rate is the share of codes that were found, 1 where there were none.
func (r *Result) Rate() float64 {
	if r.Codes == 0 {
		return 1
	}
	return float64(r.Found) / float64(r.Codes)
}

// Measure has a reader read scenes from seed on, with so many codes each.
func Measure(ctx context.Context, reader Reader, seed uint64, scenes, codes, least int) (Result, error) {
	var res Result
	for i := range scenes {
		s, err := New(seed+uint64(i), codes, least)
		if err != nil {
			return res, err
		}
		start := time.Now()
		got, err := reader.ReadCodes(ctx, s.Image)
		if err != nil {
			return res, fmt.Errorf("scene %d: %w", seed+uint64(i), err)
		}
		res.Took += time.Since(start)
		res.Scenes++
		res.Codes += len(s.Codes)
		left := make(map[string]int, len(got))
		for _, c := range got {
			left[c.Content]++
		}
		for _, c := range s.Codes {
			if left[c.Content] == 0 {
				res.Missed = append(res.Missed, c)
				continue
			}
			left[c.Content]--
			res.Found++
		}
		for _, n := range left {
			res.Wrong += n
		}
	}
	return res, nil
}
