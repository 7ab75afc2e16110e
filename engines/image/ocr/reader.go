package ocr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/ocr/tesseract"
)

// Config says how text is looked for. What is zero has the value of Defaults.
type Config struct {
	// Side is the long side, in px, that the detector sees a picture at; larger pictures
	// are made smaller. Cost grows with its square.
	Side int
	// FirstSide is the same for the first look at all of a picture. Lines that are small
	// in it are looked at once more.
	FirstSide int
	// BoxScore is how sure the detector must be of a line, 0 to 1.
	BoxScore float64
	// Confidence is how sure the network must be of a line for it to be told, 0 to 1; the
	// readers of single scripts have bounds of their own.
	Confidence float64
	// MostLines bounds how many lines of one picture are read, the tallest first.
	MostLines int
	// ScriptTries bounds how often lines of one picture are shown to the readers of
	// single scripts, each of which takes about as long as finding the lines.
	ScriptTries int
}

// Defaults are what the package's figures were measured with.
func Defaults() Config {
	return Config{Side: 1280, FirstSide: 960, BoxScore: 0.75, Confidence: 0.7, MostLines: 40, ScriptTries: 10}
}

func (c Config) withDefaults() Config {
	d := Defaults()
	return Config{
		Side: cmp.Or(c.Side, d.Side), FirstSide: cmp.Or(c.FirstSide, d.FirstSide), BoxScore: cmp.Or(c.BoxScore, d.BoxScore),
		Confidence: cmp.Or(c.Confidence, d.Confidence), MostLines: cmp.Or(c.MostLines, d.MostLines), ScriptTries: cmp.Or(c.ScriptTries, d.ScriptTries),
	}
}

// Models are the networks, as their files hold them.
type Models struct {
	Detector   []byte
	Recogniser []byte
	Dictionary []byte
}

// Reader finds and reads lines of text. It is safe for several at a time; whoever made
// it closes it.
type Reader struct {
	cfg    Config
	detect detector
	rec    *recogniser
	// scripts are the readers of what rec does not know.
	scripts map[string]scriptReader
}

// New prepares the networks of m; onnx.Start comes before.
func New(m Models, cfg Config) (*Reader, error) {
	cfg = cfg.withDefaults()
	det, err := newDetector(m.Detector, cfg)
	if err != nil {
		return nil, err
	}
	rec, err := newRecogniser(m.Recogniser, m.Dictionary)
	if err != nil {
		return nil, errors.Join(err, det.close())
	}
	return &Reader{cfg: cfg, detect: *det, rec: rec, scripts: map[string]scriptReader{}}, nil
}

// AddScript has lines of Vietnamese read with Tesseract's data of it. It comes before the
// first picture.
func (r *Reader) AddScript(script string, data []byte) error {
	if script != Vietnamese {
		return fmt.Errorf("read text: no data of Tesseract is taken for script %q; for %s it is", script, Vietnamese)
	}
	lang, err := tesseract.Open(script, data)
	if err != nil {
		return err
	}
	r.scripts[script] = &lifted{lang: lang, script: script}
	return nil
}

// AddKorean has lines of Korean read with a network of their own and its dictionary. It
// comes before the first picture.
func (r *Reader) AddKorean(model, dictionary []byte) error {
	reader, err := newHangul(model, dictionary)
	if err != nil {
		return fmt.Errorf("read Korean: %w", err)
	}
	r.scripts[Korean] = reader
	return nil
}

// AddThai has lines of Thai read with a network of their own, made of the file of PP-OCRv6's
// recogniser. It comes before the first picture.
func (r *Reader) AddThai(recogniser []byte) error {
	reader, err := newSiam(recogniser)
	if err != nil {
		return fmt.Errorf("read Thai: %w", err)
	}
	r.scripts[Thai] = reader
	return nil
}

// Close waits for those that read and frees the networks.
func (r *Reader) Close() error {
	err := errors.Join(r.detect.close(), r.rec.net.Close())
	for _, script := range r.scripts {
		err = errors.Join(err, script.close())
	}
	return err
}

