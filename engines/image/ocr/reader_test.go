package ocr_test

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/ocr"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/pictures"
)

func reader(tb testing.TB) *ocr.Reader {
	tb.Helper()
	onnxtest.Start(tb)
	var board models.Board
	r, err := ocr.Load(models.NewStore(onnxtest.Models(tb)), &board, ocr.Defaults())
	if err != nil {
		tb.Fatalf("%v (make setup)", err)
	}
	for _, id := range []string{models.KoreanOCR, "tesseract-" + ocr.Vietnamese} {
		if note, ok := board.Of(id); !ok || note.State != models.StateLoaded {
			tb.Fatalf("%s: %+v (make setup)", id, note)
		}
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

// TestCharacterErrors holds the reader to what it must reach on screenshots with text of
// 20 to 40 px, half of it turned by up to 15°. The bounds are those of few pictures, the
// README has the figures of many.
func TestCharacterErrors(t *testing.T) {
	r := reader(t)
	for lang, most := range map[pictures.Lang]float64{
		pictures.English: 0.05, pictures.Chinese: 0.05, pictures.Japanese: 0.08,
		pictures.Korean: 0.30, pictures.Thai: 0.25, pictures.Vietnamese: 0.25,
	} {
		var sum pictures.Score
		for seed := range uint64(3) {
			p, err := pictures.Screenshot(7000+seed, pictures.Options{Langs: []pictures.Lang{lang}, Lines: 4, MaxAngle: 15})
			if err != nil {
				t.Fatal(err)
			}
			got, err := pictures.Measure(t.Context(), r, p)
			if err != nil {
				t.Fatal(err)
			}
			sum = sum.Add(got.Score)
			for _, m := range got.Misses {
				t.Logf("%s %.0f px %.0f°: drawn %q, read %q", lang, m.Line.Size, m.Line.Angle, m.Line.Text, m.Read)
			}
		}
		if sum.CER() > most {
			t.Errorf("%s: %.1f %% of characters wrong, want at most %.0f", lang, 100*sum.CER(), 100*most)
		}
	}
}

// TestTurned reads lines that run up, down and upside down.
func TestTurned(t *testing.T) {
	r := reader(t)
	p, err := pictures.Screenshot(3, pictures.Options{Width: 700, Height: 300, Texts: []string{"The gate opens at dawn"}, MinSize: 34})
	if err != nil {
		t.Fatal(err)
	}
	img := p.Image
	for _, turn := range []string{"none", "right", "upside down", "left"} {
		lines, err := r.ReadText(t.Context(), img)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, l := range lines {
			found = found || strings.Contains(strings.ReplaceAll(l.Text, " ", ""), "gateopensat")
		}
		if !found {
			t.Errorf("turned %s: read %+v", turn, lines)
		}
		img = turned(img)
	}
}

// turned is img turned by a quarter to the right.
func turned(img image.Image) image.Image {
	r := img.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, r.Dy(), r.Dx()))
	for y := range r.Dy() {
		for x := range r.Dx() {
			out.Set(r.Dy()-1-y, x, img.At(r.Min.X+x, r.Min.Y+y))
		}
	}
	return out
}

func TestNothingToRead(t *testing.T) {
	r := reader(t)
	for _, size := range []image.Point{{}, {1, 1}, {1, 3000}, {3000, 2}, {31, 33}, {640, 480}} {
		img := image.NewNRGBA(image.Rectangle{Max: size}.Add(image.Pt(-5, 7)))
		draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{90, 120, 60, 200}), image.Point{}, draw.Src)
		lines, err := r.ReadText(t.Context(), img)
		if err != nil || len(lines) > 0 {
			t.Errorf("%v: %+v, %v", size, lines, err)
		}
	}
}

func TestBoxIsWhereTheTextIs(t *testing.T) {
	r := reader(t)
	p, err := pictures.Screenshot(11, pictures.Options{Texts: []string{"Level 12 reached"}, MinSize: 30, MaxAngle: 15})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := r.ReadText(t.Context(), p.Image)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if !strings.HasPrefix(l.Text, "Level") {
			continue
		}
		b := l.Place.Box
		got, want := image.Rect(b[0], b[1], b[0]+b[2], b[1]+b[3]), p.Lines[0].Box
		if common := got.Intersect(want); common.Dx()*common.Dy()*10 < want.Dx()*want.Dy()*8 || got.Dx() > want.Dx()+60 || got.Dy() > want.Dy()+60 {
			t.Errorf("box %v, the text stands in %v", got, want)
		}
		return
	}
	t.Errorf("read %+v", lines)
}

func TestStops(t *testing.T) {
	r := reader(t)
	p, err := pictures.Screenshot(4, pictures.Options{Lines: 3})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if lines, err := r.ReadText(ctx, p.Image); !errors.Is(err, context.Canceled) {
		t.Errorf("read %d lines, %v, want it to stop", len(lines), err)
	}
}

func TestLoadWithoutModels(t *testing.T) {
	onnxtest.Start(t)
	var board models.Board
	_, err := ocr.Load(models.NewStore(t.TempDir()), &board, ocr.Defaults())
	if !errors.Is(err, models.ErrMissing) {
		t.Errorf("Load = %v, want ErrMissing", err)
	}
	if note, _ := board.Of(models.PaddleOCR); note.State != models.StateMissing || note.Reason == "" {
		t.Errorf("board says %+v", note)
	}
}

func TestAddScriptRefuses(t *testing.T) {
	r := reader(t)
	for script, data := range map[string][]byte{"xyz": []byte("x"), ocr.Korean: []byte("x"), ocr.Thai: []byte("x"), ocr.Vietnamese: []byte("not such data")} {
		if err := r.AddScript(script, data); err == nil {
			t.Errorf("%s was taken", script)
		}
	}
	if err := r.AddKorean([]byte("no network"), []byte("가")); err == nil {
		t.Error("a broken network was taken for Korean")
	}
	if err := r.AddThai([]byte("no network")); err == nil {
		t.Error("a broken network was taken for Thai")
	}
}

func BenchmarkReadText(b *testing.B) {
	r := reader(b)
	for name, lines := range map[string]int{"no text": 0, "4 lines": 4} {
		p, err := pictures.Screenshot(21, pictures.Options{Lines: lines})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := r.ReadText(b.Context(), p.Image); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
