package classify

import (
	"context"
	stdimage "image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// painted is a picture of one colour.
func painted(w, h int, c color.RGBA) *image.Picture {
	p := stdimage.NewRGBA(stdimage.Rect(0, 0, w, h))
	draw.Draw(p, p.Rect, stdimage.NewUniform(c), stdimage.Point{}, draw.Src)
	return &image.Picture{RGBA: p, Scale: 1}
}

// means is a network of 8×8 pixels whose scores are the means of its channels, or what
// weights and a bias make of them in another shape.
func means(t *testing.T, shape []int, weights, bias []float32) []byte {
	t.Helper()
	m := onnxfile.Model{
		Name:    "means",
		Inputs:  []onnxfile.Value{{Name: "x", Shape: []int{-1, 3, 8, 8}}},
		Outputs: []onnxfile.Value{{Name: "y", Shape: shape}},
		Nodes: []onnxfile.Node{
			{Op: "GlobalAveragePool", In: []string{"x"}, Out: []string{"pooled"}},
			{Op: "Flatten", In: []string{"pooled"}, Out: []string{"flat"}, Attrs: []onnxfile.Attr{onnxfile.Int("axis", 1)}},
			{Op: "Gemm", In: []string{"flat", "w", "b"}, Out: []string{"scores"}, Attrs: []onnxfile.Attr{onnxfile.Float("alpha", 1)}},
			{Op: "Reshape", In: []string{"scores", "shape"}, Out: []string{"y"}},
		},
		Weights: []onnxfile.Weight{
			{Name: "w", Shape: []int{3, len(bias)}, Floats: weights},
			{Name: "b", Shape: []int{len(bias)}, Floats: bias},
			{Name: "shape", Shape: []int{len(shape)}},
		},
	}
	for _, d := range shape {
		m.Weights[2].Ints = append(m.Weights[2].Ints, int64(d))
	}
	b, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// loaded is a set with one network of the operator.
func loaded(t *testing.T, o Own, model []byte) image.Detector {
	t.Helper()
	onnxtest.Start(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, o.File), model, 0o600); err != nil {
		t.Fatal(err)
	}
	if errs := o.Validate("models.own[0]"); len(errs) > 0 {
		t.Fatal(errs)
	}
	var board models.Board
	s, err := Load(models.NewStore(dir), []Own{o}, false, &board)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if n, _ := board.Of(o.Name); n.State != models.StateLoaded {
		t.Errorf("the board says %+v", n)
	}
	d := s.Detectors()
	if len(d) != 1 {
		t.Fatalf("%d detectors, want the operator's alone", len(d))
	}
	return d[0]
}

func find(t *testing.T, d image.Detector, p *image.Picture) []engines.Signal {
	t.Helper()
	got, err := d.Detect(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i].Confidence = float64(int(got[i].Confidence*1000+.5)) / 1000
	}
	return got
}

var (
	small  = Input{Width: 8, Height: 8}
	weapon = Find{Category: engines.Violence, SubLabel: "weapon", Severity: 2, Threshold: .5}
	symbol = Find{Category: engines.Extremism, Severity: 4, Threshold: .4}
	one    = []float32{1, 0, 0, 0, 1, 0, 0, 0, 1}
)

