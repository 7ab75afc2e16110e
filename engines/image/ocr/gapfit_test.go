package ocr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// TestFitGaps fits gapWeights and customs to the sentences in the file that
// PORTCULLIS_FIT_GAPS names, one a line: three of four say how often signs have spaces beside
// them, the others are drawn and read. It says how it does on those that it wasn't fitted to,
// and writes customs.txt.
func TestFitGaps(t *testing.T) {
	name := os.Getenv("PORTCULLIS_FIT_GAPS")
	if name == "" {
		t.Skip("fits nothing: PORTCULLIS_FIT_GAPS names no file of sentences")
	}
	data, err := os.ReadFile(name) //nolint:gosec // named by whoever runs it
	if err != nil {
		t.Fatal(err)
	}
	var told, drawn []string
	for i, s := range strings.Split(string(data), "\n") {
		s = strings.Join(strings.Fields(s), " ")
		if i%4 != 0 {
			told = append(told, s)
		} else if n := utf8.RuneCountInString(s); n >= 4 && n <= 22 && strings.Contains(s, " ") {
			drawn = append(drawn, s)
		}
	}
	customsText = countCustoms(told)
	r := loaded(t)
	if err := os.WriteFile("customs.txt", []byte(customsText), 0o600); err != nil {
		t.Fatal(err)
	}
	half := len(drawn) / 2
	learned := drawnGaps(t, r, 43_000_000, drawn[:half], 150)
	copy(gapWeights[:], logistic(learned))
	t.Logf("%d gaps, weights %.3f", len(learned), gapWeights)
	wrong, without, spaces := 0, 0, 0
	others := drawnGaps(t, r, 44_000_000, drawn[half:], 50)
	for _, s := range others {
		if (gap(s.parts).space() > 0.5) != s.is {
			wrong++
		}
		if s.is {
			spaces++
		}
	}
	for i := 5; i < gapParts; i++ { // what is not seen but known
		for _, s := range learned {
			s.parts[i] = 0
		}
	}
	weights := logistic(learned)
	for _, s := range others {
		sum := weights[gapParts]
		for i := range 5 {
			sum += weights[i] * s.parts[i]
		}
		if (sum > 0) != s.is {
			without++
		}
	}
	t.Logf("of %d gaps, %d of them spaces, wrong are %d; by what is seen alone %d", len(others), spaces, wrong, without)
}

// drawnGaps are those in lines that are read right in n pictures of four texts each.
func drawnGaps(t *testing.T, r *Reader, seed uint64, texts []string, n int) (all []lesson) {
	t.Helper()
	h, ok := r.scripts[Korean].(*hangul)
	if !ok {
		t.Fatal("no reader of Korean")
	}
	rng := rand.New(rand.NewPCG(seed, 9)) //nolint:gosec // the same lines each time
	for range n {
		seed++
		o := pictures.Options{Langs: []pictures.Lang{pictures.Korean}, MaxAngle: 15}
		for range 4 {
			o.Texts = append(o.Texts, texts[rng.IntN(len(texts))])
		}
		p, err := pictures.Screenshot(seed, o)
		if err != nil {
			t.Fatal(err)
		}
		b := toBitmap(p.Image)
		lines, err := r.lines(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			at := l.at
			at.height *= tight
			got, err := h.rec.read(b, at)
			if err != nil {
				t.Fatal(err)
			}
			for i, g := range gapsOf(got, l.reading) {
				if space, known := spaceAt(got, i, o.Texts); known {
					all = append(all, lesson{g[:], space, 1e-3})
				}
			}
		}
	}
	return all
}

// spaceAt says whether a space stands behind sign i of r, which is one of texts, or not known
// as r was misread there.
func spaceAt(r reading, i int, texts []string) (space, known bool) {
	letters := func(s string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsLetter(c) || unicode.IsDigit(c) {
				return c
			}
			return -1
		}, s)
	}
	own := letters(r.text)
	at := slices.IndexFunc(texts, func(s string) bool { return letters(s) == own })
	if at < 0 || letters(r.marks[i].sign) == "" || letters(r.marks[i+1].sign) == "" {
		return false, false
	}
	before := 0
	for _, m := range r.marks[:i+1] {
		before += len([]rune(letters(m.sign)))
	}
	for _, c := range texts[at] { // what stands between two letters
		if letters(string(c)) != "" {
			if before == 0 {
				return space, true
			}
			before--
		} else if before == 0 && unicode.IsSpace(c) {
			space = true
		}
	}
	return space, true
}

// countCustoms gives customs.txt of sentences.
func countCustoms(sentences []string) string {
	type count struct{ after, before, all float64 }
	counts := map[rune]*count{}
	var sum count
	for _, s := range sentences {
		last := rune(0)
		for word := range strings.FieldsSeq(s) {
			for i, c := range []rune(word) {
				kind := kindOf(string(c))
				if counts[kind] == nil {
					counts[kind] = &count{}
				}
				counts[kind].all++
				sum.all++
				if i == 0 && last != 0 {
					counts[kind].before++
					counts[last].after++
					sum.after++
				}
				last = kind
			}
		}
	}
	odds := func(n, all float64) int {
		const few = 3 // as if each had been seen so often, as usual
		usual := sum.after / sum.all
		p := (n + few*usual) / (all + few)
		return int(math.Round(10 * (math.Log(p/(1-p)) - math.Log(usual/(1-usual)))))
	}
	var kinds []rune
	for kind, c := range counts {
		if c.all >= 20 && kind != ' ' {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	var out strings.Builder
	for _, kind := range kinds {
		c := counts[kind]
		fmt.Fprintf(&out, "%c %d %d\n", kind, odds(c.after, c.all), odds(c.before, c.all))
	}
	return out.String()
}
