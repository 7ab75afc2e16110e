package code_test

import (
	"context"
	"image"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/datamatrix"
	"github.com/makiuchi-d/gozxing/oned"

	"github.com/portcullis-gg/portcullis/engines/image/code"
	"github.com/portcullis-gg/portcullis/engines/image/code/codetest"
)

// patient has time enough on a busy machine.
var patient = &code.Reader{Budget: time.Minute}

// TestScenes reads codes of 90 px and more on scenes that nothing was tuned on.
func TestScenes(t *testing.T) {
	for _, test := range []struct {
		name          string
		seed          uint64
		scenes, codes int
		least         float64
	}{
		{"one", 1_000_000, 30, 1, 0.96},
		{"several", 2_000_000, 8, 3, 0.95},
		{"none", 3_000_000, 10, 0, 1},
	} {
		res, err := codetest.Measure(t.Context(), patient, test.seed, test.scenes, test.codes, 90)
		if err != nil {
			t.Fatal(err)
		}
		if res.Rate() < test.least || res.Wrong > 0 {
			t.Errorf("%s: %d of %d found, %d wrong; missed %+v", test.name, res.Found, res.Codes, res.Wrong, res.Missed)
		}
	}
}

func blank(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = 230 | uint8(i%4/3*255) //nolint:gosec // opaque
	}
	return img
}

// paste draws a code of gozxing's, each module so many pixels, each row so tall.
func paste(img *image.RGBA, bits *gozxing.BitMatrix, at image.Point, module, tall int, lying bool) {
	for y := range bits.GetHeight() * tall {
		for x := range bits.GetWidth() * module {
			if bits.Get(x/module, y/tall) {
				p := image.Pt(at.X+x, at.Y+y)
				if lying {
					p = image.Pt(at.X+y, at.Y+x)
				}
				img.SetRGBA(p.X, p.Y, color.RGBA{20, 20, 20, 255})
			}
		}
	}
}

func TestBars(t *testing.T) {
	for _, test := range []struct {
		kind, content string
		format        gozxing.BarcodeFormat
		writer        gozxing.Writer
	}{
		{"ean_13", "4006381333931", gozxing.BarcodeFormat_EAN_13, oned.NewEAN13Writer()},
		{"code_128", "https://rmt.example/x", gozxing.BarcodeFormat_CODE_128, oned.NewCode128Writer()},
		{"code_39", "PORTCULLIS", gozxing.BarcodeFormat_CODE_39, oned.NewCode39Writer()},
	} {
		bits, err := test.writer.Encode(test.content, test.format, 0, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, lying := range []bool{false, true} {
			img := codetest.Background(rand.New(rand.NewPCG(5, 5)), 900, 900)
			for y := range 160 {
				for x := range bits.GetWidth()*2 + 60 {
					p := image.Pt(70+x, 270+y)
					if lying {
						p = image.Pt(p.Y, p.X)
					}
					img.SetRGBA(p.X, p.Y, color.RGBA{240, 240, 240, 255})
				}
			}
			at := image.Pt(100, 300)
			if lying {
				at = image.Pt(300, 100)
			}
			paste(img, bits, at, 2, 100, lying)
			got, err := patient.ReadCodes(t.Context(), img)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 1 || got[0].Content != test.content || got[0].Kind != test.kind {
				t.Errorf("%s (lying %v): read %+v, want %q", test.kind, lying, got, test.content)
			}
		}
	}
}

func TestDataMatrix(t *testing.T) {
	bits, err := datamatrix.NewDataMatrixWriter().Encode("https://x.example", gozxing.BarcodeFormat_DATA_MATRIX, 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	img := blank(200, 200)
	paste(img, bits, image.Pt(100-5*bits.GetWidth()/2, 100-5*bits.GetHeight()/2), 5, 5, false)
	got, err := patient.ReadCodes(t.Context(), img)
	if err != nil || len(got) != 1 || got[0].Content != "https://x.example" || got[0].Kind != "data_matrix" {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestPlace(t *testing.T) {
	img := blank(600, 400)
	if err := codetest.Draw(img, codetest.Code{Content: "hello", Side: 120, Contrast: 200, At: image.Pt(400, 150)}); err != nil {
		t.Fatal(err)
	}
	got, err := patient.ReadCodes(t.Context(), img)
	if err != nil || len(got) != 1 {
		t.Fatalf("read %+v, %v", got, err)
	}
	for i, want := range [4]int{340, 90, 120, 120} {
		if d := got[0].Place.Box[i] - want; d < -8 || d > 8 {
			t.Errorf("box %v, want about 340 90 120 120", got[0].Place.Box)
			break
		}
	}
}

// TestHostile: pictures made to cost time, or none at all.
func TestHostile(t *testing.T) {
	full := image.NewRGBA(image.Rect(0, 0, 1024, 1024))
	for y := range 1024 {
		for x := range 1024 { // finder patterns all over
			ring := max(abs(x%14-7), abs(y%14-7))
			v := uint8(255)
			if ring <= 2 || ring > 4 {
				v = 0
			}
			full.SetRGBA(x, y, color.RGBA{v, v, v, 255})
		}
	}
	stripes := image.NewRGBA(image.Rect(0, 0, 1024, 1024))
	for i := range stripes.Pix {
		stripes.Pix[i] = uint8((i / 4 / 3 % 2) * 255)
	}
	for name, img := range map[string]image.Image{
		"empty": image.NewRGBA(image.Rectangle{}), "a pixel": image.NewRGBA(image.Rect(0, 0, 1, 1)), "a line": image.NewRGBA(image.Rect(0, 0, 5000, 1)),
		"patterns": full, "stripes": stripes, "off": image.NewRGBA(image.Rect(-50, -50, 100, 100)), "palette": image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{color.Black, color.White}),
	} {
		if got, err := new(code.Reader).ReadCodes(t.Context(), img); err != nil || len(got) > 0 {
			t.Errorf("%s: %+v, %v; want none", name, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(code.Reader).ReadCodes(ctx, full); err == nil {
		t.Error("no error of an ended context")
	}
}

func abs(n int) int { return max(n, -n) }

// FuzzReadCodes: whatever the pixels, what is read is text in the picture.
func FuzzReadCodes(f *testing.F) {
	f.Add([]byte(strings.Repeat("\x00\xff\xff\x00", 64)), uint8(16))
	f.Fuzz(func(t *testing.T, pix []byte, width uint8) {
		if width == 0 || len(pix) < int(width) {
			return
		}
		h := len(pix) / int(width)
		img := &image.Gray{Pix: pix, Stride: int(width), Rect: image.Rect(0, 0, int(width), h)}
		got, err := new(code.Reader).ReadCodes(t.Context(), img)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got {
			if c.Content == "" || c.Kind == "" {
				t.Errorf("read %+v", c)
			}
		}
	})
}

func BenchmarkReadCodes(b *testing.B) {
	for _, bench := range []struct {
		name  string
		codes int
	}{{"absent", 0}, {"one", 1}} {
		b.Run(bench.name, func(b *testing.B) {
			var scenes []image.Image
			for seed := range uint64(8) {
				s, err := codetest.New(100+seed, bench.codes, 90)
				if err != nil {
					b.Fatal(err)
				}
				scenes = append(scenes, s.Image)
			}
			r := new(code.Reader)
			for i := 0; b.Loop(); i++ {
				if _, err := r.ReadCodes(b.Context(), scenes[i%len(scenes)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
