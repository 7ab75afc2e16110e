package text

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"

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

// all returns the terms of the entry.
func (e *listEntry) all() []located {
	if e.Term.text == "" {
		return e.Terms
	}
	return append([]located{e.Term}, e.Terms...)
}
