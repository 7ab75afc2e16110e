package text

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// WordMatcher looks for an operator's words in the views that the engine reads a
// message in: as it stands, and with look-alikes, digits and what was pulled apart
// read as letters. It leaves out what rests on knowing the word for an insult:
// swapped letters, signs in place of letters, texts written backwards. It never
// changes and is safe for concurrent use.
type WordMatcher struct {
	lexicon lexicon
	pool    sync.Pool
}

var _ engines.WordMatcher = (*WordMatcher)(nil)

// CompileWords makes a matcher of words. An error is engines.WordFaults: the words
// of which nothing is left once they are folded.
func CompileWords(words []engines.Word) (*WordMatcher, error) {
	m := &WordMatcher{}
	m.pool.New = func() any { return newScratch() }
	c := compiler{lexicon: lexicon{entries: make([]entry, 0, len(words)), patterns: make([]pattern, 0, len(words)+len(words)/4)}}
	spoken := map[string]*traits{}
	var faults engines.WordFaults
	for i, w := range words {
		p := foldWith(w.Term, symbols(w.Term))
		if p.length() == 0 || len(p.runes) == 1 && p.runes[0] == ' ' {
			faults = append(faults, engines.WordFault{Word: i, Reason: "has no letter, digit or symbol to look for"})
			continue
		}
		shared := spoken[w.Language]
		if shared == nil {
			// Severity 1 keeps a word from being looked for inside others.
			shared = &traits{severity: 1, language: w.Language, tag: lang.Parse(w.Language), inLanguage: w.Language != ""}
			spoken[w.Language] = shared
		}
		p.entry, p.match, p.exact = int32(len(c.entries)), defaultMatch(w.Match, &p), isLanguage(w.Language, "vi")
		// An entry that names its language knows what accents make of a short word there.
		p.plain = w.Language == ""
		c.entries = append(c.entries, entry{traits: shared, rule: w.Term, match: p.match})
		c.patterns = append(c.patterns, p)
		if p.hasSpace() && !p.dense && p.length() >= 8 {
			c.variant(p, strings.ReplaceAll(w.Term, " ", ""), 0)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	c.pack()
	runes := make([][]rune, len(c.patterns))
	for i := range c.patterns {
		runes[i] = c.patterns[i].runes
	}
	c.auto = newAutomaton(runes)
	m.lexicon = c.lexicon
	return m, nil
}

// symbols is the alphabet of the symbols that a term holds: emoji, currencies, arrows.
func symbols(term string) *alphabet {
	if !strings.ContainsFunc(term, unicode.IsSymbol) {
		return everySign
	}
	var a alphabet
	for _, r := range term {
		if unicode.IsSymbol(r) {
			a.add(r)
		}
	}
	return &a
}

// Find appends where the words stand in item.Text, each place of a word once. Time
// is linear in the length of the text but for the places, which are sorted.
func (m *WordMatcher) Find(item *engines.Item, out []engines.FoundWord) []engines.FoundWord {
	s := m.pool.Get().(*scratch) //nolint:errcheck // the pool holds nothing else
	s.begin(item)
	s.text, s.name = item.Text, false
	l := &m.lexicon
	buildPlain(&s.plain, s.norm.units, &l.auto.alphabet)
	s.scan(l, &s.plain, s.plain.whole(), false)
	s.alt.scan(s.norm.units)
	if s.alt.needed {
		s.disguised = true
		for i := range s.evasive {
			v := &s.evasive[i]
			s.alt.build(v, i > 0)
			if !v.altered {
				break
			}
			s.scan(l, v, v.whole(), true)
			if !v.ambiguous {
				break
			}
		}
	}
	out = s.foundWords(l, out)
	if c := item.Context; c != nil && item.Kind == engines.KindText && len(c.Player) > 0 && len(item.Text) <= phraseBytes {
		out = m.overLines(s, item, out)
	}
	if s.keep() {
		m.pool.Put(s)
	}
	return out
}

// overLines appends the words that began in the player's lines before, as the
// built-in lists are looked for over lines; their spans begin below 0.
func (m *WordMatcher) overLines(s *scratch, item *engines.Item, out []engines.FoundWord) []engines.FoundWord {
	l := &m.lexicon
	for _, within := range [...]bool{true, false} {
		lines := begun(item, item.Context.Player, within)
		if len(lines) == 0 {
			continue
		}
		u := asOne(lines, item, within)
		it := *item
		it.Text = u.text
		s.begin(&it)
		buildPlain(&s.plain, s.norm.units, &l.auto.alphabet)
		s.scan(l, &s.plain, s.plain.whole(), false)
		s.hits = slices.DeleteFunc(s.hits, func(h hit) bool { return !u.reaches(h.span) })
		from := len(out)
		out = s.foundWords(l, out)
		for i := from; i < len(out); i++ {
			out[i].Span.Start -= u.own
			out[i].Span.End -= u.own
		}
		if len(out) > from {
			break
		}
	}
	return out
}

// foundWords appends the hits by word; of places of one word that overlap the longest.
func (s *scratch) foundWords(l *lexicon, out []engines.FoundWord) []engines.FoundWord {
	from := len(out)
	for _, h := range s.hits {
		out = append(out, engines.FoundWord{Word: int(l.patterns[h.pattern].entry), Span: h.span})
	}
	found := out[from:]
	if len(found) < 2 {
		return out
	}
	slices.SortFunc(found, func(a, b engines.FoundWord) int {
		return cmp.Or(cmp.Compare(a.Word, b.Word), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End))
	})
	kept := found[:1]
	for _, f := range found[1:] {
		if last := &kept[len(kept)-1]; last.Word != f.Word || last.Span.End <= f.Span.Start {
			kept = append(kept, f)
		}
	}
	return out[:from+len(kept)]
}

// mostKept keeps one odd message from making its memory part of a pool for good.
const mostKept = 1 << 10

var hitPool = sync.Pool{New: func() any { return new([]engines.WordHit) }}

// owned takes the operator's own words into account: what they prohibit is
// appended, and what their exceptions cover is marked.
func (e *Engine) owned(ctx context.Context, item *engines.Item, from int, out []engines.Signal) ([]engines.Signal, error) {
	buf := hitPool.Get().(*[]engines.WordHit) //nolint:errcheck // the pool holds nothing else
	hits := item.Words.Hits(item, (*buf)[:0])
	defer func() {
		if cap(hits) > mostKept {
			return
		}
		clear(hits)
		*buf = hits[:0]
		hitPool.Put(buf)
	}()
	// Exceptions first, by place, so that each signal looks at few of them.
	slices.SortFunc(hits, func(a, b engines.WordHit) int {
		if a.Exception != b.Exception {
			if a.Exception {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	n := 0
	for n < len(hits) && hits[n].Exception {
		n++
	}
	// An exception that began in another message voids none of what stands in this one.
	all, own := newExceptions(hits[:n]), 0
	for own < n && hits[own].Span.Start < 0 {
		own++
	}
	x := newExceptions(hits[own:n])
	var err error
	if own < n {
		for i := range out[from:] {
			s := &out[from+i]
			s.Excepted = s.Source != engines.SourceModel && x.covers(s.Span, 0)
		}
		err = e.unsay(ctx, item, x, out[from:])
	}
	for i := range hits[n:] {
		h := &hits[n+i]
		s := h.Signal
		if s.Excepted = x.covers(h.Span, h.Rank); h.Span.Start < 0 {
			s.Excepted = all.covers(h.Span, h.Rank)
		}
		out = append(out, s)
	}
	return out, err
}

// Reword makes of the signals that an inspection of item gave those that it would give
// under item.Words now: for decisions that are tried under another policy. The words
// of then are taken out, those of now put in; only signals of the model that an
// exception had lowered stay as they were, and words that began in another message,
// which is not known any more, where there is such a word now. It writes to signals.
func (e *Engine) Reword(ctx context.Context, item *engines.Item, signals []engines.Signal) ([]engines.Signal, error) {
	var over []engines.Signal
	signals = slices.DeleteFunc(signals, func(s engines.Signal) bool {
		if s.Action != "" && strings.HasSuffix(s.Rule, engines.OverMessages) {
			over = append(over, s)
		}
		return s.Action != ""
	})
	for i := range signals {
		signals[i].Excepted = false
	}
	if item.Words == nil {
		return signals, nil
	}
	signals, err := e.owned(ctx, item, 0, signals)
	for i := range over {
		signals = stillWord(item, &over[i], signals)
	}
	return signals, err
}

// stillWord appends a signal of a word that began in another message as the entry of
// now has it, where the same place still has the entry. Its rule ends with the term.
func stillWord(item *engines.Item, was *engines.Signal, out []engines.Signal) []engines.Signal {
	rule := strings.TrimSuffix(was.Rule, engines.OverMessages)
	for at, c := range rule {
		if c != '/' {
			continue
		}
		probe := *item
		probe.Text, probe.Context = rule[at+1:], nil
		for _, h := range item.Words.Hits(&probe, nil) {
			if !h.Exception && h.Signal.Rule == rule {
				s := h.Signal
				s.Span, s.Rule, s.Excepted = was.Span, was.Rule, was.Excepted
				return append(out, s)
			}
		}
	}
	return out
}

// exceptions are where exceptions stand, sorted by their starts.
type exceptions struct {
	hits    []engines.WordHit
	longest int
}

func newExceptions(hits []engines.WordHit) exceptions {
	x := exceptions{hits: hits}
	for i := range hits {
		x.longest = max(x.longest, hits[i].Span.End-hits[i].Span.Start)
	}
	return x
}

// covers reports whether an exception of a rank, or of a higher one, voids what was
// found at a place.
func (x *exceptions) covers(place engines.Span, rank int) bool {
	return x.any(place, func(h *engines.WordHit) bool { return h.Rank >= rank && h.Span.Covers(place) })
}

// touches reports whether an exception stands at a place at all, as a part of it too.
func (x *exceptions) touches(place engines.Span) bool {
	return place.Empty() || x.any(place, func(*engines.WordHit) bool { return true })
}

// any reports whether is holds for an exception that overlaps a place.
func (x *exceptions) any(place engines.Span, is func(h *engines.WordHit) bool) bool {
	end, _ := slices.BinarySearchFunc(x.hits, place.End, func(h engines.WordHit, at int) int { return cmp.Compare(h.Span.Start, at) })
	for i := end - 1; i >= 0 && x.hits[i].Span.Start > place.Start-x.longest; i-- {
		if x.hits[i].Span.End > place.Start && is(&x.hits[i]) {
			return true
		}
	}
	return false
}

// unsay asks the model what it makes of the message without the excepted words. It
// has weighed them with all the rest, so its signals can't be told apart by place.
// What it still says stands, no surer than before.
func (e *Engine) unsay(ctx context.Context, item *engines.Item, x exceptions, signals []engines.Signal) error {
	if !slices.ContainsFunc(signals, func(s engines.Signal) bool { return s.Source == engines.SourceModel && x.touches(s.Span) }) {
		return nil
	}
	without := *item
	without.Text, without.Words, without.Context = x.blank(item.Text), nil, nil
	left, err := e.Inspect(ctx, &without, nil)
	if err != nil {
		return err
	}
	for i := range signals {
		s := &signals[i]
		if s.Source != engines.SourceModel {
			continue
		}
		p := 0.0
		for k := range left {
			if left[k].Source == engines.SourceModel && left[k].Category == s.Category {
				p = max(p, left[k].Confidence)
			}
		}
		if p == 0 {
			s.Excepted = true
		}
		if p > 0 {
			s.Confidence = min(s.Confidence, p)
		}
	}
	return nil
}

// blank is the text with a space for each code point of the excepted words.
func (x *exceptions) blank(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	at, next, end := 0, 0, 0 // code points below end are excepted
	for _, r := range text {
		for next < len(x.hits) && x.hits[next].Span.Start <= at {
			end = max(end, x.hits[next].Span.End)
			next++
		}
		if at < end {
			r = ' '
		}
		b.WriteRune(r)
		at++
	}
	return b.String()
}
