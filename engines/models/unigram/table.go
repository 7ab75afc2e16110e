package unigram

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

var errTable = errors.New("the table of pieces is cut off or damaged")

// Table is a table in its file. It never changes and is safe for concurrent use.
type Table struct {
	// Positions is what is added where a piece stands, Gamma and Beta are of the normalisation.
	Positions, Gamma, Beta []float32

	head

	file           io.ReaderAt
	from, ends, to []uint32
	filter         []byte
	places         []uint32
	buckets, rows  int64 // where they begin
}

// Open reads what of a table is kept in memory. The file, of size bytes, is read from as long
// as the table is used.
func Open(file io.ReaderAt, size int64) (*Table, error) {
	t := &Table{file: file}
	b := make([]byte, len(Magic)+headBytes)
	if _, err := file.ReadAt(b, 0); err != nil || string(b[:len(Magic)]) != Magic {
		return nil, errTable
	}
	t.read(b[len(Magic):])
	if !t.sane() {
		return nil, errTable
	}
	t.buckets = int64(len(b) + t.held())
	t.rows = t.buckets + int64(t.all)
	if size != t.rows+int64(t.pieces*t.row()) {
		return nil, errTable
	}
	rest := make([]byte, t.held())
	if _, err := file.ReadAt(rest, int64(len(b))); err != nil {
		return nil, fmt.Errorf("read the table of pieces: %w", err)
	}
	take := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	t.Positions, t.Gamma, t.Beta = floats(take(4*t.tokens*t.width)), floats(take(4*t.width)), floats(take(4*t.width))
	t.from, t.ends, t.to = wholes(take(4*t.head.from)), wholes(take(4*t.head.from)), wholes(take(4*t.head.to))
	t.filter, t.places = slices.Clone(take(1<<t.filterBits/8)), wholes(rest)
	return t, t.check()
}

// check holds what is kept in memory against itself.
func (t *Table) check() error {
	if !slices.IsSorted(t.from) || !slices.IsSorted(t.ends) || len(t.ends) > 0 && int(t.ends[len(t.ends)-1]) != len(t.to) {
		return errTable
	}
	if !slices.IsSorted(t.places) || int(t.places[len(t.places)-1]) != t.all {
		return errTable
	}
	at := uint32(0)
	for _, end := range t.places {
		if int(end-at) > t.bucket {
			return errTable
		}
		at = end
	}
	return nil
}

// Width is how many values a piece has.
func (t *Table) Width() int { return t.width }

// Tokens is how many pieces a text has at most, with the marks of its beginning and end.
func (t *Table) Tokens() int { return t.tokens }

// Letters is how many characters the longest piece has.
func (t *Table) Letters() int { return t.letters }

// Pieces is how many there are.
func (t *Table) Pieces() int { return t.pieces }

// Unknown is the piece of what is none.
func (t *Table) Unknown() int32 { return int32(t.unknown) } //nolint:gosec // below mostPieces

// First is the piece that begins a text.
func (t *Table) First() int32 { return int32(t.first) } //nolint:gosec // below mostPieces

// Last is the piece that ends a text.
func (t *Table) Last() int32 { return int32(t.last) } //nolint:gosec // below mostPieces

// Lowest is the least score of any piece.
func (t *Table) Lowest() float32 { return t.lowest }

// Normal is what a character is written as; false is as itself.
func (t *Table) Normal(r rune) ([]uint32, bool) {
	i, ok := slices.BinarySearch(t.from, uint32(r)) //nolint:gosec // a character
	if !ok {
		return nil, false
	}
	begin := uint32(0)
	if i > 0 {
		begin = t.ends[i-1]
	}
	return t.to[begin:t.ends[i]], true
}

// Find gives the number and the score of the piece with these letters, whose hash h is; id is
// -1 for none. Most that are none cost no look at the file. buffer is memory for it, which
// it may let grow.
func (t *Table) Find(h Hash, letters []byte, buffer *[]byte) (id int32, score float32, err error) {
	for m := range marks {
		if at, bit := h.marked(m, t.filterBits); t.filter[at]&bit == 0 {
			return -1, 0, nil
		}
	}
	bucket, begin := h.bucket(t.bucketBits), uint32(0)
	if bucket > 0 {
		begin = t.places[bucket-1]
	}
	b := slices.Grow((*buffer)[:0], t.bucket)[:t.places[bucket]-begin]
	*buffer = b
	if _, err := t.file.ReadAt(b, t.buckets+int64(begin)); err != nil {
		return -1, 0, fmt.Errorf("read the table of pieces: %w", err)
	}
	for len(b) > 0 {
		n := int(b[0])
		if len(b) < n+8 {
			return -1, 0, errTable
		}
		if entry := b[1+n:]; string(b[1:1+n]) == string(letters) {
			id = int32(entry[4]) | int32(entry[5])<<8 | int32(entry[6])<<16
			if int(id) >= t.pieces {
				return -1, 0, errTable
			}
			return id, float(entry), nil
		}
		b = b[n+8:]
	}
	return -1, 0, nil
}

// Row appends the vector of a piece.
func (t *Table) Row(id int32, buffer *[]byte, out []float32) ([]float32, error) {
	if id < 0 || int(id) >= t.pieces {
		return out, fmt.Errorf("there is no piece %d", id)
	}
	b := slices.Grow((*buffer)[:0], t.row())[:t.row()]
	*buffer = b
	if _, err := t.file.ReadAt(b, t.rows+int64(id)*int64(t.row())); err != nil {
		return out, fmt.Errorf("read the table of pieces: %w", err)
	}
	return Spread(b, out), nil
}

func floats(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = float(b[4*i:])
	}
	return v
}

func wholes(b []byte) []uint32 {
	v := make([]uint32, len(b)/4)
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return v
}
