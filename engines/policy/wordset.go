package policy

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// customConfidence is that of an operator's own word: what the operator prohibits
// is what the operator means.
const customConfidence = 0.99

// wordSet is the words of all layers of a Set, looked for in one pass.
type wordSet struct {
	matcher engines.WordMatcher
	words   []word
	terms   []string // of words
	// sources are where words come from: layers (by number) and lists.
	sources int
	from    []string        // what the sources are called
	byLayer [][]int32       // the sources of each layer
	lists   []string        // the names of the lists in use, sorted
	of      map[string]List // the lists by name
}

// word is what a found word means.
type word struct {
	source    int32
	exception bool
	expires   int64 // ns of the Unix time, 0 for never
	signal    engines.Signal
}

// wordCompiler gathers words before they are compiled.
type wordCompiler struct {
	*wordSet
	faults Faults
	terms  []engines.Word
	// at is where each word stands, for faults.
	at []string
	// source of each list that was read.
	listed map[string]int32
}

// compileWords makes a matcher of the words of the layers, nil when there are none.
func compileWords(layers []compiledLayer, words Words) (*wordSet, Faults) {
	c := wordCompiler{wordSet: &wordSet{byLayer: make([][]int32, len(layers)), of: words.Lists}, listed: map[string]int32{}}
	for i := range layers {
		l := &layers[i]
		if len(l.settings.Prohibited)+len(l.settings.Exceptions) > 0 {
			c.byLayer[i] = append(c.byLayer[i], c.source(l.id, l.settings.Prohibited, l.settings.Exceptions))
		}
		for k, name := range l.settings.Lists {
			c.list(&c.byLayer[i], name, l.id+"#"+pointerAt("/lists", k), nil)
		}
	}
	if len(c.faults) > 0 || len(c.terms) == 0 {
		return nil, c.faults
	}
	if words.Compile == nil {
		c.faults.add("", "has words, and nothing here can look for them")
		return nil, c.faults
	}
	var err error
	if c.matcher, err = words.Compile(c.terms); err != nil {
		c.blame(err)
		return nil, c.faults
	}
	c.contradictions()
	c.wordSet.terms = make([]string, len(c.terms))
	for i := range c.terms {
		c.wordSet.terms[i] = c.terms[i].Term
	}
	return c.wordSet, c.faults
}

// blame makes faults of what the matcher says of single words.
func (c *wordCompiler) blame(err error) {
	var bad engines.WordFaults
	if !errors.As(err, &bad) {
		c.faults.add("", "words: %v", err)
		return
	}
	for _, f := range bad {
		c.faults.add(c.at[f.Word]+"/term", "%s", f.Reason)
	}
}

// list adds the words of a list and of those that belong to it. Through is how it
// was reached.
func (c *wordCompiler) list(into *[]int32, name, at string, through []string) {
	if slices.Contains(through, name) {
		c.faults.add(at, "goes round in a circle: %s", strings.Join(append(through, name), " -> "))
		return
	}
	l, ok := c.of[name]
	if !ok {
		c.faults.add(at, "%q is no list", name)
		return
	}
	source, known := c.listed[name]
	if !known {
		for _, f := range l.Validate() {
			f.Pointer = "list/" + name + "#" + f.Pointer
			c.faults = append(c.faults, f)
		}
		source = c.source("list/"+name, l.Prohibited, l.Exceptions)
		c.listed[name] = source
		i, _ := slices.BinarySearch(c.lists, name)
		c.lists = slices.Insert(c.lists, i, name)
	}
	if slices.Contains(*into, source) {
		return
	}
	*into = append(*into, source)
	for k, inner := range l.Lists {
		c.list(into, inner, "list/"+name+"#"+pointerAt("/lists", k), append(slices.Clone(through), name))
	}
}

