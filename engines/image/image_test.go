package image_test

import (
	"bytes"
	"context"
	"errors"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/png"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
)

type (
	detect  func(p *image.Picture) []engines.Signal
	read    func(img stdimage.Image) []engines.TextLine
	inspect func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error)
	known   func(app engines.AppID) []engines.Signal
)

func (d detect) Detect(_ context.Context, p *image.Picture, out []engines.Signal) ([]engines.Signal, error) {
	return append(out, d(p)...), nil
}

func (r read) ReadText(_ context.Context, img stdimage.Image) ([]engines.TextLine, error) {
	return r(img), nil
}

func (f inspect) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	return f(ctx, item, out)
}

func (k known) Known(app engines.AppID, _ *engines.MediaFacts, out []engines.Signal) []engines.Signal {
	return append(out, k(app)...)
}

func picture(t *testing.T, img stdimage.Image, use engines.Use) *engines.Item {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return &engines.Item{App: "game", Kind: engines.KindImage, Media: &engines.Media{Bytes: b.Bytes(), Use: use}}
}

func plain(w, h int, c color.Color) *stdimage.NRGBA {
	img := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	return img
}

// white is a detector that finds what is white at the top left.
var white = detect(func(p *image.Picture) []engines.Signal {
	if r, _, _, _ := p.At(0, 0).RGBA(); r < 0xf000 {
		return nil
	}
	return []engines.Signal{{Category: engines.Gore, Confidence: 0.8, Source: engines.SourceModel, Place: &engines.Place{Box: [4]int{0, 0, 10, 10}}}}
})

