package pdq

import "image"

// Views are the ways in which a picture can be turned and mirrored, in the order of
// what Dihedral returns: as it is, turned by 90, 180 and 270 degrees, mirrored at its
// horizontal and vertical middle and at its two diagonals.
const Views = 8

// Dihedral returns the hashes of all views of a picture and their quality. They come
// of one transform, as in the reference: a little different from those of pictures that
// were turned before, whose pixels were others.
func Dihedral(img image.Image) (hashes [Views]Hash, quality int) {
	s, _ := scratches.Get().(*scratch)
	defer scratches.Put(s)
	if !s.transform(img) {
		return hashes, 0
	}
	var turned [out * out]float32
	for v := range hashes {
		for i := range out {
			for j := range out {
				c, to := s.coefficients[i*out+j], i*out+j
				swap, negative := view(v, i, j)
				if swap {
					to = j*out + i
				}
				if negative {
					c = -c
				}
				turned[to] = c
			}
		}
		hashes[v] = bitsOf(&turned)
	}
	return hashes, s.quality()
}

// view says whether a view swaps rows and columns, and whether it changes the sign of
// the coefficient at row i, column j. The first row is that of frequency 1, which is odd.
func view(v, i, j int) (swap, negative bool) {
	oddRow, oddColumn := i%2 == 0, j%2 == 0
	switch v {
	case 1: // 90 degrees
		return true, oddColumn
	case 2: // 180
		return false, oddRow != oddColumn
	case 3: // 270
		return true, oddRow
	case 4: // upside down
		return false, oddRow
	case 5: // left and right
		return false, oddColumn
	case 6:
		return true, false
	case 7:
		return true, oddRow != oddColumn
	}
	return false, false
}
