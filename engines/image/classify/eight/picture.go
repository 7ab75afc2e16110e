package eight

import (
	"errors"
	"fmt"
)

// Picture is what a network is shown: pixels of four bytes, red, green, blue and one that is not looked at, of
// which Side × Side are mixed.
type Picture struct {
	Pix    []uint8
	Stride int // bytes from one row to the next
	// Width and Height are the picture's.
	Width, Height int
	Across, Down  Axis
}

// Axis says which pixels along an axis each of Side takes: Count from First on, times Weights, which follow each
// other.
type Axis struct {
	Count   int
	First   []int32
	Weights []float32
}

var errPicture = errors.New("pixels of a picture are taken that it does not have")

func (p *Picture) check() error {
	if p.Width < 1 || p.Height < 1 || p.Stride < 4*p.Width || len(p.Pix) < p.Stride*(p.Height-1)+4*p.Width {
		return fmt.Errorf("a picture of %d × %d pixels in %d bytes", p.Width, p.Height, len(p.Pix))
	}
	if !p.Across.within(p.Width) || !p.Down.within(p.Height) {
		return errPicture
	}
	return nil
}

func (a *Axis) within(size int) bool {
	if a.Count < 1 || len(a.First) != Side || len(a.Weights) != Side*a.Count {
		return false
	}
	for _, first := range a.First {
		if first < 0 || int(first)+a.Count > size {
			return false
		}
	}
	return true
}

// reach is the first pixel that is taken, and how many there are to the last.
func (a *Axis) reach() (first, count int) {
	low, high := a.First[0], a.First[0]
	for _, v := range a.First {
		low, high = min(low, v), max(high, v)
	}
	return int(low), int(high-low) + a.Count
}
