package ocr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// hangul reads lines of Korean with a network of PP-OCR for them. That network was taught
// lines without their spaces, which stand where the network for all scripts sees room.
type hangul struct{ rec *recogniser }

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

func (h *hangul) readLine(b *bitmap, r rect, first reading) (got reading, looks int, err error) {
	got, err = h.rec.read(b, r)
	if err != nil {
		return reading{}, 1, err
	}
	got.text = spaced(got, first.room)
	return got, 1, nil
}

// spaced is the text of a reading with spaces where room is.
func spaced(r reading, room []float32) string {
	var text strings.Builder
	for i, parts := range gapsOf(r, room) {
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
