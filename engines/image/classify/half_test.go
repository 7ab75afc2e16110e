package classify

import (
	stdimage "image"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// TestHalf holds the networks as they run where the processor multiplies bfloat16 against the
// same in float32, on game-like scenes and on drawn shapes: the same findings, and what they
// are made of within three hundredths.
func TestHalf(t *testing.T) {
	half := models.Find(models.Half)
	if half == nil {
		t.Skip("this processor does not multiply bfloat16, or there is no OpenVINO for this system")
	}
	onnxtest.Start(t)
	store := models.NewStore(onnxtest.Models(t))
	if err := store.Look(half); err != nil {
		t.Fatalf("%v (make setup)", err)
	}
	folder := filepath.Join(store.Dir(), filepath.FromSlash(models.HalfFolder))
	if err := onnx.StartHalf(folder); err != nil {
		t.Fatal(err)
	}
	if err := onnx.StartHalf(folder); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if err := onnx.StartHalf(t.TempDir()); err == nil {
		t.Error("another folder was taken")
	}
	if v := onnx.HalfVersion(); v != half.Version {
		t.Errorf("HalfVersion() = %q, the manifest says %q", v, half.Version)
	}
	quick := func(id, file string, in Input) *network {
		model, err := store.Read(models.Find(id), file)
		if err != nil {
			t.Fatal(err)
		}
		n, err := newNetwork(onnx.NewHalf, model, in)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = n.close() })
		return n
	}
	rounded := builtin{nsfw: quick(models.Nudity, "nsfwjs-mid.onnx", nsfwInput), safety: quick(models.Safety, "image-safety-s.onnx", safetyInput)}
	exact := builtin{nsfw: stored(t, models.Nudity, "nsfwjs-mid.onnx", nsfwInput), safety: stored(t, models.Safety, "image-safety-s.onnx", safetyInput)}
	var all []*stdimage.RGBA
	for seed := range uint32(12) {
		all = append(all, drawn(seed, 300, 200), pictures.Scene(rand.New(rand.NewPCG(uint64(seed), 3)), 320, 180)) //nolint:gosec // the same pictures each time
	}
	worst := 0.
	for i, p := range all {
		var scores [2][2][]float64
		for j, d := range []builtin{exact, rounded} {
			var err error
			if scores[j][0], err = d.nsfw.scores(p, nsfwClasses); err != nil {
				t.Fatal(err)
			}
			if scores[j][1], err = d.safety.scores(p, safetyClasses); err != nil {
				t.Fatal(err)
			}
		}
		differ := 0.
		for c := range nsfwClasses { // between drawn and photographed nothing is found
			if c != nsfwDrawing && c != nsfwNeutral {
				differ = max(differ, math.Abs(scores[0][0][c]-scores[1][0][c]))
			}
		}
		for c := range safetyClasses {
			differ = max(differ, math.Abs(scores[0][1][c]-scores[1][1][c]))
		}
		worst = max(worst, differ)
		want, got := judge(scores[0][0], scores[0][1], nil), judge(scores[1][0], scores[1][1], nil)
		if differ > 0.03 || len(want) != len(got) {
			t.Errorf("picture %d: %v, in float32 %v (%v, %v)", i, scores[1], scores[0], got, want)
		}
	}
	if worst == 0 {
		t.Error("nothing differs: the networks did not compute in bfloat16")
	}
	t.Logf("largest difference %.2g", worst)
}