// source adds words that come from one place, and returns its number.
func (c *wordCompiler) source(id string, prohibited []ProhibitedWord, exceptions []ExceptionWord) int32 {
	n := int32(c.sources)
	c.sources++
	c.from = append(c.from, id)
	for i := range prohibited {
		w := &prohibited[i]
		c.add(id+"#"+pointerAt("/prohibited", i), engines.Word{Term: w.Term, Match: w.Match, Language: w.Language}, word{
			source: n, expires: expiry(w.Expires),
			signal: engines.Signal{
				Category: orElse(w.Category, engines.Harassment), SubLabel: w.SubLabel, Severity: orElse(w.Severity, 2),
				Confidence: customConfidence, Source: engines.SourceCustomList, Rule: id + "/" + w.Term,
				Language: w.Language, Action: string(orElse(w.Action, ActionBlock)),
			},
		})
	}
	for i := range exceptions {
		w := &exceptions[i]
		c.add(id+"#"+pointerAt("/exceptions", i), engines.Word{Term: w.Term, Match: w.Match, Language: w.Language}, word{
			source: n, expires: expiry(w.Expires), exception: true,
		})
	}
	return n
}

func (c *wordCompiler) add(at string, term engines.Word, w word) {
	c.at, c.terms, c.words = append(c.at, at), append(c.terms, term), append(c.words, w)
}

func expiry(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// contradictions reports words that one place prohibits and excepts, as the text
// is folded.
func (c *wordCompiler) contradictions() {
	var found []engines.FoundWord
	for i := range c.words {
		if !c.words[i].exception {
			continue
		}
		item := engines.Item{Kind: engines.KindText, Text: c.terms[i].Term, Language: c.terms[i].Language}
		found = c.matcher.Find(&item, found[:0])
		var own engines.Span
		for _, f := range found {
			if f.Word == i {
				own = f.Span
			}
		}
		for _, f := range found {
			if w := &c.words[f.Word]; !w.exception && w.source == c.words[i].source && f.Span == own && !own.Empty() {
				c.faults.add(c.at[i]+"/term", "%q is prohibited too: %s", c.terms[i].Term, c.at[f.Word])
				break
			}
		}
	}
}

// active is the words that count under a stack of layers, nil for none.
func (ws *wordSet) active(stack []int16) *activeWords {
	if ws == nil {
		return nil
	}
	var a *activeWords
	for i, number := range stack {
		for _, source := range ws.byLayer[number-1] {
			if a == nil {
				a = &activeWords{set: ws, rank: make([]int8, ws.sources)}
			}
			a.rank[source] = int8(i + 1) // the most specific layer that has it
		}
	}
	return a
}

// activeWords is a wordSet as far as it counts for an item.
type activeWords struct {
	set  *wordSet
	rank []int8 // by source; 0 where it does not count
}

// Terms are the prohibited words that count, without those that have expired by the
// time of the item.
func (a *activeWords) Terms(item *engines.Item) []string {
	var out []string
	now := item.ReceivedAt.UnixNano()
	for i := range a.set.words {
		w := &a.set.words[i]
		if !w.exception && a.rank[w.source] != 0 && (w.expires == 0 || now < w.expires) {
			out = append(out, a.set.terms[i])
		}
	}
	return out
}

// mostFound keeps one odd message from making its memory part of the pool for good.
const mostFound = 1 << 12

var foundPool = sync.Pool{New: func() any { return new([]engines.FoundWord) }}

// Hits appends where words that count stand.
func (a *activeWords) Hits(item *engines.Item, out []engines.WordHit) []engines.WordHit {
	buf := foundPool.Get().(*[]engines.FoundWord) //nolint:errcheck // the pool holds nothing else
	found := a.set.matcher.Find(item, (*buf)[:0])
	now := int64(0)
	for _, f := range found {
		w := &a.set.words[f.Word]
		if a.rank[w.source] == 0 {
			continue
		}
		if w.expires != 0 {
			if now = cmp.Or(now, item.ReceivedAt.UnixNano()); now >= w.expires {
				continue
			}
		}
		h := engines.WordHit{Span: f.Span, Exception: w.exception, Rank: int(a.rank[w.source]), Signal: w.signal}
		h.Signal.Span = f.Span
		if f.Span.Start < 0 {
			h.Signal.Span.Start = 0
			h.Signal.Rule += engines.OverMessages
		}
		out = append(out, h)
	}
	if cap(found) <= mostFound {
		*buf = found[:0]
		foundPool.Put(buf)
	}
	return out
}