func TestOwnWhole(t *testing.T) {
	o := Own{
		Name: "colours", File: "m.onnx", Input: small, Labels: []string{"gun", "grass", "sign"},
		Finds: map[string]Find{"gun": weapon, "sign": symbol},
	}
	d := loaded(t, o, means(t, []int{1, 3}, one, []float32{0, 0, 0}))
	got := find(t, d, painted(30, 20, color.RGBA{204, 255, 51, 255}))
	want := []engines.Signal{{Category: engines.Violence, SubLabel: "weapon", Severity: 2, Confidence: .8, Source: engines.SourceModel, Rule: "model/colours/gun"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("signals (-want +got):\n%s", diff)
	}
	if got := find(t, d, painted(30, 20, color.RGBA{0, 0, 0, 255})); len(got) != 0 {
		t.Errorf("of a black picture: %+v", got)
	}
	// The channels the other way round, normalised, and made probabilities.
	o.Input.Colours, o.Input.Mean, o.Input.Std, o.Activation = BGR, []float64{.5, .5, .5}, []float64{.25, .25, .25}, Softmax
	d = loaded(t, o, means(t, []int{1, 3}, one, []float32{0, 0, 0}))
	got = find(t, d, painted(8, 8, color.RGBA{0, 0, 255, 255})) // 2, -2, -2 with blue first
	if len(got) != 1 || got[0].Rule != "model/colours/gun" || got[0].Confidence != .965 {
		t.Errorf("BGR, softmax: %+v", got)
	}
}

// Three boxes: two of a gun that overlap and depend on how red the picture is, one of a
// sign on how blue; x, y, w, h in the input's 8×8 pixels.
var boxes = [][]float32{{4, 2, 4, 2}, {4, 2.2, 4, 2}, {1, 7, 2, 2}}

func TestOwnBoxes(t *testing.T) {
	o := Own{
		Name: "things", File: "m.onnx", Input: small, Boxes: YOLOv8, Labels: []string{"gun", "sign"},
		Finds: map[string]Find{"gun": weapon, "sign": symbol},
	}
	// [1, 6, 3]: the numbers of each kind for the three boxes.
	bias, weights := make([]float32, 18), make([]float32, 3*18)
	for b, box := range boxes {
		for i, v := range box {
			bias[i*3+b] = v
		}
	}
	weights[0*18+4*3+0], weights[0*18+4*3+1], weights[2*18+5*3+2] = 1, .9, 1
	v8 := means(t, []int{1, 6, 3}, weights, bias)
	// [1, 3, 7]: the numbers of one box after another, with a certainty of ½.
	bias5, weights5 := make([]float32, 21), make([]float32, 3*21)
	for b, box := range boxes {
		copy(bias5[b*7:], append(box[:4:4], .5))
	}
	weights5[0*21+5], weights5[0*21+7+5], weights5[2*21+14+6] = 2, 1.8, 2
	v5 := means(t, []int{1, 3, 7}, weights5, bias5)

	want := []engines.Signal{
		{Category: engines.Violence, SubLabel: "weapon", Severity: 2, Confidence: .8, Source: engines.SourceModel, Rule: "model/things/gun", Place: &engines.Place{Box: [4]int{20, 5, 40, 10}}},
		{Category: engines.Extremism, Severity: 4, Confidence: .6, Source: engines.SourceModel, Rule: "model/things/sign", Place: &engines.Place{Box: [4]int{0, 30, 20, 10}}},
	}
	p := painted(80, 40, color.RGBA{204, 0, 153, 255})
	if diff := cmp.Diff(want, find(t, loaded(t, o, v8), p)); diff != "" {
		t.Errorf("yolov8 (-want +got):\n%s", diff)
	}
	o.Boxes = YOLOv5
	if diff := cmp.Diff(want, find(t, loaded(t, o, v5), p)); diff != "" {
		t.Errorf("yolov5 (-want +got):\n%s", diff)
	}
	// Padded, the 80×40 pixels take the middle 8×4 of the input: what was found above
	// the picture is cut to its edge.
	o.Boxes, o.Input.Fit = YOLOv8, Pad
	got := find(t, loaded(t, o, v8), painted(80, 40, color.RGBA{255, 0, 255, 255}))
	if len(got) != 2 || got[0].Place.Box != [4]int{20, 0, 40, 10} {
		t.Errorf("padded: %+v", got)
	}
}

func TestOwnRefuses(t *testing.T) {
	onnxtest.Start(t)
	dir := t.TempDir()
	good := means(t, []int{1, 3}, one, []float32{0, 0, 0})
	for name, model := range map[string][]byte{"good.onnx": good, "text.onnx": []byte("no model")} {
		if err := os.WriteFile(filepath.Join(dir, name), model, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	base := Own{Name: "m", File: "good.onnx", Input: small, Labels: []string{"a", "b", "c"}, Finds: map[string]Find{"a": weapon}}
	for name, c := range map[string]struct {
		change func(*Own)
		want   string
	}{
		"no file":       {func(o *Own) { o.File = "none.onnx" }, "no such file"},
		"no model":      {func(o *Own) { o.File = "text.onnx" }, "read model"},
		"another size":  {func(o *Own) { o.Input.Width = 9 }, "the model takes [-1 3 8 8], not [1 3 8 9]"},
		"another order": {func(o *Own) { o.Input.Layout = NHWC }, "not [1 8 8 3]"},
		"another file":  {func(o *Own) { o.SHA256 = strings.Repeat("ab", 32) }, "its sha256 is"},
	} {
		o := base
		c.change(&o)
		var board models.Board
		s, err := Load(models.NewStore(dir), []Own{o}, false, &board)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want it to say %q", name, err, c.want)
		}
		if n, _ := board.Of("m"); n.State != models.StateFailed || !strings.Contains(n.Reason, c.want) {
			t.Errorf("%s: the board says %+v", name, n)
		}
		_ = s.Close()
	}
	// Labels that are not as many as the scores show at the first picture.
	base.Labels = []string{"a", "b"}
	d := loaded(t, base, good)
	if _, err := d.Detect(context.Background(), painted(8, 8, color.RGBA{}), nil); err == nil || !strings.Contains(err.Error(), "not 2 scores") {
		t.Errorf("two labels for three scores: %v", err)
	}
}

func TestOwnValidate(t *testing.T) {
	o := Own{
		Name: "Bad Name", SHA256: "zz", Input: Input{Width: -1, Height: 5000, Layout: "chw", Colours: "x", Fit: "y", Filter: "z", Scale: -1, Mean: []float64{1}, Std: []float64{0, 1, 1}},
		Boxes: YOLOv5, Overlap: 2, Activation: Softmax, Finds: map[string]Find{"gun": {Category: "weapons", SubLabel: "A", Severity: 9, Threshold: 0}},
	}
	errs := o.Validate("models.own[0]")
	var all strings.Builder
	for _, err := range errs {
		all.WriteString(err.Error() + "\n")
	}
	for _, key := range []string{
		"name", "file", "sha256", "input.width", "input.height", "input.layout", "input.colours", "input.fit", "input.filter", "input.scale", "input.mean", "input.std",
		"overlap", "activation", "labels", "finds.gun.category", "finds.gun.sub_label", "finds.gun.severity", "finds.gun.threshold", `finds: "gun" is not among the labels`,
	} {
		if !strings.Contains(all.String(), "models.own[0]."+key) {
			t.Errorf("nothing is said of %s in\n%s", key, all.String())
		}
	}
}
