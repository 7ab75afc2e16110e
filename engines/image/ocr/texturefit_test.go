package ocr

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// TestFitTexture fits textureWeights to pictures that it draws, with long and short lines
// in six languages, over scenes and on plain ground, and says how they do on others. It
// takes minutes, so PORTCULLIS_FIT_TEXTURE=200, pictures of each kind, asks for it.
func TestFitTexture(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("PORTCULLIS_FIT_TEXTURE"))
	if err != nil {
		t.Skip("fits nothing: PORTCULLIS_FIT_TEXTURE says of how many pictures")
	}
	r := loaded(t)
	fitted := fit(drawnLines(t, r, 41_000_000, n))
	t.Logf("weights %.3f", fitted)
	textureWeights = fitted
	lines := drawnLines(t, r, 42_000_000, n/2)
	for _, least := range []float64{0.02, likelyText, 0.1, likelyScript, 0.5} {
		lost, text, kept, fences := 0, 0, 0, 0
		for _, l := range lines {
			if likely := l.texture.text(); l.text != "" {
				text++
				if likely < least {
					lost++
					t.Logf("below %.2f: %q %.1f heights of %.0f px", least, l.text, l.at.width/l.at.height, l.at.height)
				}
			} else {
				fences++
				if likely >= least {
					kept++
				}
			}
		}
		t.Logf("at %.2f lost %d of %d lines, kept %d of %d that are none", least, lost, text, kept, fences)
	}
}

// drawnLines are those found in n pictures of each of four kinds that are surely text, or
// surely none.
func drawnLines(t *testing.T, r *Reader, seed uint64, n int) []foundLine {
	t.Helper()
	var all []foundLine
	for i := range n {
		seed++
		rng := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // the same lines each time
		o := pictures.Options{Langs: pictures.Langs[i%len(pictures.Langs):][:1], MaxAngle: 15}
		long, short := o, o
		long.Lines = 4
		short.MinSize, short.MaxSize = 16, 48
		for range 4 {
			short.Texts = append(short.Texts, fewWords(rng, o.Langs[0]))
		}
		plain, few := long, short
		plain.Plain, few.Plain = true, true
		for _, o := range []pictures.Options{long, short, plain, few} {
			p, err := pictures.Screenshot(seed, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range foundIn(t, r, p) {
				if f.text != "" || f.none {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// fewWords is one or two words of a phrase, or as many letters where words have no spaces
// between them.
func fewWords(rng *rand.Rand, lang pictures.Lang) string {
	phrase := pictures.Phrase(rng, lang)
	if words := strings.Fields(phrase); lang == pictures.English || lang == pictures.Korean || lang == pictures.Vietnamese {
		at := rng.IntN(len(words))
		return strings.Join(words[at:min(len(words), at+1+rng.IntN(2))], " ")
	}
	letters := []rune(strings.ReplaceAll(phrase, " ", ""))
	n := min(len(letters), 2+rng.IntN(4))
	if lang == pictures.Thai { // marks stand over letters
		n = min(len(letters), 6+rng.IntN(6))
	}
	return string(letters[:n])
}

// fit fits the weights of textures; text and what is none weigh the same.
func fit(lines []foundLine) (weights [textureParts + 1]float64) {
	text := 0.0
	for _, l := range lines {
		if l.text != "" {
			text++
		}
	}
	samples := make([]lesson, len(lines))
	for i, l := range lines {
		samples[i] = lesson{l.texture[:], l.text != "", 1 / (float64(len(lines)) - text)}
		if l.text != "" {
			samples[i].share = 1 / text
		}
	}
	copy(weights[:], logistic(samples))
	return weights
}
