package pdq

import (
	"image"
	"image/color"
)

// The brightness of a pixel is 0.299 R + 0.587 G + 0.114 B in single precision.
var red, green, blue = lumaTables()

func lumaTables() (r, g, b [256]float32) {
	for i := range 256 {
		v := float32(i)
		r[i], g[i], b[i] = 0.299*v, 0.587*v, 0.114*v
	}
	return r, g, b
}

// luma adds in the order of the reference. The conversion keeps a compiler from fusing
// what is rounded twice there.
func luma(r, g, b uint8) float32 { return float32(red[r]+green[g]) + blue[b] }

// readLuma fills s.luma and returns its width and height. A picture with a side over
// 512 px becomes one of 512 by 512, each pixel the one at its place, whatever its
// aspect.
func (s *scratch) readLuma(img image.Image) (w, h int) {
	box := img.Bounds()
	w, h = box.Dx(), box.Dy()
	if w > side || h > side {
		w, h = side, side
	}
	if w < least || h < least {
		return w, h
	}
	for x := range w {
		s.cols[x] = x * box.Dx() / w
	}
	for y := range h {
		s.rows[y] = y * box.Dy() / h
	}
	switch img := img.(type) {
	case *image.RGBA:
		s.readFours(img.Pix[img.PixOffset(box.Min.X, box.Min.Y):], img.Stride, w, h)
	case *image.NRGBA:
		s.readFours(img.Pix[img.PixOffset(box.Min.X, box.Min.Y):], img.Stride, w, h)
	case *image.Gray:
		for y := range h {
			line := img.Pix[img.PixOffset(box.Min.X, box.Min.Y+s.rows[y]):]
			for x, at := range s.cols[:w] {
				s.luma[y*w+x] = float32(line[at]) // as it is: the three factors add up to 1
			}
		}
	case *image.YCbCr:
		for y := range h {
			to := s.luma[y*w : (y+1)*w]
			for x, at := range s.cols[:w] {
				px, py := box.Min.X+at, box.Min.Y+s.rows[y]
				i, c := img.YOffset(px, py), img.COffset(px, py)
				to[x] = luma(color.YCbCrToRGB(img.Y[i], img.Cb[c], img.Cr[c]))
			}
		}
	default:
		s.readAny(img, w, h)
	}
	return w, h
}

// readFours reads pixels of four bytes, the first three of which are R, G and B.
func (s *scratch) readFours(pix []byte, stride, w, h int) {
	for y := range h {
		line := pix[s.rows[y]*stride:]
		to := s.luma[y*w : (y+1)*w]
		for x, at := range s.cols[:w] {
			p := line[4*at : 4*at+3 : 4*at+3]
			to[x] = luma(p[0], p[1], p[2])
		}
	}
}

func (s *scratch) readAny(img image.Image, w, h int) {
	from := img.Bounds().Min
	for y := range h {
		for x := range w {
			c, _ := color.NRGBAModel.Convert(img.At(from.X+s.cols[x], from.Y+s.rows[y])).(color.NRGBA)
			s.luma[y*w+x] = luma(c.R, c.G, c.B)
		}
	}
}
