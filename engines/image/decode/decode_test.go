package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"runtime"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// shots unpacks a file and keeps its frames, flat over white.
func shots(t *testing.T, data []byte, lim Limits) (*File, []*image.RGBA, []Frame) {
	t.Helper()
	f, err := Read(data, "", lim)
	if err != nil {
		t.Fatal(err)
	}
	var flat []*image.RGBA
	var frames []Frame
	err = f.Unpack(t.Context(), func(fr Frame) error {
		img, _ := fr.Flat(White, 1<<20)
		flat, frames = append(flat, img), append(frames, fr)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f, flat, frames
}

func near(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return x-y < 30 || y-x < 30 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

// quarters are the colours of a picture's corners: top left, top right, bottom left, bottom right.
func quarters(img *image.RGBA) (q [4]color.RGBA) {
	w, h := img.Rect.Dx()-1, img.Rect.Dy()-1
	for i, p := range [4]image.Point{{0, 0}, {w, 0}, {0, h}, {w, h}} {
		q[i] = img.RGBAAt(p.X, p.Y)
	}
	return q
}

var red, green, blue, white = color.RGBA{220, 20, 20, 255}, color.RGBA{20, 200, 20, 255}, color.RGBA{20, 20, 220, 255}, color.RGBA{250, 250, 250, 255}

func TestFormatsShowTheSame(t *testing.T) {
	img := scene(40, 24)
	deep := image.NewNRGBA64(img.Rect)
	draw.Draw(deep, img.Rect, img, image.Point{}, draw.Src)
	few := image.NewPaletted(img.Rect, color.Palette{color.Transparent, red, green, blue, white})
	draw.Draw(few, img.Rect, img, image.Point{}, draw.Src)
	for name, data := range map[string][]byte{
		"png": asPNG(t, img), "png 16 bit": asPNG(t, deep), "png palette": asPNG(t, few), "jpeg": asJPEG(t, img), "bmp": asBMP(t, img),
	} {
		f, flat, _ := shots(t, data, Default())
		if f.Width != 40 || f.Height != 24 || f.Frames != 1 || f.DurationMS != 0 || f.Trailing != 0 {
			t.Errorf("%s: %+v", name, f)
		}
		for i, want := range [4]color.RGBA{red, green, blue, white} {
			if got := quarters(flat[0])[i]; !near(got, want) {
				t.Errorf("%s: quarter %d is %v, want %v", name, i, got, want)
			}
		}
	}
}

// The tag says how the picture was held; shown it is always the same.
func TestOrientation(t *testing.T) {
	shown := scene(48, 24)
	for turn := uint16(1); turn <= 8; turn++ {
		o := orientation(turn)
		w, h := 48, 24
		if o.swaps() {
			w, h = h, w
		}
		stored := image.NewNRGBA(image.Rect(0, 0, w, h))
		for y := range 24 {
			for x := range 48 {
				sx, sy := o.source(x, y, w, h)
				stored.SetNRGBA(sx, sy, shown.NRGBAAt(x, y))
			}
		}
		f, flat, frames := shots(t, oriented(asJPEG(t, stored), turn), Default())
		if f.Width != 48 || f.Height != 24 {
			t.Errorf("orientation %d: %d × %d", turn, f.Width, f.Height)
		}
		for i, want := range [4]color.RGBA{red, green, blue, white} {
			if got := quarters(flat[0])[i]; !near(got, want) {
				t.Errorf("orientation %d: quarter %d is %v, want %v", turn, i, got, want)
			}
		}
		if at := frames[0].Upright().At(0, 0); !near(color.RGBAModel.Convert(at).(color.RGBA), red) { //nolint:forcetypeassert // the model's type
			t.Errorf("orientation %d: the view begins with %v", turn, at)
		}
	}
}

// A large picture comes smaller, each pixel the mean of those that it stands for.
func TestFlatShrinks(t *testing.T) {
	fr := Frame{img: scene(400, 200), turn: 6}
	flat, scale := fr.Flat(White, 5000)
	if scale != 4 || flat.Rect.Size() != image.Pt(50, 100) {
		t.Fatalf("scale %d, %v", scale, flat.Rect)
	}
	if q := quarters(flat); !near(q[0], blue) || !near(q[1], red) { // turned by a quarter
		t.Errorf("%v", q)
	}
}

func TestTransparentOverBothBackgrounds(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	img.SetNRGBA(0, 0, color.NRGBA{200, 0, 0, 0}) // hidden
	fr := Frame{img: img}
	for bg, want := range map[*image.Uniform]uint8{Black: 0, White: 255} {
		flat, _ := fr.Flat(bg, 1<<20)
		if got := flat.RGBAAt(0, 0); got != (color.RGBA{want, want, want, 255}) {
			t.Errorf("over %v: %v", bg.C, got)
		}
	}
	if bare, _ := fr.Bare(1 << 20); bare.RGBAAt(0, 0).R != 200 {
		t.Errorf("without its transparency: %v", bare.RGBAAt(0, 0))
	}
}

func TestAnimations(t *testing.T) {
	_, flat, frames := shots(t, moving(t), Default())
	if len(flat) != 2 || frames[1].AtMS != 300 || frames[1].EndMS != 1000 {
		t.Fatalf("%+v", frames)
	}
	if q := quarters(flat[1]); !near(q[0], white) || !near(q[1], green) {
		t.Errorf("the second frame lies over the first: %v", q)
	}
	f, flat, frames := shots(t, webpOf(t, "moving"), Default())
	if f.Frames != 2 || f.DurationMS != 300 || len(flat) != 2 || frames[1].AtMS != 200 {
		t.Errorf("webp: %+v %+v", f, frames)
	}
	if a, b := quarters(flat[0]), quarters(flat[1]); !near(a[0], red) || !near(a[1], blue) || !near(b[0], red) || b[1] != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("webp: %v then %v", a, b)
	}
}

func TestWebP(t *testing.T) {
	for _, name := range []string{"lossy", "lossless", "alpha"} {
		f, flat, frames := shots(t, webpOf(t, name), Default())
		q := quarters(flat[0])
		if f.Width != 16 || f.Height != 12 || !near(q[0], red) || (name == "alpha") == near(q[1], blue) || frames[0].Opaque() != (name != "alpha") {
			t.Errorf("%s: %+v %v", name, f, q)
		}
	}
}

// Of many frames as many are shown as may be, spread over the time, and the one that is
// unlike the others is always among them.
func TestSampledByTime(t *testing.T) {
	lim := Default()
	lim.Sampled = 10
	for _, odd := range []int{0, 7, 41, 99} {
		f, flat, frames := shots(t, film(t, 100, odd, 4), lim)
		if f.Frames != 100 || f.DurationMS != 4000 || len(frames) != 10 {
			t.Fatalf("%d frames of %d shown, %d ms", len(frames), f.Frames, f.DurationMS)
		}
		found := false
		for i, fr := range frames {
			if fr.AtMS < int64(i)*400 || fr.AtMS >= int64(i+1)*400 {
				t.Errorf("frame %d of piece %d is at %d ms", fr.Index, i, fr.AtMS)
			}
			found = found || fr.Index == odd && flat[i].RGBAAt(3, 3).G > 250
		}
		if !found {
			t.Errorf("the odd frame %d was not shown", odd)
		}
	}
}

// A GIF that ends early is shown as far as it goes.
func TestCutGIF(t *testing.T) {
	whole := film(t, 2, 1, 10)
	for n := len(whole) - 1; n > 90; n -= 7 {
		f, flat, _ := shots(t, whole[:n], Default())
		if f.Width != 32 || len(flat) == 0 {
			t.Errorf("cut at %d: %+v", n, f)
		}
	}
}

func refusal(t *testing.T, data []byte, claim string, lim Limits) *engines.Refusal {
	t.Helper()
	f, err := Read(data, claim, lim)
	if err == nil {
		err = f.Unpack(t.Context(), func(Frame) error { return nil })
	}
	r, ok := errors.AsType[*engines.Refusal](err)
	if !ok {
		t.Fatalf("%v is no refusal", err)
	}
	return r
}

func TestRefusals(t *testing.T) {
	img := scene(40, 24)
	small := Default()
	small.Pixels, small.Bytes, small.Frames = 900, 4000, 3
	pngFile, jpegFile := asPNG(t, img), asJPEG(t, img)
	bomb := bytes.Clone(pngFile)
	binary.BigEndian.PutUint32(bomb[16:], 100_000)
	binary.BigEndian.PutUint32(bomb[20:], 100_000)
	zip := append(bytes.Clone(pngFile), "PK\x05\x06"+strings.Repeat("\x00", 18)...)
	scans := bytes.Clone(jpegFile[:len(jpegFile)-2])
	at := bytes.Index(scans, []byte{0xff, 0xda})
	for range maxScans {
		scans = append(scans, jpegFile[at:at+14]...)
	}
	for name, c := range map[string]struct {
		data  []byte
		claim string
		lim   Limits
		kind  engines.RefusalKind
		says  string
	}{
		"empty":              {nil, "", Default(), engines.RefusedDamage, "empty"},
		"noise":              {[]byte("no picture at all"), "", Default(), engines.RefusedFormat, "JPEG, PNG"},
		"svg":                {[]byte(`<?xml version="1.0"?> <svg xmlns="http://www.w3.org/2000/svg"/>`), "image/svg+xml", Default(), engines.RefusedFormat, "SVG"},
		"heic":               {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), "image/heic", Default(), engines.RefusedFormat, "HEIC"},
		"avif":               {[]byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1"), "", Default(), engines.RefusedFormat, "AVIF"},
		"tiff":               {[]byte("II*\x00aaaaaaaa"), "", Default(), engines.RefusedFormat, "TIFF"},
		"another type":       {pngFile, "image/jpeg", Default(), engines.RefusedFormat, `"image/jpeg", and is PNG`},
		"no picture's type":  {pngFile, "text/html", Default(), engines.RefusedFormat, "image/…"},
		"bytes":              {asBMP(t, scene(60, 40)), "", small, engines.RefusedSize, "4000"},
		"pixels":             {pngFile, "", small, engines.RefusedSize, "900"},
		"bomb":               {bomb, "", Default(), engines.RefusedSize, "100000"},
		"frames":             {film(t, 4, 1, 4), "", small, engines.RefusedSize, "frames"},
		"cut png":            {pngFile[:len(pngFile)-5], "", Default(), engines.RefusedDamage, "early"},
		"cut jpeg":           {jpegFile[:len(jpegFile)/2], "", Default(), engines.RefusedDamage, ""},
		"jpeg without end":   {jpegFile[:3], "", Default(), engines.RefusedDamage, ""},
		"many scans":         {scans, "", Default(), engines.RefusedDamage, "scans"},
		"zip behind":         {zip, "", Default(), engines.RefusedFormat, "ZIP"},
		"page behind":        {append(bytes.Clone(pngFile), "<html><script>"...), "", Default(), engines.RefusedFormat, "web page"},
		"webp of two sizes":  {sizedWebP(t, 5), "", Default(), engines.RefusedDamage, "5 × 12"},
		"webp that lies":     {append([]byte("RIFF\xff\xff\x00\x00"), webpOf(t, "lossy")[8:]...), "", Default(), engines.RefusedDamage, ""},
		"bmp without pixels": {asBMP(t, img)[:60], "", Default(), engines.RefusedDamage, "pixels"},
	} {
		t.Run(name, func(t *testing.T) {
			r := refusal(t, c.data, c.claim, c.lim)
			if r.Kind != c.kind || !strings.Contains(r.Reason, c.says) {
				t.Errorf("%q, want %s with %q", r, c.kind, c.says)
			}
		})
	}
}

// sizedWebP is a WebP whose canvas is w × 12 and its picture 16 × 12.
func sizedWebP(t *testing.T, w byte) []byte {
	t.Helper()
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	out = append(out, riff("VP8X", []byte{0, 0, 0, 0, w - 1, 0, 0, 11, 0, 0})...)
	out = append(out, webpOf(t, "lossy")[12:]...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

// Bytes behind the end are noted, where they are nothing in themselves.
func TestTrailing(t *testing.T) {
	for name, data := range map[string][]byte{"png": asPNG(t, scene(8, 8)), "jpeg": asJPEG(t, scene(8, 8)), "gif": film(t, 1, 0, 4), "webp": webpOf(t, "alpha")} {
		f, err := Read(append(bytes.Clone(data), "padding"...), "", Default())
		if err != nil || f.Trailing != 7 {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
}

// What the reports describe takes next to no memory to refuse.
func TestRefusedWithoutMemory(t *testing.T) {
	for _, c := range cases(t) {
		if c.Expect.Allocation == 0 || len(c.Input.Base64) == 0 {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		answered(t, c.Input.Base64)
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 8 {
			t.Errorf("%s: %d MiB", c.ID, got)
		}
	}
}
