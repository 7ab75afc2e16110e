package text

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

func words(tb testing.TB, words ...engines.Word) *WordMatcher {
	tb.Helper()
	m, err := CompileWords(words)
	if err != nil {
		tb.Fatalf("CompileWords: %v", err)
	}
	return m
}

// TestWordMatcher looks for one word in one text: what operators report of lists
// that fold only one of the two.
func TestWordMatcher(t *testing.T) {
	for _, c := range []struct {
		term, match, text string
		want              []string // the text at each place
	}{
		// words
		{"star", "word", "stars are out", nil},
		{"star", "word", "a STAR, a star.", []string{"STAR", "star"}},
		{"star", "", "starboard and costar", nil},
		{"star", "prefix", "starboard and costar", []string{"star"}},
		{"star", "substring", "starboard and costar", []string{"star", "star"}},
		{"sex", "substring", "meet at Middlesex station", []string{"sex"}},
		// repeats: of the entry, of the text, of neither
		{"666", "", "room 666 is haunted", []string{"666"}},
		{"666", "", "room 66 is not, nor 6666", nil},
		{"hello", "", "helllllo there", []string{"helllllo"}},
		{"hell", "", "the heel of my boot", nil},
		{"hell", "", "hell, HEELL", []string{"hell"}},
		{"book", "", "the bok choy", nil},
		{"aaa", "", "aaaa", []string{"aaaa"}},
		// case, accents, forms, look-alikes, pulled apart
		{"Café Noir", "", "at the CAFE NOIR!", []string{"CAFE NOIR"}},
		{"golden", "", "ＧＯＬＤＥＮ", []string{"ＧＯＬＤＥＮ"}},
		{"golden", "", "g.o.l.d.e.n eggs", []string{"g.o.l.d.e.n"}},
		{"golden", "", "g o l d e n eggs", []string{"g o l d e n"}},
		{"golden", "", "g0lden", []string{"g0lden"}},
		{"golden", "", "gоldеn", []string{"gоldеn"}}, // Cyrillic o and e
		{"golden", "", "go\u200blden", []string{"go\u200blden"}},
		// accents, in short words too; those of Greek are stress
		{"cafe", "", "naïve Café", []string{"Café"}},
		{"café", "", "Ｃａｆｅ", []string{"Ｃａｆｅ"}},
		{"puta", "", "la pùta", []string{"pùta"}},
		{"γάτα", "", "ΓΑΤΑ, γατά", []string{"ΓΑΤΑ", "γατά"}},
		{"елка", "", "Ёлка", []string{"Ёлка"}},
		// phrases
		{"free coins", "phrase", "get FREE   coins now", []string{"FREE   coins"}},
		{"free coins", "", "freecoins", []string{"freecoins"}},
		{"free coins", "", "free the coins", nil},
		// scripts without spaces, Korean
		{"文化", "", "学习文化知识", []string{"文化"}},
		{"核", "substring", "核兵器の作り方", []string{"核"}},
		{"바보", "", "야 바보야", []string{"바보"}},
		{"ばか", "", "バカ野郎", []string{"バカ"}},
		// symbols
		{"💩", "", "what a 💩 day", []string{"💩"}},
		{"₿", "", "pay in ₿ only", []string{"₿"}},
		{"c++", "", "i like c++ a lot", []string{"c++"}},
		{"ass", "", "assets and classes, cockpit and grapes", nil},
	} {
		m := words(t, engines.Word{Term: c.term, Match: c.match})
		var got []string
		runes := []rune(c.text)
		for _, f := range m.Find(&engines.Item{Kind: engines.KindText, Text: c.text}, nil) {
			got = append(got, string(runes[f.Span.Start:f.Span.End]))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q (%s) in %q = %q, want %q", c.term, c.match, c.text, got, c.want)
		}
	}
}

