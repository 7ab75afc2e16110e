package ocr

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/seam"
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
		got.trim()
		if got.confidence > best.confidence {
			best = got
		}
		if best.confidence > hangulSure {
			break
		}
	}
	lettered(&best, first)
	seams := gapsOf(b, r, best, first)
	if len(seams) == 0 {
		return best, looks, nil
	}
	seen := make([]seam.Seen, len(seams))
	for i := range seams {
		seen[i] = seam.See(&seams[i])
	}
	best.text, best.parts = spaced(&best, seen, hangulWide*r.height*best.end/r.width)
	return best, looks, nil
}

const (
	// The ends of a reading whose signs are less sure than endSure on the whole are no part of the
	// line but of what is beside it, and so are as many as endSigns less sure than endLong.
	endSure, endLong = 0.4, 0.6
	endSigns         = 3
)

// trim leaves out what was read of the scene to the left and right of the line.
func (r *reading) trim() {
	if from, to := r.surest(endSure); from < to {
		r.marks = r.marks[from:to]
	}
	from, to := r.surest(endLong)
	if from >= to {
		return
	}
	if to > len(r.marks)-endSigns {
		to = len(r.marks)
	}
	if from < endSigns {
		from = 0
	}
	r.marks = r.marks[from:to]
	var text strings.Builder
	sum := 0.0
	for _, m := range r.marks {
		text.WriteString(m.sign)
		sum += m.sure
	}
	r.text, r.confidence = strings.TrimSpace(text.String()), sum/float64(len(r.marks))
}

// surest is the run of marks that are surer than least by the most together (Kadane's maximum sum).
func (r *reading) surest(least float64) (from, to int) {
	best, sum, begun := 0.0, 0.0, 0
	for i, m := range r.marks {
		sum += m.sure - least
		if sum <= 0 {
			sum, begun = 0, i+1
		} else if sum > best {
			best, from, to = sum, begun, i+1
		}
	}
	return from, to
}

// hangulWide is how far, in heights of the line, a letter's middle is from that of one that is no
// part of the same line: a space keeps them 1.3 letters apart, a colon and a space 1.7.
const hangulWide = 1.3

// spaced is the text of a reading with the spaces and signs that are seen behind each of its
// own, and its parts where it falls into several: signs further apart than wide steps, and than
// twice the usual, are no words of one line.
func spaced(r *reading, seen []seam.Seen, wide float64) (string, []stretch) {
	var text strings.Builder
	var parts []stretch
	wide = max(wide, 2*r.pitch())
	begun, from := 0, 0.0
	for i, m := range r.marks {
		text.WriteString(m.sign)
		for j, p := range seen[i].Sign {
			if p > 0.5 && m.sign != seam.Signs[j] && (i+1 == len(r.marks) || r.marks[i+1].sign != seam.Signs[j]) {
				text.WriteString(seam.Signs[j])
			}
		}
		if i+1 == len(r.marks) {
			break
		}
		next := r.marks[i+1].step
		if float64(next-m.step) > wide {
			to := (float64(m.step+next)/2 + 0.5) / r.end
			parts = append(parts, stretch{strings.TrimSpace(text.String()[begun:]), from, to})
			from = to
			text.WriteByte(' ')
			begun = text.Len()
		} else if seen[i].Space > 0.5 {
			text.WriteByte(' ')
		}
	}
	if parts != nil {
		parts = append(parts, stretch{strings.TrimSpace(text.String()[begun:]), from, 1})
	}
	return strings.TrimSpace(text.String()), parts
}

// stretch is a part of a reading: its text and the shares of the line, 0 to 1, that it lies between.
type stretch struct {
	text     string
	from, to float64
}

// lettered puts letters of Latin and digits that first, of the same line, is surer of in the
// place of those of r: the network for Korean reads some as letters that look like them.
func lettered(r *reading, first reading) {
	const near, unsure = 1.25, 0.95 // steps; what is left as it is
	if r.end <= 0 || first.end <= 0 {
		return
	}
	scale := r.end / first.end
	for _, m := range first.marks {
		if kind := kindOf(m.sign); kind != '0' && kind != 'a' || m.sure < 0.5 {
			continue
		}
		best, off := -1, near
		for i := range r.marks {
			if d := math.Abs((float64(m.step)+0.5)*scale - 0.5 - float64(r.marks[i].step)); d <= off {
				best, off = i, d
			}
		}
		if best >= 0 && r.marks[best].sure < min(unsure, m.sure) {
			r.marks[best].sign, r.marks[best].sure = m.sign, m.sure
		}
	}
}
