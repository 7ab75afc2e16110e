// Package enginetest holds the suite that every engine passes: what
// engines.Engine promises, tried on ordinary and on odd input.
package enginetest

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

// Run holds the engines that open makes against what engines.Engine promises.
// open may return the same engine each time; it is called once per test.
func Run(t *testing.T, open func() engines.Engine) {
	t.Helper()
	t.Run("nothing in nothing", func(t *testing.T) { nothing(t, open()) })
	t.Run("appends", func(t *testing.T) { appends(t, open()) })
	t.Run("spans", func(t *testing.T) { spans(t, open()) })
	t.Run("same again", func(t *testing.T) { sameAgain(t, open()) })
	t.Run("item unchanged", func(t *testing.T) { unchanged(t, open()) })
	t.Run("ended context", func(t *testing.T) { ended(t, open()) })
	t.Run("concurrent", func(t *testing.T) { concurrent(t, open()) })
}

// Odd returns texts that have broken engines: every kind of code point, broken
// UTF-8, long runs, and text that changes its length when it is folded.
func Odd() []string {
	texts := []string{
		"", " ", "\x00", "\xff\xfe", "a\xc3", "😀", "👨‍👩‍👧", "İİİ", "ß", "ŉǰΐ", "ﷺﷺ", "e\u0301\u0302\u0303", "\u0301", "\u200d", "\ufe0f", "ᄒ", "ᅡ", "ᆫ", "한",
		"\u1112\u1161\u11ab", "が", "\u3099", "ｶﾞ", "𝔘𝔫𝔦", "🇫🇷", "\U000E0041", "\U0010FFFF", "\u2028", "K", "a b c", "1 2 3", "@.", "$1", "+1 2", "....", "f*", "*f", "**",
		strings.Repeat("a", 5000), strings.Repeat("a ", 3000), strings.Repeat("\u0301", 3000), "h" + strings.Repeat("\u0301", 3000), strings.Repeat(" ", 5000) + "@",
		strings.Repeat("x:", 3000), strings.Repeat("ﷺ", 500), strings.Repeat("1", 3000), strings.Repeat("ㅅㅣ", 2000), strings.Repeat("傻1", 2000), strings.Repeat("👍🏽", 1000),
	}
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // not for secrets: the same odd texts every time
	for range 200 {
		var b strings.Builder
		for range rng.IntN(60) {
			switch rng.IntN(4) {
			case 0:
				b.WriteRune(rune(rng.IntN(0x80)))
			case 1:
				b.WriteRune(rune(rng.IntN(0x3400)))
			case 2:
				b.WriteRune(rune(rng.IntN(0x110000)))
			default:
				b.WriteByte(byte(rng.IntN(256)))
			}
		}
		texts = append(texts, b.String())
	}
	return texts
}

func item(text string) *engines.Item {
	return &engines.Item{RequestID: "r", App: "a", Player: "p", Kind: engines.KindText, Text: text, Language: "en", Context: &engines.Context{
		Player: []engines.Line{{Player: "p", Text: "before"}},
	}}
}

func inspect(t *testing.T, e engines.Engine, it *engines.Item) []engines.Signal {
	t.Helper()
	got, err := e.Inspect(t.Context(), it, nil)
	if err != nil {
		t.Fatalf("Inspect(%+q) = %v, want no error", it.Text, err)
	}
	return got
}

func nothing(t *testing.T, e engines.Engine) {
	t.Helper()
	for _, text := range []string{"", " ", "\n\t ", "😀"} {
		if got := inspect(t, e, item(text)); len(got) != 0 {
			t.Errorf("Inspect(%+q) = %+v, want nothing", text, got)
		}
	}
}

func appends(t *testing.T, e engines.Engine) {
	t.Helper()
	first := engines.Signal{Rule: "mine"}
	for _, text := range []string{"", "good morning", "you idiot"} {
		got, err := e.Inspect(t.Context(), item(text), []engines.Signal{first})
		if err != nil || len(got) == 0 || got[0] != first {
			t.Errorf("Inspect(%+q) lost what was there: %+v, %v", text, got, err)
		}
	}
}

func spans(t *testing.T, e engines.Engine) {
	t.Helper()
	for _, text := range Odd() {
		n := utf8.RuneCountInString(text)
		for _, s := range inspect(t, e, item(text)) {
			if s.Span.Start < 0 || s.Span.End > n || s.Span.Start > s.Span.End {
				t.Errorf("Inspect(%+q): span %v outside [0,%d)", text, s.Span, n)
			}
			if s.Confidence < 0 || s.Confidence > 1 || s.Severity < 1 || s.Severity > 4 || s.Category == "" || s.Source == "" {
				t.Errorf("Inspect(%+q): signal not whole: %+v", text, s)
			}
		}
	}
}

func sameAgain(t *testing.T, e engines.Engine) {
	t.Helper()
	for _, text := range append(Odd(), "you idiot", "f.u.c.k") {
		first := inspect(t, e, item(text))
		if diff := cmp.Diff(first, inspect(t, e, item(text))); diff != "" {
			t.Errorf("Inspect(%+q) differs the second time:\n%s", text, diff)
		}
	}
}

func unchanged(t *testing.T, e engines.Engine) {
	t.Helper()
	for _, text := range append(Odd(), "you idiot") {
		it := item(text)
		inspect(t, e, it)
		if diff := cmp.Diff(item(text), it); diff != "" {
			t.Errorf("Inspect(%+q) changed the item:\n%s", text, diff)
		}
	}
}

func ended(t *testing.T, e engines.Engine) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Inspect(ctx, item("you idiot"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Inspect with an ended context = %v, want %v", err, context.Canceled)
	}
}

func concurrent(t *testing.T, e engines.Engine) {
	t.Helper()
	texts := append(Odd(), "you idiot", "k i l l yourself", "good morning")
	want := make([][]engines.Signal, len(texts))
	for i, text := range texts {
		want[i] = inspect(t, e, item(text))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, text := range texts {
				got, err := e.Inspect(t.Context(), item(text), nil)
				if diff := cmp.Diff(want[i], got); diff != "" || err != nil {
					t.Errorf("Inspect(%+q) beside others: %v\n%s", text, err, diff)
				}
			}
		})
	}
	wg.Wait()
}
