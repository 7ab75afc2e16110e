package image

import (
	"context"
	stdimage "image"

	"github.com/portcullis-gg/portcullis/engines"
)

// Picture is one look at a picture: one frame as a player sees it, over one
// background where it is transparent. It is read only and good until the call ends.
type Picture struct {
	// RGBA is the frame, opaque, upright, from (0, 0): at most MaxPixels of it; a
	// larger frame was scaled down.
	*stdimage.RGBA

	// Scale is how many pixels of the frame one of RGBA stands for, 1 or more. Boxes
	// that a detector returns are in pixels of RGBA; the engine scales them.
	Scale float64
	// Frame counts from 0; AtMS and EndMS are when it is shown, both 0 in a still.
	Frame       int
	AtMS, EndMS int64
	// Use is what the picture is for.
	Use engines.Use
}

// MaxPixels bounds what detectors are shown.
const MaxPixels = 4 << 20

// Detector sees one kind of thing: nudity, weapons, what an operator's own model
// knows. Detect appends to out and returns it, as Engine does, with Place nil or with
// a box alone; it must be safe for concurrent use and keep nothing of the picture.
type Detector interface {
	Detect(ctx context.Context, p *Picture, out []engines.Signal) ([]engines.Signal, error)
}

// TextReader reads the lines of text in a picture, top to bottom, with their boxes in
// its pixels. It must be safe for concurrent use. The picture is a Picture's RGBA.
type TextReader interface {
	ReadText(ctx context.Context, img stdimage.Image) ([]engines.TextLine, error)
}

// CodeReader reads the QR and bar codes in a picture, with their boxes in its pixels.
// It must be safe for concurrent use. The picture is a Picture's RGBA.
type CodeReader interface {
	ReadCodes(ctx context.Context, img stdimage.Image) ([]engines.Code, error)
}

// Hasher makes the perceptual hash of a picture and its quality, 0 to 100
// (MediaFacts.PDQ). It is given the first frame at its full size.
type Hasher func(img stdimage.Image) (hash [32]byte, quality int)

// Banks know pictures again. Known appends a signal for each bank of the app in which
// the hashes of f are. It answers from memory and must be safe for concurrent use.
type Banks interface {
	Known(app engines.AppID, f *engines.MediaFacts, out []engines.Signal) []engines.Signal
}
