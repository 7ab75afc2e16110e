package pictures

import (
	"fmt"
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// stack is what stands in the column of a Thai letter so far.
type stack struct {
	plain float64 // how far up letters without a tall stem reach, in px above the baseline
	top   float64 // how far up the column reaches
}

// seat is how far down a glyph is moved so that a mark above stands clear of what the column
// holds, and no higher: fonts draw tone marks for one height alone and leave the rest to
// shaping. Tall letters don't lift marks, which stand beside their stems.
func (s *stack) seat(r, next rune, segments []sfnt.Segment, size float64) float64 {
	low, high := reach(segments)
	tone, vowel := r >= 0x0e47 && r <= 0x0e4e, r == 0x0e31 || r >= 0x0e34 && r <= 0x0e37
	down := 0.0
	switch {
	case tone || vowel:
		if next == 0x0e33 { // its ring goes below the tone mark
			s.top = max(s.top, 1.35*s.plain)
		}
		if tone && s.top > 0 {
			down = low - (s.top + 0.04*size)
		}
		s.top = max(s.top, high-down)
	case r >= 0x0e38 && r <= 0x0e3a: // marks below
	case tall(r):
		s.top = s.plain
	default:
		s.top = high
	}
	return down
}

// tall says whether a letter's stem reaches above the others.
func tall(r rune) bool {
	return r == 'ป' || r == 'ฝ' || r == 'ฟ' || r == 'ฬ' || r == 'โ' || r == 'ใ' || r == 'ไ'
}

// reach is how far above the baseline an outline begins and ends.
func reach(segments []sfnt.Segment) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range segments {
		n := map[sfnt.SegmentOp]int{sfnt.SegmentOpQuadTo: 2, sfnt.SegmentOpCubeTo: 3}[s.Op]
		for _, a := range s.Args[:max(1, n)] {
			low, high = min(low, -float64(a.Y)/64), max(high, -float64(a.Y)/64)
		}
	}
	if len(segments) == 0 {
		return 0, 0
	}
	return low, high
}

// plainHeight is how far up the letter ก reaches, px.
func plainHeight(f *sfnt.Font, buf *sfnt.Buffer, ppem fixed.Int26_6) (float64, error) {
	index, err := f.GlyphIndex(buf, 'ก')
	if err != nil {
		return 0, fmt.Errorf("draw text: %w", err)
	}
	segments, err := f.LoadGlyph(buf, index, ppem, nil)
	if err != nil {
		return 0, fmt.Errorf("draw text: %w", err)
	}
	_, high := reach(segments)
	return high, nil
}

// next is the rune behind i, 0 behind the last.
func next(runes []rune, i int) rune {
	if i+1 < len(runes) {
		return runes[i+1]
	}
	return 0
}
