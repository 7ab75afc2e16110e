package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestLongReadings: what a veil hides is found wherever it stands in a long message, and
// at the same place as when the reading is looked through whole.
func TestLongReadings(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	around := strings.Repeat("we met at the north gate and went f i s h i n g for an hour. ", 60)
	cut := len(around) / 2
	cut += strings.IndexByte(around[cut:], ' ') + 1
	for _, veiled := range []string{"you f<b>uc</b>king id<i>io</i>t", "&#102;&#117;&#99;&#107; you", "you mother(f)ucker"} {
		short := spans(t, e, veiled)
		if len(short) == 0 {
			t.Fatalf("%q: nothing found", veiled)
		}
		for name, text := range map[string][2]string{
			"first": {"", " " + around + around}, "last": {around + around, ""},
			"middle": {around[:cut] + around, " " + around[cut:]},
		} {
			found := spans(t, e, text[0]+veiled+text[1])
			for _, want := range short {
				want.Start, want.End = want.Start+len(text[0]), want.End+len(text[0])
				if !slices.Contains(found, want) {
					t.Errorf("%q %s: %v not in %v", veiled, name, want, found)
				}
			}
		}
	}
}

// spans are where words of the lists are found.
func spans(t *testing.T, e *Engine, text string) (out []engines.Span) {
	t.Helper()
	found, err := e.Inspect(t.Context(), &engines.Item{Text: text, Language: "en"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.Source == engines.SourceLexicon {
			out = append(out, f.Span)
		}
	}
	return out
}

// TestNarrowed: a long reading is looked through where it differs, with a margin.
func TestNarrowed(t *testing.T) {
	units := make([]unit, 3*narrowFrom)
	for i := range units {
		units[i] = unit{r: 'a', start: int32(i), end: int32(i + 1)}
	}
	r := &readings{units: slices.Clone(units)}
	check := func(want ...place) {
		t.Helper()
		if got := r.narrowed(units); !slices.Equal(got, want) {
			t.Errorf("places %v, want %v", got, want)
		}
	}
	check()
	r.units[5].r, r.units[1000].r = 'b', 'c'
	check(place{0, 5 + margin}, place{1000 - margin, 1000 + margin})
	r.units = slices.Delete(slices.Clone(units), 2000, 2003)
	check(place{2000 - margin, 2000 + margin})
	r.units = units[:len(units)-2]
	check(place{len(r.units) - margin, len(r.units)})
	r.units = slices.Clone(units)
	for i := 0; i < len(units); i += 2*margin + 2 {
		r.units[i].r = 'b'
	}
	if n := len(r.narrowed(units)); n < 2 || n > maxPlaces {
		t.Errorf("%d places", n)
	}
	r.units = units[:narrowFrom-1]
	check(place{0, narrowFrom - 1})
}
