package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/classify"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/gateway"
)

func coverage(r gateway.ModelReport, c engines.Category) []string {
	i := slices.IndexFunc(r.Categories, func(k gateway.ModelCoverage) bool { return k.Category == c })
	return r.Categories[i].By
}

func status(r gateway.ModelReport, id string) gateway.ModelStatus {
	i := slices.IndexFunc(r.Models, func(m gateway.ModelStatus) bool { return m.ID == id })
	return r.Models[i]
}

func TestModelsLoaded(t *testing.T) {
	t.Setenv("PORTCULLIS_MODELS", onnxtest.Models(t))
	k := newModelKeeper(modelsConfig{}, t.TempDir(), slog.New(slog.DiscardHandler))
	before := k.Models()
	if s := status(before, models.Nudity); s.State != models.StateUnused || len(coverage(before, engines.Nudity)) != 0 {
		t.Errorf("before anything asked: %+v, detected by %v", s, coverage(before, engines.Nudity))
	}
	nothing := k.loaded()
	if n := len(k.detectors()); n != 1 {
		t.Fatalf("%d detectors", n)
	}
	if k.loaded() == nothing {
		t.Error("what is remembered of pictures is the same with models and without")
	}
	r := k.Models()
	if s := status(r, models.Runtime); s.State != models.StateLoaded || !strings.HasPrefix(r.Runtime, "ONNX Runtime 1.") {
		t.Errorf("runtime %q: %+v", r.Runtime, s)
	}
	if by := coverage(r, engines.Gore); len(by) != 1 || by[0] != models.Safety {
		t.Errorf("gore is detected by %v", by)
	}
	if by := coverage(r, engines.Extremism); len(by) != 0 {
		t.Errorf("extremism is detected by %v", by)
	}
	if err := k.close(); err != nil {
		t.Error(err)
	}
}

// Without a single file the gateway starts, and says of each what is not there.
func TestModelsMissing(t *testing.T) {
	t.Setenv("PORTCULLIS_MODELS", t.TempDir())
	k := newModelKeeper(modelsConfig{}, "", slog.New(slog.DiscardHandler))
	if n := len(k.detectors()); n != 0 {
		t.Errorf("%d detectors of nothing", n)
	}
	r := k.Models()
	if s := status(r, models.Nudity); s.State != models.StateMissing || !strings.Contains(s.Reason, "portcullis models pull") {
		t.Errorf("nudity: %+v", s)
	}
	if c := k.component(); c.State != "absent" || !strings.Contains(c.Detail, models.Nudity) {
		t.Errorf("component: %+v", c)
	}
}

// A library that is not the manifest's is never loaded.
func TestModelsDamagedLibrary(t *testing.T) {
	m := models.Find(models.Runtime)
	if m == nil {
		t.Skip("no library for this machine in the manifest")
	}
	dir := t.TempDir()
	t.Setenv("PORTCULLIS_MODELS", dir)
	path := filepath.Join(dir, filepath.FromSlash(m.Files[0].Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, make([]byte, m.Files[0].Size), 0o600); err != nil {
		t.Fatal(err)
	}
	k := newModelKeeper(modelsConfig{}, "", slog.New(slog.DiscardHandler))
	if err := k.runtime(); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("runtime = %v", err)
	}
}

func TestModelsConfig(t *testing.T) {
	own := classify.Own{
		Name: "mine", File: "m.onnx", Input: classify.Input{Width: 8, Height: 8}, Labels: []string{"gun"},
		Finds: map[string]classify.Find{"gun": {Category: engines.Violence, SubLabel: "weapon", Severity: 2, Threshold: .5}},
	}
	good := modelsConfig{Own: []classify.Own{own}}
	if err := good.validate(); err != nil {
		t.Error(err)
	}
	other := own
	other.Name = models.Nudity
	err := (&modelsConfig{Own: []classify.Own{own, own, other}}).validate()
	for _, want := range []string{`models.own[1].name: "mine" is another model's`, `models.own[2].name: "nsfwjs-mid" is another model's`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("validate = %v, want %s", err, want)
		}
	}
}
