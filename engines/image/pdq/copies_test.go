package pdq

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

// What figures are told of was measured with more pictures than a usual run looks at:
// -pdq.copies 500 -pdq.unrelated 100000.
var copied = flag.Int("pdq.copies", 8, "pictures of which copies are made")

const (
	near   = 40 // the distance up to which two pictures count as one: that of a studio's own banks
	usable = 50 // the quality from which on hashes say enough
)

// recompress is the picture after a JPEG of a quality.
func recompress(t *testing.T, img image.Image, quality int) image.Image {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	again, err := jpeg.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// resize is the picture at another size: means of what a pixel covers, and between
// pixels a line.
func resize(img *image.RGBA, factor float64) *image.RGBA {
	w, h := int(float64(img.Rect.Dx())*factor), int(float64(img.Rect.Dy())*factor)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	const steps = 3 // samples a side
	for y := range h {
		for x := range w {
			var sum [3]float64
			for k := range steps * steps {
				fx := (float64(x)+(float64(k%steps)+.5)/steps)/factor - .5
				fy := (float64(y)+(float64(k/steps)+.5)/steps)/factor - .5
				c := between(img, fx, fy)
				for i := range sum {
					sum[i] += c[i] / (steps * steps)
				}
			}
			out.SetRGBA(x, y, color.RGBA{uint8(sum[0] + .5), uint8(sum[1] + .5), uint8(sum[2] + .5), 255})
		}
	}
	return out
}

func between(img *image.RGBA, x, y float64) (c [3]float64) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	x, y = min(max(x, 0), float64(w-1)), min(max(y, 0), float64(h-1))
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	for k, part := range []float64{(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy} {
		p := img.RGBAAt(min(x0+k%2, w-1), min(y0+k/2, h-1))
		c[0], c[1], c[2] = c[0]+part*float64(p.R), c[1]+part*float64(p.G), c[2]+part*float64(p.B)
	}
	return c
}

// watermark draws half transparent signs over a corner, the middle or all of a picture.
func watermark(img *image.RGBA, kind int) *image.RGBA {
	out := image.NewRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	box := []image.Rectangle{
		image.Rect(w*7/10, h*88/100, w*98/100, h*97/100),
		image.Rect(w/4, h*45/100, w*3/4, h*56/100),
		image.Rect(0, h*2/100, w, h*9/100),
	}[kind%3]
	sign := max(3, box.Dy()/2)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			u, v := (x-box.Min.X)%sign, (y-box.Min.Y)*6/box.Dy()
			if (u*2+v*v+(x-box.Min.X)/sign*3)%5 < 2 {
				c := out.RGBAAt(x, y)
				out.SetRGBA(x, y, mix(c, color.RGBA{255, 255, 255, 255}, .45))
			}
		}
	}
	return out
}

// Of copies that were recompressed, resized and marked, 98 of 100 are found.
func TestCopies(t *testing.T) {
	pictures := *copied
	sizes := [][2]int{{320, 180}, {256, 256}, {400, 300}, {240, 320}}
	type tally struct{ found, of, furthest int }
	tallies := map[string]tally{}
	faint := 0
	for i := range pictures {
		size := sizes[i%len(sizes)]
		img := scene(uint64(i)+1_000_000, size[0], size[1])
		hash, quality := Sum(img)
		if quality < usable {
			faint++
			continue
		}
		held := func(kind string, edited image.Image) {
			h, _ := Sum(edited)
			d := Hash(hash).Distance(h)
			n := tallies[kind]
			n.of++
			n.furthest = max(n.furthest, d)
			if d <= near {
				n.found++
			}
			tallies[kind] = n
		}
		for _, q := range []int{30, 50, 70, 90} {
			held("recompressed", recompress(t, img, q))
		}
		for _, f := range []float64{.25, .5, .8, 1.5, 2} {
			held("resized", resize(img, f))
		}
		for k := range 3 {
			held("watermarked", watermark(img, k))
		}
		held("all three", recompress(t, watermark(resize(img, .5), i), 60))
	}
	for kind, n := range tallies {
		t.Logf("%s: %d of %d found (%.2f %%), the furthest at %d", kind, n.found, n.of, 100*float64(n.found)/float64(n.of), n.furthest)
		if n.found*100 < n.of*98-100 { // of few pictures one may be missed
			t.Errorf("%s: %d of %d copies found, want 98 %%", kind, n.found, n.of)
		}
	}
	t.Logf("%d of %d pictures have a quality under %d", faint, pictures, usable)
}
