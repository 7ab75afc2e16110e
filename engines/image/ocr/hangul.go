package ocr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hangul reads lines of Korean with a network of PP-OCR for them. That network was taught
// lines without their spaces, which stand where the network for all scripts sees room.
type hangul struct{ rec *recogniser }

// tight is the part of a line's height that the network is shown, which was taught letters
// that fill it, and tighter what it is shown where that leaves it unsure.
const tight, tighter = 0.8, 0.7

// newHangul takes the network and its dictionary. Chinese characters, which it knows as well,
// are not read: the network for all scripts does that better.
func newHangul(model, dictionary []byte) (*hangul, error) {
	rec, err := newRecogniser(model, dictionary)
	if err != nil {
		return nil, err
	}
	rec.foreign = make([]bool, len(rec.signs))
	for i, sign := range rec.signs {
		c, _ := utf8.DecodeRuneInString(sign)
		rec.foreign[i] = unicode.Is(unicode.Han, c)
	}
	return &hangul{rec}, nil
}

func (h *hangul) close() error { return h.rec.net.Close() }

// readLine reads the line at r, of which the network for all scripts made first.
func (h *hangul) readLine(b *bitmap, r rect, first reading) (best reading, looks int, err error) {
	for _, part := range []float64{tight, tighter} {
		at := r
		at.height *= part
		got, err := h.rec.read(b, at)
		looks++
		if err != nil {
			return reading{}, looks, err
		}
		if got.confidence > best.confidence {
			best = got
		}
		if best.confidence > hangulSure {
			break
		}
	}
	best.text = spaced(best, first)
	return best, looks, nil
}

// spaced is the text of a reading with spaces where first, of the same line, has room.
func spaced(r, first reading) string {
	var text strings.Builder
	for i, parts := range gapsOf(r, first) {
		text.WriteString(r.marks[i].sign)
		if parts.space() > 0.5 {
			text.WriteByte(' ')
		}
	}
	if n := len(r.marks); n > 0 {
		text.WriteString(r.marks[n-1].sign)
	}
	return strings.TrimSpace(text.String())
}