// ReadText gives the lines of text in img, top to bottom.
func (r *Reader) ReadText(ctx context.Context, img image.Image) ([]engines.TextLine, error) {
	if img.Bounds().Empty() {
		return nil, nil
	}
	b := toBitmap(img)
	defer b.done()
	lines, err := r.lines(ctx, b)
	if err != nil {
		return nil, err
	}
	s := &scripts{bitmap: b, readers: r.scripts, tries: r.cfg.ScriptTries}
	if err := s.again(lines); err != nil {
		return nil, err
	}
	var out []engines.TextLine
	for _, l := range lines {
		if l.text == "" || l.confidence < r.cfg.Confidence && l.script == "" || utf8.RuneCountInString(l.text) < 2 && l.confidence < sure {
			continue
		}
		parts := l.parts
		if parts == nil {
			parts = []stretch{{l.text, 0, 1}}
		}
		for _, p := range parts {
			out = append(out, engines.TextLine{Text: p.text, Confidence: l.confidence, Place: engines.Place{Box: l.at.between(p.from, p.to).box(b.w, b.h)}})
		}
	}
	return out, nil
}

// line is a line that was found and what it reads as.
type line struct {
	at rect
	reading
	script string // that it was read as; "" by the network
	// likely is how likely it is to be text at all, by its looks.
	likely float64
}

// found gives the parts of lines that are found in b, and the lines that they belong to.
func (r *Reader) found(b *bitmap) (parts, whole []rect, err error) {
	rects, err := r.detect.find(b)
	if err != nil {
		return nil, nil, err
	}
	if len(rects) > r.cfg.MostLines {
		slices.SortStableFunc(rects, func(x, y rect) int { return cmp.Compare(y.height, x.height) })
		rects = rects[:r.cfg.MostLines]
	}
	parts = merged(rects)
	whole = make([]rect, len(parts))
	for i, at := range parts {
		whole[i] = b.follow(at)
	}
	return parts, merged(whole), nil
}

// lines finds the lines of b and reads them with the network, top to bottom.
func (r *Reader) lines(ctx context.Context, b *bitmap) ([]line, error) {
	found, rects, err := r.found(b)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rects, func(x, y rect) int { return cmp.Compare(x.middle.y, y.middle.y) })
	lines := make([]line, 0, len(rects))
	for _, at := range rects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		whole, err := r.readLikely(b, at, found)
		if err != nil {
			return nil, err
		}
		if whole.likely < likelyText {
			continue
		}
		parts, err := r.readParts(b, whole, found)
		if err != nil {
			return nil, err
		}
		for i := range parts {
			parts[i].likely = whole.likely
		}
		lines = append(lines, parts...)
	}
	return lines, nil
}

// readParts reads a line that is unsure in the parts that were found of it: what it was
// followed to, or joined over, may be none of it. It gives the line when the parts make
// no more sense.
func (r *Reader) readParts(b *bitmap, whole line, found []rect) ([]line, error) {
	as := []line{whole}
	if whole.confidence >= sure {
		return as, nil
	}
	var parts []line
	best := whole.confidence
	for _, at := range found {
		if at.width > 0.95*whole.at.width || !sameLine(at, whole.at) {
			continue
		}
		part, err := r.readEitherWay(b, at)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if part.confidence > best {
			best, as = part.confidence, nil
		}
	}
	if as == nil {
		return parts, nil
	}
	return as, nil
}

const (
	// piece is what of a line tells how to read all of it, in heights: some letters.
	piece = 4
	// pieceSure is what the network must reach on a piece, whose first and last letters
	// are cut.
	pieceSure = 0.8
)

// middlePiece is that part of r, r itself where it is about as short.
func (r rect) middlePiece() rect {
	if r.width > 1.5*piece*r.height {
		r.width = piece * r.height
	}
	return r
}

// readEitherWay reads the line at, and what runs down the other way as well, as nothing
// else says whether it was turned to the left or the right. Level lines are read upside
// down where that is all that makes sense of them. Of a long line a piece is read the
// other way first, all of it when that makes more sense.
func (r *Reader) readEitherWay(b *bitmap, at rect) (line, error) {
	got, err := r.rec.read(b, at)
	if err != nil || got.confidence >= sure {
		return line{at: at, reading: got}, err
	}
	if got.text == "" { // letters read as some others upside down
		return line{at: at, reading: got}, nil
	}
	flipped := at
	flipped.along = flipped.along.times(-1)
	if !at.upright() && (got.confidence < 0.3 || utf8.RuneCountInString(got.text) < 3) {
		return line{at: at, reading: got}, nil
	}
	if part := flipped.middlePiece(); part.width < flipped.width {
		some, err := r.rec.read(b, part)
		if err != nil || some.confidence < pieceSure || some.confidence <= got.confidence {
			return line{at: at, reading: got}, err
		}
	}
	other, err := r.rec.read(b, flipped)
	if err != nil || other.confidence < sure {
		return line{at: at, reading: got}, err
	}
	return line{at: flipped, reading: other}, nil
}
