package pictures

import (
	"path/filepath"
	"testing"
)

// TestSeated looks at how high up marks stand: clear of a vowel above, on the letter else,
// and over the ring of a vowel that follows.
func TestSeated(t *testing.T) {
	fonts, err := fontsAt([]string{filepath.Join(fontRoot, "truetype/tlwg/Garuda.ttf")})
	if err != nil {
		t.Fatal(err)
	}
	top := func(text string) float64 {
		o, err := layOut(fonts[0], text, 100, true)
		if err != nil {
			t.Fatal(err)
		}
		return o.ascent
	}
	letter, vowel, tone, both, ring := top("ก"), top("กี"), top("ก่"), top("กี่"), top("ก่ำ")
	if !(letter < tone && letter < vowel && tone < both && vowel < both && tone < ring) {
		t.Errorf("ก reaches up to %.0f, กี %.0f, ก่ %.0f, กี่ %.0f, ก่ำ %.0f", letter, vowel, tone, both, ring)
	}
	if again := top("ก่ก"); again != tone {
		t.Errorf("a letter behind a mark lifts it from %.0f to %.0f", tone, again)
	}
}

func TestFontsAtRefuse(t *testing.T) {
	if _, err := Screenshot(1, Options{Langs: []Lang{Thai}, Texts: []string{"ก"}, Fonts: []string{"no such file"}}); err == nil {
		t.Error("a font that isn't there was taken")
	}
}