func TestWordMatcherFindsEveryWord(t *testing.T) {
	m := words(t, engines.Word{Term: "文化"}, engines.Word{Term: "文化大革命"}, engines.Word{Term: "化"}, engines.Word{Term: "文化"})
	got := m.Find(&engines.Item{Kind: engines.KindText, Text: "文化大革命", Language: "zh"}, nil)
	slices.SortFunc(got, func(a, b engines.FoundWord) int { return a.Word - b.Word })
	want := []engines.FoundWord{{Word: 0, Span: engines.Span{End: 2}}, {Word: 1, Span: engines.Span{End: 5}}, {Word: 2, Span: engines.Span{Start: 1, End: 2}}, {Word: 3, Span: engines.Span{End: 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Find (-want +got):\n%s", diff)
	}
}

func TestWordOfALanguage(t *testing.T) {
	// What accents make of a short word is known to an entry that names its language.
	for term, texts := range map[string][2]string{"ano": {"el ano de este tipo", "feliz año a todos"}, "pico": {"te comes un pico", "se picó con la aguja"}} {
		m := words(t, engines.Word{Term: term, Language: "es"})
		for i, text := range texts {
			if got := m.Find(&engines.Item{Kind: engines.KindText, Text: text, Language: "es"}, nil); len(got) != 1-i {
				t.Errorf("%q in %q: %v", term, text, got)
			}
		}
	}
	m := words(t, engines.Word{Term: "gift", Language: "de"})
	for text, want := range map[string]int{
		"das ist doch reines Gift, trink das bitte nicht":      1,
		"thank you all for the lovely gift that you have sent": 0,
	} {
		if got := m.Find(&engines.Item{Kind: engines.KindText, Text: text}, nil); len(got) != want {
			t.Errorf("%q: %v, want %d places", text, got, want)
		}
	}
}

func TestWordsOfNothing(t *testing.T) {
	_, err := CompileWords([]engines.Word{{Term: "fine"}, {Term: "..."}, {Term: "\u200b"}, {Term: " - "}})
	var bad engines.WordFaults
	if !errors.As(err, &bad) || len(bad) != 3 || bad[0].Word != 1 || bad[2].Word != 3 {
		t.Errorf("CompileWords = %v, want the last three to be at fault", err)
	}
}

// operators are an operator's words, all of one rank.
type operators struct {
	m      engines.WordMatcher
	except int // words from this one are exceptions
}

func (o operators) Hits(item *engines.Item, out []engines.WordHit) []engines.WordHit {
	for _, f := range o.m.Find(item, nil) {
		out = append(out, engines.WordHit{
			Span: f.Span, Exception: f.Word >= o.except, Rank: 1,
			Signal: engines.Signal{Category: engines.Harassment, Confidence: 0.99, Source: engines.SourceCustomList, Span: f.Span, Action: "block"},
		})
	}
	return out
}

// TestExceptions holds what exceptions cover against what the engine found.
func TestExceptions(t *testing.T) {
	e, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		prohibited, exceptions []engines.Word
		text                   string
		want                   []string // the places that count, of the operator's words and lexicons
	}{
		{[]engines.Word{{Term: "sex", Match: "substring"}}, []engines.Word{{Term: "middlesex", Match: "substring"}}, "meet at Middlesex station", nil},
		{
			[]engines.Word{{Term: "核", Match: "substring"}},
			[]engines.Word{{Term: "核家族", Match: "substring"}, {Term: "中核", Match: "substring"}},
			"核家族は英語で何？ その核は何ですか",
			[]string{"核"},
		},
		// An exception that is only a part of a hit does not void it.
		{nil, []engines.Word{{Term: "ass"}}, "you asshole", []string{"asshole"}},
		// It voids what it is, there and nowhere else.
		{nil, []engines.Word{{Term: "bastard sword"}}, "my bastard sword broke", nil},
		{nil, []engines.Word{{Term: "bastard sword"}}, "my bastard sword broke, you bastard", []string{"bastard"}},
	} {
		item := &engines.Item{Kind: engines.KindText, Text: c.text}
		item.Words = operators{words(t, slices.Concat(c.prohibited, c.exceptions)...), len(c.prohibited)}
		signals, err := e.Inspect(t.Context(), item, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		runes := []rune(c.text)
		for _, s := range signals {
			if !s.Excepted && (s.Source == engines.SourceLexicon || s.Source == engines.SourceCustomList) {
				got = append(got, string(runes[s.Span.Start:s.Span.End]))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q count, want %q (all: %v)", c.text, got, c.want, signals)
		}
	}
}

// TestExceptionsAndTheModel: what the model says of a message rests on the rest of
// it once a word is excepted.
func TestExceptionsAndTheModel(t *testing.T) {
	e, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	most := func(text string, except ...engines.Word) float64 {
		item := &engines.Item{Kind: engines.KindText, Text: text}
		if len(except) > 0 {
			item.Words = operators{words(t, except...), 0}
		}
		signals, err := e.Inspect(t.Context(), item, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := 0.0
		for _, s := range signals {
			if !s.Excepted {
				p = max(p, s.Confidence)
			}
		}
		return p
	}
	word := engines.Word{Term: "bitch"}
	if with, without := most("the bitch had six puppies"), most("the bitch had six puppies", word); without >= 0.5 || with <= without {
		t.Errorf("confidence %.2f, with the exception %.2f: want less than half", with, without)
	}
	if p := most("bitch, i will kill you and your family", word); p < 0.55 {
		t.Errorf("confidence %.2f: the exception must not switch the check of the rest off", p)
	}
}

// TestReword: trying other words on stored signals gives what inspecting anew does.
func TestReword(t *testing.T) {
	e, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	const said = "my bastard sword broke, you stupid zorblax"
	then := operators{words(t, engines.Word{Term: "sword"}, engines.Word{Term: "zorblax"}), 1}
	now := operators{words(t, engines.Word{Term: "zorblax"}, engines.Word{Term: "bastard sword"}), 1}
	inspect := func(w engines.Words) []engines.Signal {
		signals, err := e.Inspect(t.Context(), &engines.Item{Kind: engines.KindText, Text: said, Words: w}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return signals
	}
	for name, w := range map[string]engines.Words{"other words": now, "no words": nil} {
		got, err := e.Reword(t.Context(), &engines.Item{Kind: engines.KindText, Text: said, Words: w}, inspect(then))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(inspect(w), got); diff != "" {
			t.Errorf("%s (-inspected +reworded):\n%s", name, diff)
		}
	}
}

// FuzzWordMatcher holds what is found against the text.
func FuzzWordMatcher(f *testing.F) {
	f.Add("hello", "helllo wörld", uint8(0))
	f.Add("核", "中核と核", uint8(1))
	f.Add("a b", "a  b.a b", uint8(3))
	f.Fuzz(func(t *testing.T, term, text string, kind uint8) {
		text = strings.ToValidUTF8(text, "?")
		m, err := CompileWords([]engines.Word{{Term: strings.ToValidUTF8(term, "?"), Match: []string{"", "word", "substring", "prefix", "phrase"}[kind%5]}})
		if err != nil {
			return
		}
		n := len([]rune(text))
		for _, found := range m.Find(&engines.Item{Kind: engines.KindText, Text: text}, nil) {
			if s := found.Span; found.Word != 0 || s.Start < 0 || s.End > n || s.Empty() {
				t.Fatalf("%q in %q: found %+v in %d code points", term, text, found, n)
			}
		}
	})
}

func manyWords(n int) []engines.Word {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([]engines.Word, n)
	for i := range out {
		var b strings.Builder
		for range 4 + rng.IntN(7) {
			b.WriteByte(byte('a' + rng.IntN(26)))
		}
		out[i].Term = b.String()
	}
	return out
}

func BenchmarkWordMatcher(b *testing.B) {
	texts := []string{"anyone up for a quick match before dinner?", "gg wp everyone, that last fight was close", "今日のレイドは何時からですか？"}
	for _, n := range []int{100, 10_000} {
		m := words(b, manyWords(n)...)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			var out []engines.FoundWord
			for i := 0; b.Loop(); i++ {
				out = m.Find(&engines.Item{Kind: engines.KindText, Text: texts[i%len(texts)]}, out[:0])
			}
		})
	}
}

func BenchmarkCompileWords(b *testing.B) {
	all := manyWords(10_000)
	for b.Loop() {
		words(b, all...)
	}
}