func look(t *testing.T, cfg image.Config, item *engines.Item) []engines.Signal {
	t.Helper()
	e, err := image.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Inspect(t.Context(), item, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What is transparent is looked at over black and over white; a skin also as its colours
// are without the transparency.
func TestLooks(t *testing.T) {
	hidden := plain(32, 32, color.NRGBA{255, 255, 255, 0})
	hidden.SetNRGBA(31, 31, color.NRGBA{A: 255})
	for _, c := range []struct {
		img  stdimage.Image
		use  engines.Use
		want int
	}{
		{plain(32, 32, color.Black), engines.UseAvatar, 1},
		{hidden, engines.UseAvatar, 2},
		{hidden, engines.UseSkin, 2}, // without transparency it is what it is over white
		{plain(32, 32, color.NRGBA{90, 0, 0, 0}), engines.UseSkin, 3},
	} {
		n := 0
		look(t, image.Config{Detectors: []image.Detector{detect(func(*image.Picture) []engines.Signal { n++; return nil })}}, picture(t, c.img, c.use))
		if n != c.want {
			t.Errorf("%s: looked at in %d ways, want %d", c.use, n, c.want)
		}
	}
	if out := look(t, image.Config{Detectors: []image.Detector{white}}, picture(t, hidden, engines.UseAvatar)); len(out) != 1 {
		t.Errorf("what shows over white alone: %+v", out)
	}
}

// Boxes are in pixels of the picture, however large it is.
func TestBoxesOfLargePictures(t *testing.T) {
	out := look(t, image.Config{Detectors: []image.Detector{white}}, picture(t, plain(4000, 3000, color.White), engines.UseUpload))
	if len(out) != 1 || out[0].Place == nil || out[0].Place.Box != [4]int{0, 0, 20, 20} {
		t.Errorf("%+v", out)
	}
}

func film(t *testing.T, frames int, odd int) *engines.Item {
	t.Helper()
	var g gif.GIF
	for i := range frames {
		img := stdimage.NewPaletted(stdimage.Rect(0, 0, 40, 40), color.Palette{color.Black, color.White})
		if i == odd {
			for k := range img.Pix {
				img.Pix[k] = 1
			}
		}
		g.Image, g.Delay = append(g.Image, img), append(g.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &g); err != nil {
		t.Fatal(err)
	}
	return &engines.Item{App: "game", Kind: engines.KindImage, Media: &engines.Media{Bytes: b.Bytes(), Use: engines.UseUpload}}
}

// A finding names the time of its frame, and text is read where something changed.
func TestAnimation(t *testing.T) {
	reads := 0
	item := film(t, 6, 5)
	out := look(t, image.Config{Detectors: []image.Detector{white}, Text: read(func(stdimage.Image) []engines.TextLine {
		reads++
		return []engines.TextLine{{Text: "hello", Confidence: 0.9, Place: engines.Place{Box: [4]int{1, 1, 5, 5}}}}
	})}, item)
	if len(out) != 1 || out[0].Place.AtMS != 500 || out[0].Place.EndMS != 600 {
		t.Errorf("%+v", out)
	}
	f := item.Media.Facts()
	if reads != 2 || len(f.Text) != 1 || f.Text[0].Place.EndMS != 600 || f.Frames != 6 || f.DurationMS != 600 {
		t.Errorf("read %d times: %+v", reads, f)
	}
}

func TestRefusalIsOne(t *testing.T) {
	e, err := image.New(image.Config{})
	if err != nil {
		t.Fatal(err)
	}
	item := &engines.Item{Media: &engines.Media{Bytes: []byte("no picture")}}
	if _, err := e.Inspect(t.Context(), item, nil); !errors.As(err, new(*engines.Refusal)) {
		t.Errorf("%v", err)
	}
	pool, err := engines.NewPool(engines.PoolConfig{Name: "image", Engine: e, Slots: 1, Deadline: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, fault := pool.Inspect(t.Context(), item, nil); fault == nil || fault.Refusal == nil || fault.Reason != engines.ReasonRefused {
		t.Errorf("%+v", fault)
	}
}

// The same bytes are looked at once; banks and words are asked each time.
func TestReaderRemembers(t *testing.T) {
	var looked, asked, texts atomic.Int32
	r, err := image.NewReader(image.ReaderConfig{
		Version: "v1",
		Inner: inspect(func(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
			looked.Add(1)
			item.Media.Learn(&engines.MediaFacts{
				Text: []engines.TextLine{
					{Text: "cheap", Confidence: 0.9, Place: engines.Place{Box: [4]int{0, 0, 10, 5}}},
					{Text: "gold here", Confidence: 0.9, Place: engines.Place{Box: [4]int{2, 10, 20, 5}}},
				},
				Codes: []engines.Code{{Kind: "qr", Content: "https://bad.example", Place: engines.Place{Box: [4]int{50, 50, 9, 9}}}},
			})
			return append(out, engines.Signal{Category: engines.Nudity, Confidence: 0.5}), nil
		}),
		Banks: known(func(engines.AppID) []engines.Signal {
			asked.Add(1)
			return []engines.Signal{{Category: engines.IPInfringement, Source: engines.SourceHash, Confidence: 1}}
		}),
		Text: inspect(func(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
			texts.Add(1)
			if i := strings.Index(item.Text, "gold"); i >= 0 {
				out = append(out, engines.Signal{Category: engines.Spam, SubLabel: "rmt", Confidence: 0.9, Source: engines.SourceRule, Span: engines.Span{Start: i, End: i + 4}})
			}
			if strings.HasPrefix(item.Text, "https") {
				out = append(out, engines.Signal{Category: engines.Spam, SubLabel: "malicious_link", Confidence: 0.9, Source: engines.SourceCustomList, Action: "block"})
			}
			return out, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		item := picture(t, plain(8, 8, color.White), engines.UseAvatar)
		out, err := r.Inspect(t.Context(), item, nil)
		if err != nil || len(out) != 4 {
			t.Fatalf("%+v %v", out, err)
		}
		rmt, link := out[2], out[3]
		if rmt.Source != engines.SourceOCR || !rmt.Span.Empty() || rmt.Place.Box != [4]int{2, 10, 20, 5} {
			t.Errorf("words: %+v", rmt)
		}
		if link.Category != engines.MaliciousLink || link.Source != engines.SourceCustomList || link.Place.Box[0] != 50 {
			t.Errorf("code: %+v", link)
		}
		if len(item.Media.Facts().Text) != 2 {
			t.Error("nothing was learned")
		}
	}
	if looked.Load() != 1 || asked.Load() != 3 || texts.Load() != 6 {
		t.Errorf("looked %d, banks %d, texts %d", looked.Load(), asked.Load(), texts.Load())
	}
	if _, err := r.Inspect(t.Context(), picture(t, plain(8, 8, color.White), engines.UseSkin), nil); err != nil || looked.Load() != 2 {
		t.Errorf("a skin is looked at in its own way: %d %v", looked.Load(), err)
	}
}

// What was not wholly looked at is not remembered.
func TestReaderForgetsFaults(t *testing.T) {
	n := 0
	r, err := image.NewReader(image.ReaderConfig{Inner: inspect(func(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
		n++
		item.Media.Learn(&engines.MediaFacts{})
		return out, context.DeadlineExceeded
	})})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := r.Inspect(t.Context(), picture(t, plain(8, 8, color.White), ""), nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("looked %d times", n)
	}
}
