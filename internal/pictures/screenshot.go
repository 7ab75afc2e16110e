package pictures

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"

	"golang.org/x/image/font/sfnt"
)

// Options say what a screenshot holds. Zero values have the defaults named.
type Options struct {
	Width, Height int // px; 1280×720
	// Langs are those that lines are drawn in; a line takes one of them. None: en.
	Langs []Lang
	// Lines is how many lines of text there are; 0 is none.
	Lines int
	// Texts are drawn instead of lines of the package, one each; Langs[0] picks fonts.
	Texts []string
	// Fonts are files that texts are drawn with instead of the fonts of the package.
	Fonts []string
	// Seated has marks above Thai letters stand where shaping puts them, no higher.
	Seated bool
	// MinSize and MaxSize bound the size of the font in px; 20 and 40.
	MinSize, MaxSize float64
	// MaxAngle bounds the rotation to both sides, in degrees; every other line, about,
	// stays level.
	MaxAngle float64
	// Quality is that of the JPEG, 1 to 100; 85.
	Quality int
	// Plain has the scene be of one colour, as menus and pages are.
	Plain bool
}

// Line is a line of text that was drawn.
type Line struct {
	Text  string
	Lang  Lang
	Box   image.Rectangle // around what was drawn
	Angle float64         // degrees, clockwise
	Size  float64         // px
	// From and To are the ends of the line's middle.
	From, To image.Point
}

// Picture is a drawn picture and the truth about it.
type Picture struct {
	Image image.Image // as it comes back from the JPEG
	JPEG  []byte
	Lines []Line
}

// Screenshot draws the picture of a seed.
func Screenshot(seed uint64, o Options) (*Picture, error) {
	o = o.withDefaults()
	fonts, err := o.choices()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x706f7274)) //nolint:gosec // the same seed draws the same picture
	img := Scene(rng, o.Width, o.Height)
	if o.Plain {
		draw.Draw(img, img.Rect, image.NewUniform(shade(rng, 0, 1)), image.Point{}, draw.Src)
	}
	p := &Picture{}
	texts := o.Texts
	for i := range max(o.Lines, len(texts)) {
		lang := o.Langs[rng.IntN(len(o.Langs))]
		for try := 0; ; try++ {
			text := Phrase(rng, lang)
			if len(texts) > 0 {
				text, lang = texts[i], o.Langs[0]
			}
			choices := fonts(lang)
			w := &writer{rng: rng, img: img, font: choices[rng.IntN(len(choices))], seated: o.Seated, taken: p.Lines}
			line, err := w.write(text, o, try)
			if err != nil {
				return nil, err
			}
			if line != nil {
				line.Lang = lang
				p.Lines = append(p.Lines, *line)
				break
			}
			if try == 200 {
				return nil, fmt.Errorf("draw picture %d: no room for line %d of %dx%d px", seed, i+1, o.Width, o.Height)
			}
		}
	}
	if err := p.encode(img, o.Quality); err != nil {
		return nil, fmt.Errorf("draw picture %d: %w", seed, err)
	}
	return p, nil
}

// choices are the fonts that a language may be written with.
func (o Options) choices() (func(Lang) []*sfnt.Font, error) {
	if len(o.Fonts) > 0 {
		own, err := fontsAt(o.Fonts)
		return func(Lang) []*sfnt.Font { return own }, err
	}
	fonts, err := fontsOf()
	return func(l Lang) []*sfnt.Font { return fonts[l] }, err
}

// encode sets the file, and the image as it comes back from it.
func (p *Picture) encode(img image.Image, quality int) (err error) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: quality}); err != nil {
		return err
	}
	p.JPEG = file.Bytes()
	p.Image, err = jpeg.Decode(&file)
	return err
}

func (o Options) withDefaults() Options {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&o.Width, 1280)
	set(&o.Height, 720)
	set(&o.Quality, 85)
	if o.MinSize == 0 {
		o.MinSize = 20
	}
	if o.MaxSize == 0 {
		o.MaxSize = max(o.MinSize, 40)
	}
	if len(o.Langs) == 0 {
		o.Langs = []Lang{English}
	}
	return o
}
