package models_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/models"
)

// TestManifest holds every entry, those of other machines too, against what the rest
// relies on.
func TestManifest(t *testing.T) {
	hash := regexp.MustCompile(`^[0-9a-f]{64}$`)
	known := append(slices.Clone(engines.TextCategories), engines.MediaCategories...)
	seen := map[string]bool{}
	for _, m := range models.All() {
		if key := m.ID + m.Platform; m.ID == "" || seen[key] {
			t.Errorf("%q for %q is there twice, or has no id", m.ID, m.Platform)
		} else {
			seen[key] = true
		}
		if m.Name == "" || m.Version == "" || m.Licence == "" || m.Notice == "" || m.Origin == "" || m.Limits == "" || len(m.Files) == 0 {
			t.Errorf("%s does not say everything: %+v", m.ID, m)
		}
		if !hash.MatchString(m.From.SHA256) || m.From.Size <= 0 || m.From.Version != m.Version || (m.From.Registry == models.PyPI) != (m.From.Archive != "") {
			t.Errorf("%s: package %+v", m.ID, m.From)
		}
		for _, f := range m.Files {
			if !hash.MatchString(f.SHA256) || f.Size <= 0 || f.Member == "" || f.Name == "" {
				t.Errorf("%s: file %+v", m.ID, f)
			}
		}
		for _, a := range m.Detects {
			if !slices.Contains(known, a.Category) || a.What == "" {
				t.Errorf("%s: ability %+v", m.ID, a)
			}
		}
	}
	for _, m := range models.Manifest() {
		if models.Find(m.ID) != m {
			t.Errorf("Find(%q) is another", m.ID)
		}
	}
	if models.Find("none") != nil {
		t.Error("Find of nothing found something")
	}
}

func TestStore(t *testing.T) {
	s := models.NewStore(t.TempDir())
	content := []byte("weights")
	sum := sha256.Sum256(content)
	m := &models.Model{ID: "m", Files: []models.File{{Name: "a/m.onnx", SHA256: hex.EncodeToString(sum[:]), Size: int64(len(content))}}}
	f := &m.Files[0]
	if err := s.Look(m); !errors.Is(err, models.ErrMissing) {
		t.Errorf("Look = %v, want ErrMissing", err)
	}
	if err := s.Write(f, []byte("Weights")); err == nil {
		t.Error("other bytes were written")
	}
	if err := s.Write(f, content); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Read(m, "a/m.onnx"); err != nil || !bytes.Equal(b, content) {
		t.Errorf("Read = %q, %v", b, err)
	}
	if _, err := s.Read(m, "b"); err == nil {
		t.Error("a file that is none of the model's was read")
	}
	if err := os.WriteFile(s.Path(f), []byte("weightz"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(m, "a/m.onnx"); !errors.Is(err, models.ErrDamaged) {
		t.Errorf("Read = %v, want ErrDamaged", err)
	}
	if err := s.Verify(m); !errors.Is(err, models.ErrDamaged) {
		t.Errorf("Verify = %v, want ErrDamaged", err)
	}
	if err := s.Look(m); err != nil {
		t.Errorf("Look = %v: it goes by sizes", err)
	}
}

func TestBoard(t *testing.T) {
	var b models.Board
	if _, ok := b.Of("m"); ok {
		t.Error("an empty board knows m")
	}
	b.Failed("m", errors.New("why"))
	if n, _ := b.Of("m"); n != (models.Note{State: models.StateFailed, Reason: "why"}) {
		t.Errorf("Of = %+v", n)
	}
	b.Loaded("m")
	if n, _ := b.Of("m"); n.State != models.StateLoaded || n.Reason != "" {
		t.Errorf("Of = %+v", n)
	}
}
