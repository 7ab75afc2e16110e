package text

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// lexicon is every list, compiled: what an Engine looks words up in.
type lexicon struct {
	auto     *automaton
	patterns []pattern
	entries  []entry
	masks    maskIndex
	vocab    []vocabWord
	framed   []frameWord
	tongues  []tongue
}

// compiler gathers the patterns of lists.
type compiler struct {
	lexicon
	contexts map[string]int32
	seen     map[uint64]struct{} // terms by their hash
}

// compile builds the lexicon of the lists.
func compile(lists []*list) *lexicon {
	terms := 0
	for _, l := range lists {
		for i := range l.Entries {
			terms += len(l.Entries[i].Terms)
		}
	}
	c := compiler{contexts: map[string]int32{}, seen: make(map[uint64]struct{}, terms)}
	// Most terms are one pattern; groups, attacks and vocabulary are as many again.
	c.entries, c.patterns = make([]entry, 0, terms), make([]pattern, 0, 2*terms)
	var rest compiler // the words of rules and frames, which know nothing of the entries
	var others sync.WaitGroup
	others.Go(func() {
		rest.vocabulary(lists)
		rest.frames(lists)
	})
	for _, l := range lists {
		for i := range l.Entries {
			c.group(l, &l.Entries[i])
		}
		for _, a := range l.Allow {
			p := foldTerm(a.text)
			p.role, p.match = roleAllow, matchSubstring
			c.patterns = append(c.patterns, p)
		}
	}
	others.Wait()
	c.patterns = append(c.patterns, rest.patterns...)
	c.vocab, c.framed, c.tongues = rest.vocab, rest.framed, rest.tongues
	c.pack()
	c.contexts, c.seen = nil, nil // the lexicon lies in the compiler, which lives as long
	var masks sync.WaitGroup      // they need the patterns, not the automaton
	masks.Go(func() { c.masks.build(&c.lexicon) })
	runes := make([][]rune, len(c.patterns))
	for i := range c.patterns {
		runes[i] = c.patterns[i].runes
	}
	c.auto = newAutomaton(runes)
	c.bound()
	c.shapes()
	masks.Wait()
	return &c.lexicon
}

// confidences are the defaults by severity: grave words are seldom innocent.
var confidences = [...]float64{0, 0.45, 0.75, 0.92, 0.97}

// group compiles the terms that share one listEntry.
func (c *compiler) group(l *list, e *listEntry) {
	proto := &traits{
		category: e.Category, subLabel: e.SubLabel, severity: e.Severity, inflect: e.Inflect,
		confidence: cmp.Or(e.Confidence, confidences[e.Severity]),
		source:     cmp.Or(engines.Source(l.Source), engines.SourceLexicon),
		language:   cmp.Or(e.Language, l.Language),
		inLanguage: e.InLanguage, tag: lang.Parse(cmp.Or(e.Language, l.Language)),
		within: int32(cmp.Or(e.Within, 4)), gap: int32(cmp.Or(e.Gap, 2)),
		voidIf: c.words(e.VoidIf), raiseIf: c.words(append(slices.Clone(e.RaiseIf), e.NeedIf...)), needs: len(e.NeedIf) > 0,
	}
	proto.raised = max(cmp.Or(e.Raised, min(proto.confidence+0.25, 0.97)), proto.confidence)
	if proto.needs && e.Raised == 0 {
		proto.raised = proto.confidence
	}
	for _, t := range e.all() {
		c.term(e, proto, t.text, strings.TrimSuffix(l.file, ".yaml"))
	}
}

// term compiles one term and its variants.
func (c *compiler) term(e *listEntry, shared *traits, term, file string) {
	if c.met(shared.language, string(shared.category), term) {
		return
	}
	pieces := strings.Split(term, " ... ")
	p := foldTerm(pieces[0])
	for _, piece := range pieces[1:] {
		p.then(piece)
	}
	if tags := everydayIn(term, shared.tag); tags != nil {
		own := *shared
		own.everyday, shared = tags, &own
	}
	match := defaultMatch(e.Match, &p)
	p.entry, p.match, p.exact = int32(len(c.entries)), match, isLanguage(shared.language, "vi")
	c.entries = append(c.entries, entry{
		traits: shared, rule: file + "/" + term, match: match,
		nameInside: shared.severity >= 2 && !p.dense && p.length() >= 5 && !p.hasSpace(),
	})
	c.patterns = append(c.patterns, p)
	if len(p.rest()) == 0 && p.hasSpace() && !p.dense && p.length() >= 8 {
		c.variant(p, strings.ReplaceAll(term, " ", ""), 0)
	}
	if e.Initials {
		for _, v := range initials(term) {
			c.variant(p, v, stepInitials)
		}
	}
}

// met notes a term and reports whether it was noted before.
func (c *compiler) met(parts ...string) bool {
	var h maphash.Hash
	h.SetSeed(termSeed)
	for _, s := range parts {
		_, _ = h.WriteString(s)
		_ = h.WriteByte(0) // neither can fail
	}
	sum := h.Sum64()
	_, known := c.seen[sum]
	c.seen[sum] = struct{}{}
	return known
}

var termSeed = maphash.MakeSeed()

// variant adds another spelling of the entry of p.
func (c *compiler) variant(p pattern, term string, steps step) {
	v := foldTerm(term)
	v.entry, v.match, v.steps, v.exact, v.plain = p.entry, p.match, steps, p.exact, p.plain
	c.patterns = append(c.patterns, v)
}

// defaultMatch is the kind of a term whose entry names none: a whole word where
// words are written apart, the start of one in Korean, anywhere in dense scripts.
func defaultMatch(kind string, p *pattern) matchKind {
	if kind != "" && kind != "phrase" {
		return matchKinds[kind]
	}
	hangul := false
	for _, r := range p.runes {
		hangul = hangul || classify(r) == classHangul
	}
	switch {
	case hangul:
		return matchPrefix
	case p.dense:
		return matchSubstring
	}
	return matchWord
}

// words gives context words their numbers.
func (c *compiler) words(words []string) []int32 {
	var out []int32
	for _, w := range words {
		id, ok := c.contexts[w]
		if !ok {
			id = int32(len(c.contexts))
			c.contexts[w] = id
			p := foldTerm(w)
			p.role, p.entry, p.match = roleContext, id, defaultMatch("", &p)
			c.patterns = append(c.patterns, p)
		}
		out = append(out, id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// initials returns a Korean term with one, or every, syllable cut to its first consonant.
func initials(term string) []string {
	runes := []rune(term)
	all := slices.Clone(runes)
	var out []string
	for i, r := range runes {
		if !unicode.Is(unicode.Hangul, r) || r < 0xAC00 || r > 0xD7A3 {
			continue
		}
		lead := []rune(leads)[(r-0xAC00)/588]
		one := slices.Clone(runes)
		one[i], all[i] = lead, lead
		out = append(out, string(one))
	}
	if len(runes) < 2 {
		return nil
	}
	return append(out, string(all))
}
