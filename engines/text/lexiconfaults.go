package text

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// validate reports everything that is wrong with the list.
func (l *list) validate() error {
	var faults []error
	bad := func(line int, format string, args ...any) {
		faults = append(faults, fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...)))
	}
	if l.Language == "" {
		bad(1, "language: must be given")
	}
	if l.Source != "" && l.Source != string(engines.SourceLexicon) && l.Source != string(engines.SourceCustomList) {
		bad(1, "source: must be lexicon or custom_list")
	}
	for i := range l.Entries {
		l.Entries[i].validate(bad)
		if l.Source != string(engines.SourceCustomList) { // an operator's own number is meant
			l.Entries[i].validateNumbers(bad)
		}
	}
	for _, t := range l.MustHit {
		if !slices.Contains(engines.TextCategories, t.Category) {
			bad(t.Text.line, "must_hit: hit: unknown category %q", t.Category)
		}
		if t.Text.text == "" {
			bad(t.Text.line, "must_hit: text: must be given")
		}
	}
	l.validateVocabulary(bad)
	l.validateFrames(bad)
	for _, a := range l.Allow {
		if foldedEmpty(a.text) {
			bad(a.line, "allow: %q has no letter", a.text)
		}
	}
	return errors.Join(faults...)
}

// groupKinds are what people are attacked for.
var groupKinds = []string{"gender", "orientation", "religion", "ethnicity", "nationality", "disability", "migration", "age"}

// validateFrames reports groups of no kind, attacks of no strength, words without a letter.
func (l *list) validateFrames(bad func(line int, format string, args ...any)) {
	check := func(key string, terms []located) int {
		if len(terms) == 0 {
			bad(1, "%s: without terms", key)
			return 1
		}
		for _, t := range terms {
			if foldedEmpty(t.text) {
				bad(t.line, "%s: %q has no letter", key, t.text)
			}
		}
		return terms[0].line
	}
	for _, g := range l.Groups {
		if line := check("groups", g.Terms); !slices.Contains(groupKinds, g.Kind) {
			bad(line, "groups: unknown kind %q", g.Kind)
		}
	}
	for _, a := range l.Attacks {
		if line := check("attacks", a.Terms); a.Strength < 1 || a.Strength > 3 {
			bad(line, "attacks: strength: must be 1 to 3")
		}
	}
	if len(l.Counters) > 0 {
		check("counters", l.Counters)
	}
}

func (e *listEntry) validate(bad func(line int, format string, args ...any)) {
	terms := e.all()
	line := 0
	if len(terms) > 0 {
		line = terms[0].line
	} else {
		bad(line, "entries: an entry without term or terms")
	}
	if !slices.Contains(engines.TextCategories, e.Category) {
		bad(line, "category: unknown %q", e.Category)
	}
	if e.Severity < 1 || e.Severity > 4 {
		bad(line, "severity: must be 1 to 4")
	}
	for key, v := range map[string]float64{"confidence": e.Confidence, "raised": e.Raised} {
		if v < 0 || v >= 1 {
			bad(line, "%s: must be at least 0 and below 1", key)
		}
	}
	if _, ok := matchKinds[e.Match]; e.Match != "" && !ok {
		bad(line, "match: must be word, prefix, substring or phrase")
	}
	if e.Gap < 0 || e.Gap > 6 || e.Within < 0 || e.Within > 20 {
		bad(line, "gap: must be 0 to 6, within: 0 to 20")
	}
	for _, t := range terms {
		if foldedEmpty(t.text) {
			bad(t.line, "term: %q has no letter", t.text)
		}
		if strings.Contains(t.text, " ... ") && e.Match != "phrase" {
			bad(t.line, "term: %q has a gap, so match must be phrase", t.text)
		}
	}
}

// validateNumbers reports numbers and codes that nothing beside them need vouch for.
// Any player writes a number: a room, a line, a price. One that also has a bad meaning
// has it in company alone, in whatever language the message is. A code with a letter
// may be unsure instead, until a word raises it.
func (e *listEntry) validateNumbers(bad func(line int, format string, args ...any)) {
	if len(e.NeedIf) > 0 {
		return
	}
	unsure := len(e.RaiseIf) > 0 && e.Confidence > 0 && e.Confidence < 0.5
	for _, t := range e.all() {
		switch digits, letters := composed(t.text); {
		case digits == 0 || letters > 1:
		case letters == 0:
			bad(t.line, "term: %q is a bare number, so need_if must say beside what it counts", t.text)
		case !unsure:
			bad(t.line, "term: %q is a code, so need_if must say beside what it counts, or raise_if with a confidence below 0.5", t.text)
		}
	}
}

// composed counts the digits of a term and its letters; one of a dense script, which
// is a word, counts twice.
func composed(term string) (digits, letters int) {
	if !strings.ContainsFunc(term, unicode.IsNumber) { // most terms, which need no folding to tell
		return 0, len(term)
	}
	p := foldTerm(term)
	for i, r := range p.runes {
		switch c := classify(r); {
		case c == classDigit:
			digits += int(p.count(i))
		case c.dense():
			letters += 2
		case c.letter():
			letters += int(p.count(i))
		}
	}
	return digits, letters
}

// foldedEmpty reports whether a term folds to nothing that could be looked for.
func foldedEmpty(term string) bool {
	for _, r := range term { // most terms begin with a letter, which need no folding to tell
		if r < utf8.RuneSelf && unicode.IsLetter(r) || r >= 0x3041 && unicode.Is(unicode.Lo, r) {
			return false
		}
	}
	p := foldTerm(term)
	return len(p.runes) == 0 || len(p.runes) == 1 && p.runes[0] == ' '
}
