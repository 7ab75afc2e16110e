package image

import (
	stdimage "image"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
)

// looks are the ways in which a frame is seen: as it is, and where it is transparent
// over black and over white, since text of one colour shows over the other alone. The
// textures of a skin are seen without their transparency too: games keep gloss there.
func looks(fr *decode.Frame, use engines.Use) []*Picture {
	look := func(flat *stdimage.RGBA, scale int) *Picture {
		return &Picture{RGBA: flat, Scale: float64(scale), Frame: fr.Index, AtMS: fr.AtMS, EndMS: fr.EndMS, Use: use}
	}
	black := look(fr.Flat(decode.Black, MaxPixels))
	if fr.Opaque() {
		return []*Picture{black}
	}
	all := []*Picture{black}
	more := []*Picture{look(fr.Flat(decode.White, MaxPixels))}
	if use == engines.UseSkin {
		if flat, scale := fr.Bare(MaxPixels); flat != nil {
			more = append(more, look(flat, scale))
		}
	}
	for _, p := range more {
		other := true
		for _, have := range all {
			other = other && differ(p.RGBA, have.RGBA)
		}
		if other {
			all = append(all, p)
		}
	}
	return all
}

// differ reports whether two pictures of one size are not the same to look at.
func differ(a, b *stdimage.RGBA) bool {
	const (
		visible = 24 // of 255
		enough  = 2000
	)
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for c := range 3 {
			if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d > visible || d < -visible {
				n++
				break
			}
		}
	}
	return n > 16 && n > len(a.Pix)/4/enough
}

// fullSize is the frame as a hasher sees it: at its full size, without transparency.
func fullSize(fr *decode.Frame, first *Picture) stdimage.Image {
	if fr.Opaque() {
		up := fr.Upright()
		if _, ok := up.(*stdimage.YCbCr); ok && first.Scale == 1 {
			return first.RGBA // the same colours, which it takes as long to make as the hash
		}
		return up
	}
	if first.Scale == 1 {
		return first.RGBA
	}
	return over{fr.Upright()}
}

// over is a transparent picture over black: premultiplied colours are that already.
type over struct{ stdimage.Image }

// Opaque is true.
func (over) Opaque() bool { return true }
