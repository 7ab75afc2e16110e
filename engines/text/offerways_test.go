package text

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func item(text string) *engines.Item { return &engines.Item{Kind: engines.KindText, Text: text} }

// The ways to be reached in a place are those that lie in it at all, in whatever order they were
// found.
func TestReached(t *testing.T) {
	draw := rand.New(rand.NewPCG(11, 12)) //nolint:gosec // the same ways every time
	said := 0
	for range 500 {
		s := newScratch()
		for range draw.IntN(8) {
			from := draw.IntN(60)
			s.links = append(s.links, link{from: from, to: from + 1 + draw.IntN(9), path: from + draw.IntN(9), known: draw.IntN(3) == 0})
		}
		for range draw.IntN(8) {
			from := draw.IntN(60)
			s.private = append(s.private, engines.Span{Start: from, End: from + 1 + draw.IntN(20)})
		}
		low := draw.IntN(60)
		high := low + 1 + draw.IntN(20)
		got, want := evidence{from: 30, to: 31}, evidence{from: 30, to: 31}
		s.reached(&got, low, high)
		for i := range s.links {
			if k := &s.links[i]; k.from < high && k.to > low && (!k.known || isInvite(k)) {
				want.link, want.contact = true, true
				want.span(k.from, k.to)
			}
		}
		for _, p := range s.private {
			if p.Start < high && p.End > low {
				want.contact, want.handle = true, true
				want.span(p.Start, p.End)
			}
		}
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Fatalf("in [%d, %d) of links %+v, private %v: %+v, want %+v", low, high, s.links, s.private, got, want)
		}
		if want.contact {
			said++
		}
		// What is found later counts too.
		s.private = append(s.private, engines.Span{Start: low, End: low + 1})
		s.reached(&got, low, high)
		if !got.handle {
			t.Fatal("what was found since is left out")
		}
	}
	if said < 100 {
		t.Errorf("%d answers tell nothing", said)
	}
}

// Of one word repeated so many are looked around; another kind behind them is looked around still.
func TestLooksAreBounded(t *testing.T) {
	var l looks
	a, b := word{topics: topicDrug}, word{topics: topicWeapon}
	looked := func(w *word, n int) (times int) {
		for range n {
			if !l.enough(w) {
				times++
			}
		}
		return times
	}
	l.begin(3 * mostLooks)
	if got := looked(&a, 2*mostLooks); got != mostLooks {
		t.Errorf("%d of one kind are looked around, want %d", got, mostLooks)
	}
	if got := looked(&b, 5); got != 5 {
		t.Errorf("%d of 5 of another kind", got)
	}
	if l.begin(mostLooks); looked(&a, mostLooks) != mostLooks {
		t.Error("where there are no more, none is passed by")
	}
	padded := strings.Repeat("gold ", 1500) + "selling cocaine, 50 euro a gram, telegram @snow_4417"
	if got := found(look(t, shared(t), padded, "en"), engines.Illegal); len(got) == 0 {
		t.Error("an offer behind 1,500 words of another kind is not found")
	}
}

// A long message that gives a reason for many readings is not read in all of them; a short one is.
func TestFurtherReadingsAreBounded(t *testing.T) {
	e := shared(t)
	read := func(n int) (units, all int) {
		s := newScratch()
		it := item(strings.Repeat("\\u0066ɟɐ5h!t\n", n))
		s.begin(it)
		s.text = it.Text
		if err := e.views(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		return s.alt.more.read, len(s.norm.units)
	}
	if units, all := read(20); units < 3*all {
		t.Errorf("of a short message %d units were read again, it has %d", units, all)
	}
	if units, all := read(900); units >= mostReread+all {
		t.Errorf("of a long message %d units were read again, at most %d and its %d", units, mostReread, all)
	}
}
