package decode

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// Limits bound a picture.
type Limits struct {
	// Bytes of the file.
	Bytes int
	// Pixels of one frame, the whole canvas and each part of it.
	Pixels int
	// Sampled is how many frames of an animation are looked at.
	Sampled int
	// Frames is how many an animation may have, AllPixels how many pixels in all of
	// them: to show one means to unpack those before it.
	Frames    int
	AllPixels int
	// Memory is how many bytes it may take to unpack.
	Memory int64
}

// Default returns the limits of the wire contract: 20 MiB, 40 megapixels, 64 sampled
// frames. What an animation may hold in all takes some seconds to unpack.
func Default() Limits {
	return Limits{Bytes: 20 << 20, Pixels: 40_000_000, Sampled: 64, Frames: 5000, AllPixels: 300_000_000, Memory: 512 << 20}
}

// Supported names the formats that are.
const Supported = "JPEG, PNG, APNG, GIF, WebP and BMP are supported"

func unsupported(format string, args ...any) error {
	return &engines.Refusal{Kind: engines.RefusedFormat, Reason: fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &engines.Refusal{Kind: engines.RefusedSize, Reason: fmt.Sprintf(format, args...)}
}

func damaged(format string, args ...any) error {
	return &engines.Refusal{Kind: engines.RefusedDamage, Reason: fmt.Sprintf(format, args...)}
}

// area refuses a frame that is empty or has too many pixels. Width and height are
// below 2^31, so that their product fits.
func (l *Limits) area(what string, width, height int) error {
	if width <= 0 || height <= 0 {
		return damaged("%s has no pixels: %d × %d", what, width, height)
	}
	if int64(width)*int64(height) > int64(l.Pixels) {
		return tooLarge("%s has %d × %d pixels; at most %d are taken", what, width, height, l.Pixels)
	}
	return nil
}

// memory refuses what takes too much to unpack.
func (l *Limits) memory(need int64) error {
	if need > l.Memory {
		return tooLarge("it would take %d MiB to unpack; at most %d are given", need>>20, l.Memory>>20)
	}
	return nil
}
