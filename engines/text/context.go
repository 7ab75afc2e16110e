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
	found := len(out)
	for _, within := range [...]bool{true, false} {
		if before := begun(item, lines, within); len(before) > 0 {
			out = e.joined(item, before, within, out)
		}
		if len(out) > found {
			break
		}
	}
	return out
}

// begun returns the player's last lines with which the item may be one utterance: the
// pieces of a word, or the beginning of a phrase.
func begun(item *engines.Item, lines []engines.Line, within bool) []engines.Line {
	from := len(lines)
	for from > 0 && len(lines)-from < splitLines && joins(&lines[from-1], item) {
		from--
	}
	if !within {
		return lines[max(from, len(lines)-phraseLines):]
	}
	if !piece(item.Text) {
		return nil
	}
	first := len(lines)
	for first > from && piece(lines[first-1].Text) {
		first--
	}
	return lines[first:]
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
	u := asOne(lines, item, within)
	s := e.plainly(item, u.text)
	defer e.pool.Put(s)
	s.resolve(e.lexicon)
	kept := s.hits[:0]
	for _, h := range s.hits {
		if u.reaches(h.span) {
			h.span = engines.Span{Start: 0, End: h.span.End - u.own}
			h.confidence *= splitCost
			kept = append(kept, h)
		}
	}
	s.hits = kept
	from := len(out)
	out = e.signals(s, out)
	for i := from; i < len(out); i++ {
		out[i].Rule += engines.OverMessages
	}
	return out
}

// utterance is lines and an item as one text. Places are in code points.
type utterance struct {
	text   string
	ends   []int // where the lines end
	own    int   // where the item begins
	total  int
	within bool // it is one word in pieces
}

// asOne makes one text of lines and an item: without anything between the pieces of a
// word, else with a space.
func asOne(lines []engines.Line, item *engines.Item, within bool) utterance {
	u := utterance{ends: make([]int, 0, splitLines), within: within}
	var b strings.Builder
	for i := range lines {
		b.WriteString(lines[i].Text)
		u.own += utf8.RuneCountInString(lines[i].Text)
		u.ends = append(u.ends, u.own)
		if !within {
			b.WriteByte(' ')
			u.own++
		}
	}
	b.WriteString(item.Text)
	u.text, u.total = b.String(), u.own+utf8.RuneCountInString(item.Text)
	return u
}

// reaches reports whether a place reaches over a line's end into the item. A word in
// pieces is all of its lines: it begins where one begins and ends where the item does.
// What only happens to meet is no word.
func (u *utterance) reaches(place engines.Span) bool {
	if place.Start >= u.ends[len(u.ends)-1] || place.End <= u.own {
		return false
	}
	return !u.within || place.End == u.total && (place.Start == 0 || slices.Contains(u.ends, place.Start))
}

// plainly looks the words of another text up, as the item's player says it; the
// caller puts the scratch back.
func (e *Engine) plainly(item *engines.Item, text string) *scratch {
	s := e.scratch()
	it := *item
	it.Text = text
	s.begin(&it)
	buildPlain(&s.plain, s.norm.units, &e.lexicon.auto.alphabet)
	s.scan(e.lexicon, &s.plain, s.plain.whole(), false)
	s.weigh(e.lexicon, 0)
	return s
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
		Source: engines.SourceRule, Rule: "rule/repeat" + engines.OverMessages,
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
	out[mild].Rule += engines.OverMessages
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
