package text

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines"
)

// list is one lexicon file.
type list struct {
	file     string
	Language string      `yaml:"language"`
	Source   string      `yaml:"source"`
	Entries  []listEntry `yaml:"entries"`
	// Allow are words that void the hits that they overlap: place names, names,
	// ordinary words that hold an entry.
	Allow []located `yaml:"allow"`
	// Groups, Attacks and Counters feed the frames: see frame.go.
	Groups   []listGroup  `yaml:"groups"`
	Attacks  []listAttack `yaml:"attacks"`
	Counters []located    `yaml:"counters"`
	// Vocabulary holds the words that rules are made of, by what they name.
	Vocabulary map[string][]located `yaml:"vocabulary"`
	MustHit    []hitTest            `yaml:"must_hit"`
	MustPass   []located            `yaml:"must_pass"`
}

// listEntry is a group of terms that share everything else.
type listEntry struct {
	Term       located          `yaml:"term"`
	Terms      []located        `yaml:"terms"`
	Language   string           `yaml:"language"`
	Category   engines.Category `yaml:"category"`
	SubLabel   string           `yaml:"sub_label"`
	Severity   int              `yaml:"severity"`
	Confidence float64          `yaml:"confidence"`
	Raised     float64          `yaml:"raised"`
	Match      string           `yaml:"match"`
	Inflect    bool             `yaml:"inflect"`
	Initials   bool             `yaml:"initials"`
	Gap        int              `yaml:"gap"`
	Within     int              `yaml:"within"`
	VoidIf     []string         `yaml:"void_if"`
	RaiseIf    []string         `yaml:"raise_if"`
	NeedIf     []string         `yaml:"need_if"`
	// InLanguage entries count only in text that is in the list's language.
	InLanguage bool `yaml:"in_language"`
}

// listGroup names people who are attacked for what they are.
type listGroup struct {
	Terms []located `yaml:"terms"`
	Kind  string    `yaml:"kind"`
}

// listAttack is what is said of a group to attack it.
type listAttack struct {
	Terms    []located `yaml:"terms"`
	Strength int       `yaml:"strength"`
}

// hitTest is a text that the list must find something in.
type hitTest struct {
	Text     located          `yaml:"text"`
	Category engines.Category `yaml:"hit"`
	SubLabel string           `yaml:"sub_label"`
	At       string           `yaml:"at"`
}

// located is a string that remembers its line.
type located struct {
	text string
	line int
}

// UnmarshalYAML reads a scalar.
func (l *located) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: want a text", n.Line)
	}
	l.text, l.line = n.Value, n.Line
	return nil
}

// readLists reads every list of the folder. All faults of all lists are in the error.
func readLists(fsys fs.FS) ([]*list, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("find lexicons: %w", err)
	}
	if len(names) == 0 {
		return nil, errors.New("find lexicons: no *.yaml there")
	}
	// The first list that has a term of a language keeps it: that language's own, which
	// knows in what company the term is innocent, before the list of many languages.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(ofMany(a), ofMany(b)) })
	lists, faults := make([]*list, len(names)), make([]error, len(names))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		group.Go(func() error {
			if lists[i], faults[i] = readList(fsys, name); faults[i] != nil {
				faults[i] = fmt.Errorf("lexicon %s: %w", name, faults[i])
			}
			return nil // all faults of all lists are told
		})
	}
	_ = group.Wait() // see above
	return lists, errors.Join(faults...)
}

// ofMany is 1 for the list of many languages.
func ofMany(name string) int {
	if name == "mul.yaml" {
		return 1
	}
	return 0
}

func readList(fsys fs.FS, name string) (*list, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	defer func() { _ = f.Close() }() // read only: nothing to lose
	dec := yaml.NewDecoder(f)
	dec.KnownFields(true)
	l := &list{file: name}
	if err := dec.Decode(l); err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("parse: more than one document")
	}
	return l, l.validate()
}

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

// all returns the terms of the entry.
func (e *listEntry) all() []located {
	if e.Term.text == "" {
		return e.Terms
	}
	return append([]located{e.Term}, e.Terms...)
}

func foldedEmpty(term string) bool {
	for _, r := range term { // most terms begin with a letter, which need no folding to tell
		if r < utf8.RuneSelf && unicode.IsLetter(r) || r >= 0x3041 && unicode.Is(unicode.Lo, r) {
			return false
		}
	}
	p := foldTerm(term)
	return len(p.runes) == 0 || len(p.runes) == 1 && p.runes[0] == ' '
}
