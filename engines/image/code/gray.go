package code

import (
	"image"
	"image/color"
	"image/draw"
	"sync"
)

// gray is a picture in shades of grey.
type gray struct {
	w, h int
	pix  []byte
}

// grays and masks are reused. What is in them at first is of another picture.
var grays, masks sync.Pool

func newGray(w, h int) *gray {
	g, _ := grays.Get().(*gray)
	if g == nil || cap(g.pix) < w*h {
		g = &gray{pix: make([]byte, w*h)}
	}
	g.w, g.h, g.pix = w, h, g.pix[:w*h]
	return g
}

func newMask(w, h int) *mask {
	m, _ := masks.Get().(*mask)
	if m == nil || cap(m.dark) < w*h {
		m = &mask{dark: make([]bool, w*h)}
	}
	m.w, m.h, m.dark = w, h, m.dark[:w*h]
	return m
}

func (g *gray) done() { grays.Put(g) }

func (m *mask) done() { masks.Put(m) }

// grayOf takes the luma (ITU-R BT.601) of a picture.
func grayOf(img image.Image) *gray {
	b := img.Bounds()
	g := newGray(b.Dx(), b.Dy())
	rgba, ok := img.(*image.RGBA)
	if !ok {
		if _, shades := img.(*image.Gray); shades {
			draw.Draw(&image.Gray{Pix: g.pix, Stride: g.w, Rect: image.Rect(0, 0, g.w, g.h)}, image.Rect(0, 0, g.w, g.h), img, b.Min, draw.Src)
			return g
		}
		rgba = image.NewRGBA(b)
		draw.Draw(rgba, b, &image.Uniform{C: color.White}, image.Point{}, draw.Src)
		draw.Draw(rgba, b, img, b.Min, draw.Over)
	}
	for y := range g.h {
		from := rgba.PixOffset(b.Min.X, b.Min.Y+y)
		src, dst := rgba.Pix[from:from+4*g.w], g.pix[y*g.w:(y+1)*g.w]
		for x := range dst {
			p := src[4*x : 4*x+3 : 4*x+3]
			dst[x] = byte((77*uint32(p[0]) + 150*uint32(p[1]) + 29*uint32(p[2]) + 128) >> 8)
		}
	}
	return g
}

// half is the picture at half its size, each pixel the mean of four.
func (g *gray) half() *gray {
	out := newGray(g.w/2, g.h/2)
	for y := range out.h {
		a, b := g.pix[2*y*g.w:], g.pix[(2*y+1)*g.w:]
		dst := out.pix[y*out.w : (y+1)*out.w]
		for x := range dst {
			dst[x] = byte((int(a[2*x]) + int(a[2*x+1]) + int(b[2*x]) + int(b[2*x+1]) + 2) >> 2)
		}
	}
	return out
}

// crop is a part of the picture, enlarged so many times by bilinear interpolation.
func (g *gray) crop(r image.Rectangle, times int) *gray {
	r = r.Intersect(image.Rect(0, 0, g.w, g.h))
	out := &gray{w: r.Dx() * times, h: r.Dy() * times}
	out.pix = make([]byte, out.w*out.h)
	if times == 1 {
		for y := range out.h {
			copy(out.pix[y*out.w:(y+1)*out.w], g.pix[(r.Min.Y+y)*g.w+r.Min.X:])
		}
		return out
	}
	for y := range out.h {
		y0, fy := between(y, times, r.Min.Y, r.Max.Y)
		y1 := min(y0+1, r.Max.Y-1)
		for x := range out.w {
			x0, fx := between(x, times, r.Min.X, r.Max.X)
			x1 := min(x0+1, r.Max.X-1)
			top := int(g.pix[y0*g.w+x0])*(256-fx) + int(g.pix[y0*g.w+x1])*fx
			low := int(g.pix[y1*g.w+x0])*(256-fx) + int(g.pix[y1*g.w+x1])*fx
			out.pix[y*out.w+x] = byte((top*(256-fy) + low*fy + 1<<15) >> 16)
		}
	}
	return out
}

// between says which source pixel lies before the centre of enlarged pixel i, and how
// many 256ths of the way to the next one it is.
func between(i, times, from, to int) (at, part int) {
	pos := (2*i+1)*256/(2*times) - 128 // in 256ths of a source pixel
	pos = max(pos, 0)
	return min(from+pos>>8, to-1), pos & 255
}

// mask is which pixels are dark.
type mask struct {
	w, h int
	dark []bool
}

// local compares each pixel with the mean of those up to radius away. Modules larger
// than the window have no dark inside; a smaller scale sees those.
func (g *gray) local(radius int) *mask {
	m := newMask(g.w, g.h)
	columns := make([]uint32, g.w) // sums of the window's rows
	sums := make([]uint32, g.w+1)  // of all columns to the left; wraps harmlessly
	for y := range min(radius, g.h) {
		for x, p := range g.pix[y*g.w : (y+1)*g.w] {
			columns[x] += uint32(p)
		}
	}
	none := make([]byte, g.w)
	for y := range g.h {
		enter, leave := none, none
		if at := y + radius; at < g.h {
			enter = g.pix[at*g.w:][:g.w]
		}
		if at := y - radius - 1; at >= 0 {
			leave = g.pix[at*g.w:][:g.w]
		}
		windows(columns, sums[1:], enter, leave)
		rows := uint32(min(y+radius+1, g.h) - max(y-radius, 0))
		src, dst := g.pix[y*g.w:(y+1)*g.w], m.dark[y*g.w:(y+1)*g.w]
		compare := func(from, to int) { // near the sides the window is cut off
			for x := from; x < to; x++ {
				x0, x1 := max(x-radius, 0), min(x+radius+1, g.w)
				dst[x] = (uint32(src[x])+1)*uint32(x1-x0)*rows <= sums[x1]-sums[x0]
			}
		}
		from, to := min(radius, g.w), max(min(radius, g.w), g.w-radius)
		compare(0, from)
		if n := to - from; n > 0 {
			area := uint32(2*radius+1) * rows
			px, dark := src[from:][:n], dst[from:][:n]
			left, right := sums[:n], sums[2*radius+1:][:n]
			for i, p := range px {
				dark[i] = (uint32(p)+1)*area <= right[i]-left[i]
			}
		}
		compare(to, g.w)
	}
	return m
}

// windows moves the sums of columns by a row, and adds them up from the left.
func windows(columns, sums []uint32, enter, leave []byte) {
	sums, enter, leave = sums[:len(columns)], enter[:len(columns)], leave[:len(columns)]
	sum := uint32(0)
	for x, c := range columns {
		c += uint32(enter[x]) - uint32(leave[x])
		columns[x] = c
		sum += c
		sums[x] = sum
	}
}

// global compares each pixel with one threshold, the one that parts the picture's
// shades best (Otsu 1979).
func (g *gray) global() *mask {
	var count [256]int
	total := 0
	for _, p := range g.pix {
		count[p]++
		total += int(p)
	}
	at, best := 0, -1.0
	low, sum := 0, 0
	for t := range 256 {
		low += count[t]
		sum += t * count[t]
		if low == 0 || low == len(g.pix) {
			continue
		}
		a, b := float64(sum)/float64(low), float64(total-sum)/float64(len(g.pix)-low)
		if v := float64(low) * float64(len(g.pix)-low) * (a - b) * (a - b); v > best {
			at, best = t, v
		}
	}
	m := &mask{w: g.w, h: g.h, dark: make([]bool, len(g.pix))}
	for i, p := range g.pix {
		m.dark[i] = int(p) <= at
	}
	return m
}
