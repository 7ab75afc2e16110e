package whisper

import (
	"slices"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// follow is where in the sound the decoder looks for each token: the attention, by the
// heads that follow it, when a token was written.
type follow struct {
	heads, ticks int
	all          [][]float32 // of each token that was written: heads × ticks
	centre       []float64   // of it, in ticks
}

// rows takes the attention of a step apart by its tokens.
func (f *follow) rows(t onnx.Tensor) []onnxRow {
	f.heads, f.ticks = t.Shape[0], t.Shape[2]
	n := t.Shape[1]
	out := make([]onnxRow, n)
	for i := range out {
		row := make([]float32, 0, f.heads*f.ticks)
		for h := range f.heads {
			row = append(row, t.Data[(h*n+i)*f.ticks:(h*n+i+1)*f.ticks]...)
		}
		out[i] = row
	}
	return out
}

// add takes the attention with which the next token is written: the last row.
func (f *follow) add(rows []onnxRow) {
	row := rows[len(rows)-1]
	f.all = append(f.all, row)
	sum, weighed := 0.0, 0.0
	for i, v := range row {
		sum += float64(v)
		weighed += float64(v) * float64(i%f.ticks)
	}
	f.centre = append(f.centre, weighed/max(sum, 1e-9))
}

// keep forgets all but the first n tokens, and the attention with which their end was
// written, which the one after them has.
func (f *follow) keep(n int) {
	n = min(n+1, len(f.all))
	f.all, f.centre = f.all[:n], f.centre[:n]
}

// back reports whether the decoder has gone back to sound that it has written down, and
// how many tokens are of its first reading. It has where the centre of its attention lay
// far before the furthest place for two tokens in a row.
func (f *follow) back() (n int, again bool) {
	last := len(f.centre) - 1
	if last < 2 {
		return 0, false
	}
	furthest := 0
	for i, c := range f.centre {
		if c > f.centre[furthest] {
			furthest = i
		}
	}
	far := min(1.2*ticksPerSecond, 0.35*float64(f.ticks))
	limit := f.centre[furthest] - far
	if furthest > last-2 || f.centre[last] > limit || f.centre[last-1] > limit {
		return 0, false
	}
	const near = 0.3 * ticksPerSecond
	for n = furthest; n < last && f.centre[n] > f.centre[furthest]-near; n++ {
	}
	return n, true
}

// stuck reports whether the last tokens say again what those before them said while the
// attention stands still, and how many are of the first time. Somebody who says a thing
// twice moves on in the sound; a decoder in a loop does not.
func (f *follow) stuck(written []int) (n int, again bool) {
	const moves = 3 // ticks a token, 60 ms: faster than anybody speaks
	for k := 1; 2*k <= len(written); k++ {
		first := len(written) - 2*k
		if !slices.Equal(written[first:first+k], written[first+k:]) {
			continue
		}
		if f.centre[len(written)-1]-f.centre[first+k-1] < float64(moves*k) {
			return first + k, true
		}
	}
	return 0, false
}
