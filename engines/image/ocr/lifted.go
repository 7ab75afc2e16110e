package ocr

import (
	"strings"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/tesseract"
)

// lifted reads lines of one script with Tesseract, lifted from their background.
type lifted struct {
	lang   *tesseract.Language
	script string
}

func (l *lifted) close() error { return l.lang.Close() }

// readLine reads the line at r in the likelier of the two ways that light and dark can be,
// and where that leaves it unsure in the other.
func (l *lifted) readLine(b *bitmap, r rect, _ reading) (best reading, looks int, err error) {
	likely, unlikely := b.lift(r)
	for _, as := range []tesseract.Gray{likely, unlikely} {
		looks++
		text, confidence, err := l.lang.Read(as)
		if err != nil {
			return reading{}, looks, err
		}
		if confidence > best.confidence {
			best = reading{text: strings.Join(strings.Fields(text), " "), confidence: confidence}
		}
		if best.confidence > scriptSure || !strokes(l.script, text) {
			break
		}
	}
	return best, looks, nil
}
