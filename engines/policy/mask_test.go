package policy

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestIndexFollowsTheCategories(t *testing.T) {
	all := slices.Concat(engines.TextCategories, engines.MediaCategories)
	for i, c := range all {
		if got := index(c); got != i || categoryAt(i) != c {
			t.Errorf("index(%s) = %d, want %d, which is %s", c, got, i, categoryAt(i))
		}
	}
	if got := index("another"); got != otherCategory || len(all) != otherCategory {
		t.Errorf("index(another) = %d of %d categories, want %d", got, len(all), otherCategory)
	}
}

func TestCutoffsFall(t *testing.T) {
	for level := 1; level <= MaxStrictness; level++ {
		c := cutoffs[level]
		if !(0 < c.review && c.review < c.block && c.block <= 1) {
			t.Errorf("level %d: %v is out of order", level, c)
		}
		if level > 1 && !(c.review < cutoffs[level-1].review && c.block < cutoffs[level-1].block) {
			t.Errorf("level %d: %v does not fall from %v", level, c, cutoffs[level-1])
		}
	}
}

func TestMask(t *testing.T) {
	for _, c := range []struct {
		name  string
		text  string
		spans []engines.Span
		want  string
	}{
		{"nothing", "abc", nil, "abc"},
		{"plain", "you bad word", []engines.Span{{Start: 4, End: 7}}, "you *** word"},
		{"whole", "bad", []engines.Span{{Start: 0, End: 3}}, "***"},
		{"overlapping", "abcdef", []engines.Span{{Start: 0, End: 4}, {Start: 1, End: 2}, {Start: 3, End: 5}}, "*****f"},
		{"combining mark", "ba\u0301d x", []engines.Span{{Start: 0, End: 4}}, "*** x"},
		{"mark alone in the span", "ba\u0301d x", []engines.Span{{Start: 2, End: 3}}, "b*d x"},
		{"letter without its mark", "ba\u0301d", []engines.Span{{Start: 0, End: 2}}, "**d"},
		{"stacked marks", "z\u0300\u0301\u0302o", []engines.Span{{Start: 0, End: 1}}, "*o"},
		{"ZWJ family", "a 👨‍👩‍👧 b", []engines.Span{{Start: 3, End: 4}}, "a * b"},
		{"skin tone", "👍🏽!", []engines.Span{{Start: 0, End: 2}}, "*!"},
		{"flags", "🇯🇵🇰🇷🇨🇳", []engines.Span{{Start: 2, End: 4}}, "🇯🇵*🇨🇳"},
		{"half a flag", "🇯🇵🇰🇷", []engines.Span{{Start: 1, End: 2}}, "*🇰🇷"},
		{"keycap", "1\ufe0f\u20e3x", []engines.Span{{Start: 0, End: 1}}, "*x"},
		{"Hangul syllables", "야 바보야", []engines.Span{{Start: 2, End: 4}}, "야 **야"},
		{"Hangul jamo", "\u1107\u1161\u1107\u1169x", []engines.Span{{Start: 0, End: 4}}, "**x"},
		{"CJK", "你是笨蛋吗", []engines.Span{{Start: 2, End: 4}}, "你是**吗"},
		{"Japanese", "このばか者", []engines.Span{{Start: 2, End: 4}}, "この**者"},
		{"voiced mark apart", "は\u3099か", []engines.Span{{Start: 0, End: 2}}, "*か"},
		{"Devanagari", "नमस्ते", []engines.Span{{Start: 0, End: 2}}, "**" + "स्ते"},
		{"dotted capital I", "\u0130dIoT", []engines.Span{{Start: 0, End: 5}}, "*****"},
		{"separators", "b.a.d", []engines.Span{{Start: 0, End: 5}}, "*****"},
		{"line end stays", "ba\r\nd", []engines.Span{{Start: 0, End: 5}}, "**\r\n*"},
		{"zero-width space stays", "b\u200ba", []engines.Span{{Start: 0, End: 3}}, "*\u200b*"},
		{"joiner goes with its letter", "b\u200da", []engines.Span{{Start: 0, End: 3}}, "**"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mask(c.text, c.spans)
			if got != c.want {
				t.Errorf("mask(%q) = %q, want %q", c.text, got, c.want)
			}
			if a, b := uniseg.GraphemeClusterCount(c.text), uniseg.GraphemeClusterCount(got); a != b {
				t.Errorf("mask(%q): %d clusters became %d", c.text, a, b)
			}
		})
	}
}

func FuzzMask(f *testing.F) {
	f.Add("you bad word", 4, 7)
	f.Add("👨‍👩‍👧 🇯🇵 a\u0301\u200b\r\n", 2, 9)
	f.Add("\n\u0301\u0600x", 0, 1)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		if !utf8.ValidString(text) {
			return // an Item's text is valid
		}
		span := engines.Span{Start: start, End: end}
		got := mask(text, tidy([]engines.Span{span}, utf8.RuneCountInString(text)))
		if a, b := uniseg.GraphemeClusterCount(text), uniseg.GraphemeClusterCount(got); a != b {
			t.Errorf("mask(%q, %v) = %q: %d clusters became %d", text, span, got, a, b)
		}
		if again := mask(text, nil); again != text {
			t.Errorf("mask(%q, nil) = %q", text, again)
		}
	})
}

