package pdq

import (
	"math"
	"slices"
)

// matrix has the 16 rows after the first of the discrete cosine transform of 64
// values: the first is the mean, which says nothing of what a picture shows.
var matrix = dctMatrix()

func dctMatrix() (m [out * small]float32) {
	scale := float32(math.Sqrt(2.0 / small))
	for i := range out {
		for j := range small {
			m[i*small+j] = float32(float64(scale) * math.Cos(math.Pi/2/small*float64(i+1)*float64(2*j+1)))
		}
	}
	return m
}

// dct makes the coefficients of the small picture: rows of them go down it, columns
// across. Sums are in the order of the reference, each product rounded.
func (s *scratch) dct() {
	for i := range out {
		factors := matrix[i*small : (i+1)*small]
		to := s.half[i*small : (i+1)*small]
		clear(to)
		for k, f := range factors {
			line := s.small[k*small : (k+1)*small]
			for j := range to {
				to[j] += float32(f * line[j])
			}
		}
	}
	for i := range out {
		line := s.half[i*small : (i+1)*small]
		for j := range out {
			sum := float32(0)
			for k, f := range matrix[j*small : (j+1)*small] {
				sum += float32(line[k] * f)
			}
			s.coefficients[i*out+j] = sum
		}
	}
}

// bitsOf sets a bit for each coefficient above the median, the lower of the two in the
// middle. The first coefficient is the last bit of the hash as it is written.
func bitsOf(coefficients *[out * out]float32) (h Hash) {
	sorted := *coefficients
	slices.Sort(sorted[:])
	median := sorted[len(sorted)/2-1]
	for i, c := range coefficients {
		if c > median {
			h[len(h)-1-i/8] |= 1 << (i % 8)
		}
	}
	return h
}
