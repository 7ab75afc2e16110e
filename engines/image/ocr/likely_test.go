package ocr_test

import (
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// A line that does not look like text over its scene, but for some letters, and is read surely is
// not cut to these: it was read as "Inventor".
func TestSureLinesAreNotCut(t *testing.T) {
	p, err := pictures.Screenshot(1510003, pictures.Options{MaxAngle: 15, Langs: []pictures.Lang{pictures.English}, Lines: 4})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := reader(t).ReadText(t.Context(), p.Image)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range p.Lines {
		if want.Text != "Inventory full: drop something to carry Moon Ring" {
			continue
		}
		if !slices.ContainsFunc(lines, func(l engines.TextLine) bool { return l.Text == want.Text }) {
			t.Errorf("%q is not among what was read: %v", want.Text, lines)
		}
		return
	}
	t.Fatal("the picture has another text")
}
