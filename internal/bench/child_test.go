package bench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestChildFindsTheModels: a gateway under test has a data folder of its own, and still
// the models that the place of the benchmark has.
func TestChildFindsTheModels(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("PORTCULLIS_MODELS", "")
	ours := []string{"HOME=/somewhere"}
	if got := environment(ours); !slices.Equal(got, ours) {
		t.Errorf("no folder of models: %q, want %q", got, ours)
	}
	dir, err := filepath.Abs(filepath.Join("data", "models"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if got, want := environment(ours), append(ours[:1:1], "PORTCULLIS_MODELS="+dir); !slices.Equal(got, want) {
		t.Errorf("a folder of models: %q, want %q", got, want)
	}
	t.Setenv("PORTCULLIS_MODELS", "/elsewhere")
	if got := environment(ours); !slices.Equal(got, ours) {
		t.Errorf("told where they are: %q, want %q", got, ours)
	}
}
