package classify

import (
	stdimage "image"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/classify/eight"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// allowed is how far one finding may be from float32's, and how far on average. Of the pictures drawn here nudity
// differs by .0032 at most, .0005 on average. Differences have a long tail where float32 is unsure itself: of some
// 600 photographs, paintings and screenshots outside the repository one differed by .054 (.235 became .181).
var allowed = map[bool]struct{ most, mean float64 }{false: {.01, .002}, true: {.08, .006}} // by PORTCULLIS_PICTURES

// TestRounded holds the networks in 8 bits against those in float32, by what is found: on game-like scenes, drawn
// shapes and the pictures of PORTCULLIS_PICTURES, a folder of JPEG files, where that is set.
func TestRounded(t *testing.T) {
	in8 := inBytes(t)
	exact := builtin{nsfw: stored(t, models.Nudity, "nsfwjs-mid.onnx", nsfwInput), safety: stored(t, models.Safety, "image-safety-s.onnx", safetyInput)}
	all, allow := looked(t), allowed[os.Getenv("PORTCULLIS_PICTURES") != ""]
	names := []string{"drawing", "hentai", "neutral", "porn", "sexy", "nsfl", "nsfw", "sfw", "nudity", "semi-nudity", "gore"}
	worst, sum := make([]float64, len(names)), make([]float64, len(names))
	for i, p := range all {
		scores := [2][]float64{}
		for j, d := range []builtin{exact, in8} {
			nsfw, err := d.nsfw.scores(p, nsfwClasses)
			if err != nil {
				t.Fatal(err)
			}
			safety, err := d.safety.scores(p, safetyClasses)
			if err != nil {
				t.Fatal(err)
			}
			scores[j] = append(nsfw, safety...)
			scores[j] = append(scores[j], pool(nsfw[nsfwPorn]+nsfw[nsfwHentai], safety[safetyNSFW]), pool(nsfw[nsfwSexy], max(safety[safetyNSFW], semiDoubt)), safety[safetyNSFL])
		}
		for c := range names {
			d := math.Abs(scores[0][c] - scores[1][c])
			worst[c], sum[c] = max(worst[c], d), sum[c]+d
			if c >= 8 && d > allow.most {
				t.Errorf("picture %d: %s %.3f, in float32 %.3f", i, names[c], scores[1][c], scores[0][c])
			}
		}
	}
	for c, name := range names {
		if mean := sum[c] / float64(len(all)); c >= 8 && mean > allow.mean {
			t.Errorf("%s differs by %.4f on average", name, mean)
		}
		t.Logf("%-11s differs by %.4f at most, %.5f on average, over %d pictures", name, worst[c], sum[c]/float64(len(all)), len(all))
	}
}

// inBytes has both networks in 8 bits.
func inBytes(t *testing.T) builtin {
	t.Helper()
	if !eight.Able() {
		t.Skip("this processor has no AVX-512 VNNI")
	}
	onnxtest.Start(t)
	store := models.NewStore(onnxtest.Models(t))
	quick := func(id, file string, in Input, open func([]byte) (*eight.Net, error)) *network {
		model, err := store.Read(models.Find(id), file)
		if err != nil {
			t.Fatal(err)
		}
		n, err := newRounded(open, model, in)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = n.close() })
		return n
	}
	return builtin{
		nsfw:   quick(models.Nudity, "nsfwjs-mid.onnx", nsfwInput, eight.Nudity),
		safety: quick(models.Safety, "image-safety-s.onnx", safetyInput, eight.Safety),
	}
}

// TestRoundedSizes: a picture of any size, and a part of one, is seen as in float32.
func TestRoundedSizes(t *testing.T) {
	in8 := inBytes(t)
	exact := builtin{nsfw: stored(t, models.Nudity, "nsfwjs-mid.onnx", nsfwInput), safety: stored(t, models.Safety, "image-safety-s.onnx", safetyInput)}
	scene := pictures.Scene(rand.New(rand.NewPCG(5, 3)), 320, 180) //nolint:gosec // the same picture each time
	for _, size := range []stdimage.Point{{1, 1}, {2, 1}, {1, 3}, {5, 223}, {223, 225}, {224, 224}, {225, 2}, {450, 449}, {40_000, 1}, {1, 40_000}, {2_241, 7}} {
		whole := stdimage.NewRGBA(stdimage.Rect(-3, 2, size.X, size.Y+9))
		for y := range whole.Rect.Dy() {
			for x := range whole.Rect.Dx() {
				whole.SetRGBA(x-3, y+2, scene.RGBAAt(x%320, y%180))
			}
		}
		p, ok := whole.SubImage(stdimage.Rectangle{Max: size}.Add(stdimage.Pt(0, 9))).(*stdimage.RGBA)
		if !ok || p.Rect.Size() != size {
			t.Fatalf("%v: a part of %v", size, p.Rect)
		}
		for name, pair := range map[string][2]*network{"nudity": {in8.nsfw, exact.nsfw}, "safety": {in8.safety, exact.safety}} {
			count := map[string]int{"nudity": nsfwClasses, "safety": safetyClasses}[name]
			got, err := pair[0].scores(p, count)
			if err != nil {
				t.Errorf("%v, %s: %v", size, name, err)
				continue
			}
			want, err := pair[1].scores(p, count)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if d := math.Abs(got[i] - want[i]); !(d <= .08) {
					t.Errorf("%v, %s: %.3f, in float32 %.3f", size, name, got, want)
					break
				}
			}
		}
	}
}

// looked are the pictures that are looked at.
func looked(t *testing.T) []*stdimage.RGBA {
	t.Helper()
	var all []*stdimage.RGBA
	for seed := range uint32(12) {
		all = append(all, drawn(seed, 300, 200), pictures.Scene(rand.New(rand.NewPCG(uint64(seed), 3)), 320, 180)) //nolint:gosec // the same pictures each time
	}
	folder := os.Getenv("PORTCULLIS_PICTURES")
	if folder == "" {
		return all
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jpg"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no pictures (%v)", folder, err)
	}
	for _, name := range files {
		f, err := os.Open(name) //nolint:gosec // whoever runs the test names the folder
		if err != nil {
			t.Fatal(err)
		}
		img, err := jpeg.Decode(f)
		_ = f.Close() // it was only read
		if err != nil {
			t.Fatal(err)
		}
		p := stdimage.NewRGBA(img.Bounds().Sub(img.Bounds().Min))
		for y := range p.Rect.Dy() {
			for x := range p.Rect.Dx() {
				p.Set(x, y, img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y))
			}
		}
		all = append(all, p)
	}
	return all
}
