package text

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/enginetest"
)

// FuzzNormalise holds the map back to the text: units are in order, inside it,
// and every view's symbols point at units.
func FuzzNormalise(f *testing.F) {
	for _, text := range enginetest.Odd() {
		f.Add(text)
	}
	known := &shared(f).lexicon.auto.alphabet
	f.Fuzz(func(t *testing.T, text string) {
		n := normaliser{folds: theFolds()}
		n.run(text)
		if got, want := int(n.points), utf8.RuneCountInString(text); got != want {
			t.Fatalf("%d code points, want %d", got, want)
		}
		last := unit{}
		for i, u := range n.units {
			if u.start < last.start || u.end <= u.start || u.end > n.points {
				t.Fatalf("unit %d [%d,%d) after [%d,%d) of %d", i, u.start, u.end, last.start, last.end, n.points)
			}
			if u.start < last.end && u.start != last.start {
				t.Fatalf("unit %d [%d,%d) cuts [%d,%d)", i, u.start, u.end, last.start, last.end)
			}
			last = u
		}
		var v view
		buildPlain(&v, n.units, known)
		checkView(t, &v, len(n.units))
		var b altBuilder
		b.scan(n.units)
		for _, second := range []bool{false, true} {
			b.build(&v, second)
			checkView(t, &v, len(n.units))
		}
	})
}

func checkView(t *testing.T, v *view, units int) {
	t.Helper()
	end := int32(-1)
	for i, s := range v.syms {
		if s.first < 0 || s.last < s.first || int(s.last) >= units || s.first < end || s.count == 0 {
			t.Fatalf("symbol %d covers units %d to %d of %d after %d", i, s.first, s.last, units, end)
		}
		end = s.last
	}
}

// FuzzInspect holds signals against the text, whatever it is.
func FuzzInspect(f *testing.F) {
	for _, text := range append(enginetest.Odd(), "k i l l yourself 😀 you 1d10t", "aabbcc", "f*ck, sh!t, 傻1逼, ㅂ신, $5 100 gold, a@b.cd, +1 (415) 555-2671, discord.gg/x") {
		f.Add(text, "en")
	}
	e := shared(f)
	f.Fuzz(func(t *testing.T, text, language string) {
		for _, kind := range []engines.Kind{engines.KindText, engines.KindName} {
			got, err := e.Inspect(t.Context(), &engines.Item{Kind: kind, Text: text, Language: language}, nil)
			if err != nil {
				t.Fatal(err)
			}
			n := utf8.RuneCountInString(text)
			for _, s := range got {
				if s.Span.Start < 0 || s.Span.End > n || s.Span.Empty() {
					t.Fatalf("%+v outside [0,%d)", s, n)
				}
				if s.Confidence <= 0 || s.Confidence > 1 || !slices.Contains(engines.TextCategories, s.Category) {
					t.Fatalf("signal not whole: %+v", s)
				}
			}
		}
	})
}
