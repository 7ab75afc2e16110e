package unigram

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Magic begins a table.
const Magic = "PCPIECE1"

// Source is what a table is made of.
type Source struct {
	// Pieces are the letters of each, Scores their log-probabilities.
	Pieces []string
	Scores []float32
	// Normal is what characters are written as.
	Normal map[rune][]rune
	// Unknown, First and Last are the pieces of what is none, and of a text's beginning and end.
	Unknown, First, Last int
	// Tokens is how many a text has at most, Width how many values each.
	Tokens, Width int
	// Positions is added where a piece stands; Gamma and Beta are of the normalisation.
	Positions, Gamma, Beta []float32
	// Rows are the pieces' vectors in blocks of 4 bits.
	Rows []byte
}

// What a table holds at most. A piece's length is kept in a byte, its number in three.
const (
	mostPieces  = 1 << 20
	mostLetters = 1 << 8
	mostWidth   = 1 << 12
	mostTokens  = 1 << 10
	mostNormal  = 1 << 17
)

// Marshal writes the table: the same bytes for the same source.
func (s *Source) Marshal() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("write a table of pieces: %w", err)
	}
	n := len(s.Pieces)
	h := head{
		pieces: n, width: s.Width, tokens: s.Tokens, unknown: s.Unknown, first: s.First, last: s.Last,
		lowest: slices.Min(s.Scores), filterBits: bits.Len(uint(8 * n)), bucketBits: max(1, bits.Len(uint(n))-3),
	}
	from, ends, to := s.normal()
	h.from, h.to = len(from), len(to)
	filter := make([]byte, 1<<h.filterBits/8)
	buckets := make([][]byte, 1<<h.bucketBits)
	longest := 0
	for i, p := range s.Pieces {
		hash := Nothing
		for _, b := range []byte(p) {
			hash = hash.With(b)
		}
		for m := range marks {
			at, bit := hash.marked(m, h.filterBits)
			filter[at] |= bit
		}
		at := hash.bucket(h.bucketBits)
		b := append(buckets[at], byte(len(p))) //nolint:gosec // checked
		b = binary.LittleEndian.AppendUint32(append(b, p...), math.Float32bits(s.Scores[i]))
		buckets[at] = append(b, byte(i), byte(i>>8), byte(i>>16)) //nolint:gosec // checked
		h.letters = max(h.letters, len([]rune(p)))
	}
	var places, all []byte
	for _, b := range buckets {
		all, longest = append(all, b...), max(longest, len(b))
		places = binary.LittleEndian.AppendUint32(places, uint32(len(all))) //nolint:gosec // checked
	}
	h.bucket, h.all = longest, len(all)
	b := h.append([]byte(Magic))
	for _, list := range [][]float32{s.Positions, s.Gamma, s.Beta} {
		for _, f := range list {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
	}
	for _, list := range [][]uint32{from, ends, to} {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	return slices.Concat(b, filter, places, all, s.Rows), nil
}

// normal is Normal in order.
func (s *Source) normal() (from, ends, to []uint32) {
	for _, r := range slices.Sorted(maps.Keys(s.Normal)) {
		for _, t := range s.Normal[r] {
			to = append(to, uint32(t)) //nolint:gosec // checked
		}
		from, ends = append(from, uint32(r)), append(ends, uint32(len(to))) //nolint:gosec // checked
	}
	return from, ends, to
}

func (s *Source) check() error {
	n := len(s.Pieces)
	switch {
	case n == 0 || n > mostPieces || len(s.Scores) != n:
		return fmt.Errorf("%d pieces with %d scores", n, len(s.Scores))
	case s.Width < Block || s.Width > mostWidth || s.Width%Block != 0 || s.Tokens < 3 || s.Tokens > mostTokens:
		return fmt.Errorf("%d tokens of %d values", s.Tokens, s.Width)
	case len(s.Positions) != s.Tokens*s.Width || len(s.Gamma) != s.Width || len(s.Beta) != s.Width || len(s.Rows) != n*s.Width/Block*BlockBytes:
		return errors.New("its parts do not fit each other")
	case min(s.Unknown, s.First, s.Last) < 0 || max(s.Unknown, s.First, s.Last) >= n:
		return errors.New("a special piece is none")
	case len(s.Normal) > mostNormal:
		return fmt.Errorf("%d characters are written as others", len(s.Normal))
	}
	for i, p := range s.Pieces {
		if p == "" || len(p) >= mostLetters {
			return fmt.Errorf("piece %d has %d bytes", i, len(p))
		}
	}
	return nil
}
