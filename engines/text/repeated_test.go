package text

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// A weak word is asked of kinds of words as if it were asked of each word.
func TestWeakWordsByKind(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // the same words every time
	topics := []topic{topicAdvert, topicWare, topicMoney, topicIllegal, topicNegate, topicThird, topicHome, topicWare | topicNegate}
	said := map[bool]int{}
	for range 2000 {
		beside := make([]word, 1+draw.IntN(9))
		for i := range beside {
			from := int32(draw.IntN(12))
			beside[i] = word{topics: topics[draw.IntN(len(topics))], langs: 1 << draw.IntN(3), weak: draw.IntN(3) > 0, from: from, to: from + 1 + int32(draw.IntN(4))}
		}
		slices.SortFunc(beside, func(a, b word) int { return cmp.Compare(a.from, b.from) })
		s := newScratch()
		for i := range beside {
			v, want := &beside[i], false
			for k := range beside {
				o := &beside[k]
				if o != v && o.weak && o.langs&v.langs != 0 && o.topics&(topicAdvert|topicWare|topicMoney|topicIllegal) != 0 && o.topics != v.topics && (o.to <= v.from || v.to <= o.from) {
					want = v.topics&(topicNegate|topicThird) == 0
					break
				}
			}
			if got := s.fits(v, 0, beside); got != want {
				t.Fatalf("word %d of %+v: %v, want %v", i, beside, got, want)
			}
			said[want]++
		}
	}
	if said[true] < 100 || said[false] < 100 {
		t.Errorf("answers %v tell nothing", said)
	}
}

// Hits come in the order of a stable sort by place, length and confidence.
func TestHitsInOrder(t *testing.T) {
	draw := rand.New(rand.NewPCG(9, 10)) //nolint:gosec // the same hits every time
	for range 200 {
		s := newScratch()
		for i := range draw.IntN(150) { // few hits are compared, many put into rows
			start := draw.IntN(6)
			s.hits = append(s.hits, hit{span: engines.Span{Start: start, End: start + 1 + draw.IntN(3)}, pattern: int32(i), confidence: float64(draw.IntN(3))})
		}
		want := slices.Clone(s.hits)
		slices.SortStableFunc(want, func(a, b hit) int {
			return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(b.span.End, a.span.End), cmp.Compare(b.confidence, a.confidence))
		})
		s.sortHits()
		if !slices.Equal(s.hits, want) {
			t.Fatalf("%+v, want %+v", s.hits, want)
		}
	}
}

// Messages said one after the other are longer than any of them, and may hold many insults.
func TestManyHitsOverLines(t *testing.T) {
	list := []string{"language: zh\nentries:"}
	for _, c := range engines.TextCategories {
		list = append(list, "  - {terms: [死吧], category: "+string(c)+", severity: 3, match: substring}")
	}
	now, line := time.UnixMilli(1_000_000), strings.Repeat("死吧", 6)
	it := engines.Item{Kind: engines.KindText, Text: line, Player: "p", ReceivedAt: now, Context: &engines.Context{
		Player: []engines.Line{{Text: line, Player: "p", At: now.Add(-2 * time.Second)}, {Text: line, Player: "p", At: now.Add(-time.Second)}},
	}}
	out, err := custom(t, strings.Join(list, "\n")).Inspect(t.Context(), &it, nil)
	if want := len(engines.TextCategories) * 6; err != nil || len(out) < want {
		t.Errorf("%d signals, want %d and more, %v", len(out), want, err)
	}
}

// What is looked through from a place ends where nothing there can be meant any more: else a
// row of such places costs its square.
func TestRowsAreLookedThroughSoFar(t *testing.T) {
	s := newScratch()
	marks := func(n int) int {
		s.norm.run("a" + strings.Repeat("<b>", n) + "b")
		return markup(s.norm.units, 1)
	}
	if got := marks(mostInRow); got != 3*mostInRow {
		t.Errorf("%d marks in a row take %d units", mostInRow, got)
	}
	if got := marks(mostInRow + 1); got != 0 {
		t.Errorf("%d marks in a row take %d units, want none", mostInRow+1, got)
	}
	s.begin(&engines.Item{Text: "東京市1" + strings.Repeat("-1", 400)})
	if c, _, to := s.japanese3(3, 4); c == 0 || to > 3+longestHouse+2 {
		t.Errorf("an address that ends at %d, sure to %v", to, c)
	}
}