// FuzzDecide holds any signals, in any mode, to what callers rely on.
func FuzzDecide(f *testing.F) {
	f.Add("you bad word", uint8(0), uint8(3), 0.9, 4, 7, 0.3, 0, 3, uint8(5), false)
	f.Add("👨‍👩‍👧", uint8(2), uint8(9), 0.6, -4, 1<<40, 1e300, 3, 1, uint8(0), true)
	f.Fuzz(func(t *testing.T, text string, mode, level uint8, c1 float64, s1, e1 int, c2 float64, s2, e2 int, pick uint8, fault bool) {
		if !utf8.ValidString(text) {
			return
		}
		at := func(i uint8) engines.Category { return engines.TextCategories[int(i)%len(engines.TextCategories)] }
		actions := []Action{ActionBlock, ActionReview, ActionWarn, ActionMask}
		set, err := Compile(Config{
			Mode: engines.Modes[int(mode)%len(engines.Modes)],
			Categories: map[engines.Category]CategoryConfig{
				at(pick): {Action: actions[int(pick>>3)%4]}, at(pick + 1): {Action: actions[int(pick>>5)%4]},
			},
		}, nil, Words{})
		if err != nil {
			t.Fatal(err)
		}
		item := &engines.Item{Text: text, StrictLevel: int(level) % 7, Live: pick&1 == 0}
		var faults []engines.Fault
		if fault {
			faults = []engines.Fault{{Engine: "x", Reason: engines.ReasonLate}}
		}
		v := Decide(item, []engines.Signal{
			{Category: at(pick), Confidence: c1, Span: engines.Span{Start: s1, End: e1}},
			{Category: at(pick + 1), Confidence: c2, Span: engines.Span{Start: s2, End: e2}},
		}, faults, engines.Standing{}, set.Resolve(item, time.Time{}))
		check(t, item, &v, fault)
	})
}

func check(t *testing.T, item *engines.Item, v *engines.Verdict, fault bool) {
	t.Helper()
	n := utf8.RuneCountInString(item.Text)
	for i, h := range v.Hits {
		if h.Start < 0 || h.End > n || h.Empty() {
			t.Errorf("hit %v is outside of %d code points", h, n)
		}
		if i > 0 && (v.Hits[i-1].Start > h.Start || v.Hits[i-1] == h) {
			t.Errorf("hits %v are not sorted without repeats", v.Hits)
		}
	}
	for _, l := range v.Found().Labels {
		if !(l.Confidence >= 0 && l.Confidence <= 1) {
			t.Errorf("confidence %v", l.Confidence)
		}
	}
	if (v.Masked != "") != (v.Action == engines.Mask || v.Action == engines.Hold && v.Masked != "") && item.Text != "" {
		t.Errorf("action %s with masked %q", v.Action, v.Masked)
	}
	if v.Masked != "" && uniseg.GraphemeClusterCount(v.Masked) != uniseg.GraphemeClusterCount(item.Text) {
		t.Errorf("masked %q of %q", v.Masked, item.Text)
	}
	if v.Degraded != fault {
		t.Errorf("degraded = %t, want %t", v.Degraded, fault)
	}
	if !slices.Contains([]engines.Action{engines.Deliver, engines.Hold, engines.Drop, engines.Mask}, v.Action) {
		t.Errorf("action %q", v.Action)
	}
	if v.Mode == engines.MonitorOnly && (v.Suggestion != engines.Pass || v.Action != engines.Deliver || v.Case || v.Warn || v.Masked != "" || len(v.Labels) > 0) {
		t.Errorf("monitor_only acts: %+v", v)
	}
	if v.Action == engines.Drop != (v.Suggestion == engines.Block) {
		t.Errorf("%s is answered by %s", v.Suggestion, v.Action)
	}
}

// TestMaskKeepsClusters mixes the characters whose clusters depend on their neighbours.
func TestMaskKeepsClusters(t *testing.T) {
	alphabet := []rune("a*é\n\r\t \u0301\u20e3\ufe0f\u200b\u200c\u200d\u2028\u00ad\u0600\u06dd\U000110bd👩❤🏽🇯🇵\u1100\u1161\u11a8각क\u094dष\u0903\u0e33ว\u115f\u3164\ufeff\U000e0067\U000e0001\u2065\ufffd")
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 50_000 {
		runes := make([]rune, 1+rnd.IntN(12))
		for i := range runes {
			runes[i] = alphabet[rnd.IntN(len(alphabet))]
		}
		text, start := string(runes), rnd.IntN(len(runes))
		span := engines.Span{Start: start, End: start + 1 + rnd.IntN(len(runes)-start)}
		got := mask(text, []engines.Span{span})
		if a, b := uniseg.GraphemeClusterCount(text), uniseg.GraphemeClusterCount(got); a != b {
			t.Fatalf("mask(%+q, %v) = %+q: %d clusters became %d", text, span, got, a, b)
		}
	}
}
