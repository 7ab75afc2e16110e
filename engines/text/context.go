package text

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// How far apart lines are one utterance, and how long pieces of it may be (bytes).
const (
	splitWithin  = 20 * time.Second
	splitLines   = 6 // of pieces of a word
	phraseLines  = 2 // of parts of a phrase
	pieceBytes   = 12
	phraseBytes  = 36
	splitCost    = 0.93
	repeatWithin = 40 * time.Second
)

// inContext appends what the message says together with the lines before it: a
// word or a phrase in pieces, the same line again and again, one player hounded.
func (e *Engine) inContext(s *scratch, item *engines.Item, found int, out []engines.Signal) []engines.Signal {
	c := item.Context
	if c == nil || item.Kind != engines.KindText || len(c.Player) == 0 {
		return out
	}
	if len(item.Text) <= phraseBytes {
		out = e.split(item, c.Player, out)
	}
	out = s.repeated(item, c.Player, out)
	return e.hounded(item, c.Player, found, out)
}

// split looks for words and phrases that began in the player's lines before. A
// word in pieces has nothing but pieces in its lines; a phrase is read with a
// space where a line ended.
func (e *Engine) split(item *engines.Item, lines []engines.Line, out []engines.Signal) []engines.Signal {
	from := len(lines)
	for from > 0 && len(lines)-from < splitLines && joins(&lines[from-1], item) {
		from--
	}
	if from == len(lines) {
		return out
	}
	for _, within := range [...]bool{true, false} {
		first := max(from, len(lines)-phraseLines)
		if within {
			if !piece(item.Text) {
				continue
			}
			for first = len(lines); first > from && piece(lines[first-1].Text); {
				first--
			}
			if first == len(lines) {
				continue
			}
		}
		found := len(out)
		if out = e.joined(item, lines[first:], within, out); len(out) > found {
			break
		}
	}
	return out
}

// joins reports whether an earlier line and the item can be one utterance.
func joins(l *engines.Line, item *engines.Item) bool {
	return len(l.Text) <= phraseBytes && l.Player == item.Player && item.ReceivedAt.Sub(l.At) <= splitWithin
}

// piece reports whether a line may be a part of a word: short, without a space.
func piece(text string) bool {
	return len(text) <= pieceBytes && !strings.ContainsAny(text, " \t\n")
}

// joined scans lines and item as one text and keeps what reaches over a line's end
// into the item.
func (e *Engine) joined(item *engines.Item, lines []engines.Line, within bool, out []engines.Signal) []engines.Signal {
	var b strings.Builder
	ends := make([]int, 0, splitLines) // code points where lines end
	points := 0
	for i := range lines {
		b.WriteString(lines[i].Text)
		points += utf8.RuneCountInString(lines[i].Text)
		ends = append(ends, points)
		if !within {
			b.WriteByte(' ')
			points++
		}
	}
	b.WriteString(item.Text)
	s := e.plainly(item, b.String())
	defer e.pool.Put(s)
	s.resolve(e.lexicon)
	total := points + utf8.RuneCountInString(item.Text)
	kept := s.hits[:0]
	for _, h := range s.hits {
		if h.span.Start < ends[len(ends)-1] && h.span.End > points && (!within || whole(h.span, ends, total)) {
			h.span = engines.Span{Start: 0, End: h.span.End - points}
			h.confidence *= splitCost
			kept = append(kept, h)
		}
	}
	s.hits = kept
	from := len(out)
	out = e.signals(s, out)
	for i := from; i < len(out); i++ {
		out[i].Rule += "+context"
	}
	return out
}

// plainly looks the words of another text up, as the item's player says it; the
// caller puts the scratch back.
func (e *Engine) plainly(item *engines.Item, text string) *scratch {
	s := e.scratch()
	it := *item
	it.Text = text
	s.begin(&it)
	buildPlain(&s.plain, s.norm.units, &e.lexicon.auto.alphabet)
	s.scan(e.lexicon, &s.plain, false)
	s.weigh(e.lexicon, 0)
	return s
}

// whole reports whether a word in pieces is all of its lines: it begins where one
// begins and ends where the item does. What only happens to meet is no word.
func whole(span engines.Span, ends []int, total int) bool {
	return span.End == total && (span.Start == 0 || slices.Contains(ends, span.Start))
}

// repeated finds the same line said again and again.
func (s *scratch) repeated(item *engines.Item, lines []engines.Line, out []engines.Signal) []engines.Signal {
	same := 0
	for i := range lines {
		if item.ReceivedAt.Sub(lines[i].At) <= repeatWithin && strings.EqualFold(lines[i].Text, item.Text) {
			same++
		}
	}
	// A short line is said often in good faith: gg, yes, go.
	long := len(s.norm.units) >= 16
	if same < 2 || same < 4 && !long {
		return out
	}
	if len(s.norm.units) < 3 {
		return out
	}
	return append(out, engines.Signal{
		Category: engines.Spam, SubLabel: "flood", Severity: 1, Confidence: min(0.5+0.05*float64(same), 0.7),
		Source: engines.SourceRule, Rule: "rule/repeat+context",
	})
}

// hounded raises mild insults that go on: the third at one player, or in a row, is
// no slip of the tongue. found is where the item's own signals begin in out.
func (e *Engine) hounded(item *engines.Item, lines []engines.Line, found int, out []engines.Signal) []engines.Signal {
	mild := -1
	for i := found; i < len(out); i++ {
		if c := out[i].Confidence; out[i].Category == engines.Harassment && c >= 0.35 && c < 0.6 {
			mild = i
		}
	}
	if mild < 0 {
		return out
	}
	before := 0
	for i := range lines {
		if item.ReceivedAt.Sub(lines[i].At) <= repeatWithin && e.insults(item, lines[i].Text) {
			before++
		}
	}
	if before < 2 {
		return out
	}
	out[mild].Confidence += 0.15
	out[mild].Rule += "+context"
	return out
}

// insults reports whether a line holds an insult, however mild.
func (e *Engine) insults(item *engines.Item, text string) bool {
	s := e.plainly(item, text)
	defer e.pool.Put(s)
	for _, h := range s.hits {
		if e.lexicon.entries[e.lexicon.patterns[h.pattern].entry].category == engines.Harassment && h.confidence >= 0.35 {
			return true
		}
	}
	return false
}
