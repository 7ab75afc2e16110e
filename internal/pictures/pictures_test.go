package pictures

import (
	"bytes"
	"context"
	"image"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestSameSeedSamePicture(t *testing.T) {
	o := Options{Width: 640, Height: 360, Langs: Langs, Lines: 2, MaxAngle: 15, MaxSize: 24}
	draw := func(seed uint64) *Picture {
		p, err := Screenshot(seed, o)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b, c := draw(1), draw(1), draw(2)
	if !bytes.Equal(a.JPEG, b.JPEG) || a.Lines[0] != b.Lines[0] {
		t.Error("one seed gave two pictures")
	}
	if bytes.Equal(a.JPEG, c.JPEG) {
		t.Error("two seeds gave one picture")
	}
	if a.Image.Bounds() != image.Rect(0, 0, 640, 360) || len(a.Lines) != 2 {
		t.Errorf("bounds %v, %d lines", a.Image.Bounds(), len(a.Lines))
	}
}

// TestEveryPhraseCanBeDrawn finds a letter that a font does not have.
func TestEveryPhraseCanBeDrawn(t *testing.T) {
	fonts, err := fontsOf()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range Langs {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 150 {
			text := Phrase(rng, lang)
			for i, f := range fonts[lang] {
				if _, err := layOut(f, text, 20, false); err != nil {
					t.Errorf("%s, font %d: %q: %v", lang, i, text, err)
				}
			}
		}
	}
}

// said is a reader that says always the same.
type said []engines.TextLine

func (s said) ReadText(context.Context, image.Image) ([]engines.TextLine, error) { return s, nil }

func TestMeasure(t *testing.T) {
	at := func(x, y int, text string) engines.TextLine {
		return engines.TextLine{Text: text, Place: engines.Place{Box: [4]int{x - 5, y - 5, 10, 10}}}
	}
	p := &Picture{Lines: []Line{
		{Text: "one two", Lang: English, Size: 20, From: image.Pt(10, 10), To: image.Pt(110, 10)},
		{Text: "three", Lang: English, Size: 20, From: image.Pt(10, 60), To: image.Pt(60, 110)},
	}}
	for name, c := range map[string]struct {
		said said
		want Score
	}{
		"all":        {said{at(60, 10, "one two"), at(35, 85, "three")}, Score{Found: 2, Exact: 2}},
		"in pieces":  {said{at(90, 12, "two"), at(30, 10, "one"), at(35, 85, "three")}, Score{Found: 2, Exact: 2}},
		"an error":   {said{at(60, 10, "one tvo"), at(35, 85, "three")}, Score{Found: 2, Exact: 1, Errors: 1}},
		"one line":   {said{at(60, 10, "one two")}, Score{Found: 1, Exact: 1, Errors: 5}},
		"what isn't": {said{at(60, 10, "one two"), at(35, 85, "three"), at(300, 300, "four")}, Score{Found: 2, Exact: 2, Spurious: 4}},
		"nothing":    {nil, Score{Errors: 12}},
	} {
		got, err := Measure(t.Context(), c.said, p)
		if err != nil {
			t.Fatal(err)
		}
		c.want.Lang, c.want.Lines, c.want.Chars = English, 2, 12
		if got.Score != c.want {
			t.Errorf("%s: %+v, want %+v", name, got.Score, c.want)
		}
	}
	if got := canonical("ＡＢ　テスト ！", Japanese); got != "ABテスト!" {
		t.Errorf("canonical = %q", got)
	}
}

func TestEvaluate(t *testing.T) {
	got, err := Evaluate(t.Context(), said(nil), Trial{
		Pictures: 4, Seed: 5, Langs: []Lang{Thai, Korean}, Empty: true, Options: Options{Width: 900, Height: 400, MaxSize: 24},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, lang := range []Lang{Thai, Korean} {
		r := got[i]
		if r.Lang != lang || r.Lines != 7 || r.CER() != 1 || len(r.Took) != 4 { // 3, none, 4, none
			t.Errorf("%s: %+v with an error rate of %v, want 7 lines, all unread", lang, r, r.CER())
		}
	}
}
