package decode

import (
	"encoding/binary"
	"image"
	"image/color"
)

// orientation is the value of the EXIF tag (CIPA DC-008, tag 0x0112): 1 is upright.
type orientation int

const upright orientation = 1

// swaps reports whether width and height change places.
func (o orientation) swaps() bool { return o >= 5 && o <= 8 }

// apply returns the picture upright, as a view of it.
func (o orientation) apply(img image.Image) image.Image {
	if o <= upright || o > 8 {
		return img
	}
	b := img.Bounds()
	t := &turned{img: img, how: o, from: b, size: image.Pt(b.Dx(), b.Dy())}
	if o.swaps() {
		t.size = image.Pt(b.Dy(), b.Dx())
	}
	return t
}

// turned is a picture seen upright.
type turned struct {
	img  image.Image
	how  orientation
	from image.Rectangle
	size image.Point
}

func (t *turned) ColorModel() color.Model { return t.img.ColorModel() }
func (t *turned) Bounds() image.Rectangle { return image.Rectangle{Max: t.size} }

// Opaque reports whether it can be seen through nowhere.
func (t *turned) Opaque() bool { return opaque(t.img) }

func (t *turned) At(x, y int) color.Color {
	x, y = t.how.source(x, y, t.from.Dx(), t.from.Dy())
	return t.img.At(t.from.Min.X+x, t.from.Min.Y+y)
}

// source is where in a stored picture of w × h the pixel (x, y) of the shown one lies.
func (o orientation) source(x, y, w, h int) (int, int) {
	switch o {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	case 8:
		return w - 1 - y, x
	}
	return x, y
}

func opaque(img image.Image) bool {
	o, ok := img.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// exifOrientation reads the orientation out of EXIF data, which is a TIFF file;
// upright where there is none, or it makes no sense.
func exifOrientation(b []byte) orientation {
	if len(b) >= 6 && string(b[:6]) == "Exif\x00\x00" {
		b = b[6:]
	}
	if len(b) < 8 {
		return upright
	}
	var order binary.ByteOrder
	switch string(b[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	at := int64(order.Uint32(b[4:]))
	if at < 8 || at+2 > int64(len(b)) {
		return upright
	}
	entries := b[at+2:]
	for range order.Uint16(b[at:]) {
		if len(entries) < 12 {
			return upright
		}
		if tag, kind := order.Uint16(entries), order.Uint16(entries[2:]); tag == 0x0112 && kind == 3 {
			if v := order.Uint16(entries[8:]); v >= 1 && v <= 8 {
				return orientation(v)
			}
			return upright
		}
		entries = entries[12:]
	}
	return upright
}
