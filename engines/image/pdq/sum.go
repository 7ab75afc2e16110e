package pdq

import (
	"image"
	"sync"
)

const (
	// side is what a larger picture is brought to first.
	side = 512
	// least is the shortest side of what has a hash.
	least = 5
	// small is the side of the picture that the transform sees, and out that of what it
	// makes.
	small = 64
	out   = 16
)

// plane is one channel of a picture, row by row.
type plane = []float32

// scratch is what a hash is made in: 2 MiB, used again.
type scratch struct {
	luma, other  plane
	across       [side]float32 // sums of columns
	cols, rows   [side]int     // where pixels of a larger picture are taken from
	narrow       [side * small]float32
	small        [small * small]float32
	half         [out * small]float32
	coefficients [out * out]float32
}

var scratches = sync.Pool{New: func() any {
	return &scratch{luma: make(plane, side*side), other: make(plane, side*side)}
}}

// Sum returns the hash of a picture and its quality, 0 to 100. Below 50 there is too
// little in the picture for its hash to say much. A side under 5 px has no hash: it is
// all 0, of quality 0. Transparency is not looked at. It is safe for concurrent use.
func Sum(img image.Image) (hash [32]byte, quality int) {
	s, _ := scratches.Get().(*scratch)
	defer scratches.Put(s)
	if !s.transform(img) {
		return hash, 0
	}
	return bitsOf(&s.coefficients), s.quality()
}

// transform leaves the small picture and its coefficients in s; false where the
// picture is too small.
func (s *scratch) transform(img image.Image) bool {
	w, h := s.readLuma(img)
	if w < least || h < least {
		return false
	}
	s.shrink(w, h)
	s.dct()
	return true
}

// quality counts the steps of brightness between neighbours that can be seen.
func (s *scratch) quality() int {
	sum := 0
	step := func(u, v float32) {
		d := int(float32((u-v)*100) / 255)
		sum += max(d, -d)
	}
	for i := range small {
		row := s.small[i*small : (i+1)*small]
		for j := range small {
			if i+1 < small {
				step(row[j], s.small[(i+1)*small+j])
			}
			if j+1 < small {
				step(row[j], row[j+1])
			}
		}
	}
	return min(sum/90, 100)
}
