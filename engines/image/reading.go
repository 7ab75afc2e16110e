package image

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
)

const (
	// alike is how far two frames may be apart (decode.Thumb) that are read once: a
	// twentieth of the range in a hundredth of the picture.
	alike = 256 * 4 * 13 * 13 / 100
	// maxLines and maxCodes bound what is learned of one picture, so that a page of
	// print, or a wall of codes, costs no more than its limits. Full-rule: left out.
	maxLines = 300
	maxCodes = 64
)

// worthReading reports whether text and codes are looked for in the next frame: it
// differs from all that were read, and the budget is spread over the frames to come.
func (l *looking) worthReading(p *Picture) bool {
	if l.e.cfg.Text == nil && l.e.cfg.Codes == nil {
		return false
	}
	if len(l.read) > l.seen*l.e.cfg.ReadFrames/max(1, l.sampled) {
		return false
	}
	t := decode.ThumbOf(p.RGBA)
	for i := range l.read {
		if t.Diff(&l.read[i]) <= alike {
			return false
		}
	}
	l.read = append(l.read, t)
	return true
}

// readIn adds what is written in a picture.
func (l *looking) readIn(ctx context.Context, p *Picture) error {
	if l.e.cfg.Text != nil {
		lines, err := l.e.cfg.Text.ReadText(ctx, p.RGBA)
		for _, line := range lines {
			line.Place = p.place(line.Place)
			l.line(line)
		}
		if err != nil {
			return fmt.Errorf("read text: %w", err)
		}
	}
	if l.e.cfg.Codes != nil {
		codes, err := l.e.cfg.Codes.ReadCodes(ctx, p.RGBA)
		for _, c := range codes {
			c.Place = p.place(c.Place)
			l.code(c)
		}
		if err != nil {
			return fmt.Errorf("read codes: %w", err)
		}
	}
	return nil
}

// line adds a line that was not read in another frame or over another background.
func (l *looking) line(line engines.TextLine) {
	for i := range l.facts.Text {
		if have := &l.facts.Text[i]; have.Text == line.Text && touch(have.Place.Box, line.Place.Box) {
			have.Place.EndMS = max(have.Place.EndMS, line.Place.EndMS)
			have.Confidence = max(have.Confidence, line.Confidence)
			return
		}
	}
	if line.Text != "" && len(l.facts.Text) < maxLines {
		l.facts.Text = append(l.facts.Text, line)
	}
}

func (l *looking) code(c engines.Code) {
	for i := range l.facts.Codes {
		if have := &l.facts.Codes[i]; have.Content == c.Content && have.Kind == c.Kind && touch(have.Place.Box, c.Place.Box) {
			have.Place.EndMS = max(have.Place.EndMS, c.Place.EndMS)
			return
		}
	}
	if len(l.facts.Codes) < maxCodes {
		l.facts.Codes = append(l.facts.Codes, c)
	}
}

// touch reports whether two boxes share a pixel.
func touch(a, b [4]int) bool {
	return a[0] < b[0]+b[2] && b[0] < a[0]+a[2] && a[1] < b[1]+b[3] && b[1] < a[1]+a[3]
}

// place is a place in the frame's pixels and time.
func (p *Picture) place(at engines.Place) engines.Place {
	return engines.Place{Box: p.scaled(at.Box), AtMS: p.AtMS, EndMS: p.EndMS}
}
