package text

import (
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestSignsAreReadForTheirLetters(t *testing.T) {
	n := newScratch().norm
	for sign, want := range map[string]string{
		"⒜": "a", "🄐": "a", "⑽": "10", "⑺": "7", "⒈": "1", "⒛": "20", "🄁": "0", "㈱": "株", "㈎": "가",
		"½": "/", "⅒": "/", "ﬃ": "ffi", "㎏": "kg", "…": "...", "ﷲ": "الله", "①": "1", "№": "no",
		"㏂": "㏂", "㌓": "㌓", "ﷺ": "ﷺ", "㍮": "㍮", "℆": "℆", "⩴": "⩴",
	} {
		n.run(sign)
		var got strings.Builder
		for i := range n.units {
			got.WriteRune(n.units[i].r)
		}
		if got.String() != want {
			t.Errorf("%s is read %q, want %q", sign, got.String(), want)
		}
	}
}

// What one long text needed is there for the next: allocating it anew took a third of the time.
func TestLongTextLeavesItsMemory(t *testing.T) {
	e := shared(t)
	for name, unit := range longUnits {
		s := newScratch()
		item := &engines.Item{Kind: engines.KindText, Text: strings.Repeat(unit, 10000/len([]rune(unit)))}
		out, err := e.find(t.Context(), s, item, nil)
		if err != nil {
			t.Fatal(err)
		}
		e.judge(t.Context(), s, item, out, 0)
		if !s.keep() {
			t.Errorf("%s: the memory of %d units, %d hits is thrown away", name, cap(s.norm.units), cap(s.hits))
		}
		if len(s.norm.units) > longestFold*10000 {
			t.Errorf("%s: %d units", name, len(s.norm.units))
		}
	}
}
