package train

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// linesFile is a file of lines written for training.
type linesFile struct {
	Language string `yaml:"language"`
	// Slots are words that stand for {name} in a line.
	Slots map[string][]string `yaml:"slots"`
	// Lines are by category, or several joined by +, or clean.
	Lines map[string][]string `yaml:"lines"`
}

// held is the share of lines, one in so many, that are kept to calibrate on.
const held = 10

// contrastFile is how the names of files end in which hate stands beside what only
// looks like it; their few lines have many groups and attacks to fill in.
const (
	contrastFile  = "-hate.yaml"
	contrastTimes = 2
)

// gistFiles are in the names of files that are written for the network: lines that leave unsaid
// what is meant, and adverts of everything under the sun. Words tell little of them, and what the
// linear model learns of them it loses of abuse, so that it sees them less often.
var gistFiles = []string{"-unsaid", "-adverts"}

const gistShare = 3

func timesOf(name string, repeat int) int {
	switch {
	case strings.HasSuffix(name, contrastFile):
		return repeat * contrastTimes
	case slices.ContainsFunc(gistFiles, func(part string) bool { return strings.Contains(name, part) }):
		return max(1, repeat/gistShare)
	}
	return repeat
}

// readLines reads the lines of a folder and fills their slots: each line gives
// repeat rows, in as many ways as its slots allow.
func readLines(dir string, seed uint64, repeat int, all bool) ([]row, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, fmt.Errorf("find lines: %w", err)
	}
	slices.Sort(names)
	var rows []row
	for _, name := range names {
		f, err := readLinesFile(name)
		if err != nil {
			return nil, fmt.Errorf("lines %s: %w", filepath.Base(name), err)
		}
		for _, key := range slices.Sorted(maps.Keys(f.Lines)) {
			categories, err := categoriesOf(key)
			if err != nil {
				return nil, fmt.Errorf("lines %s: %w", filepath.Base(name), err)
			}
			for _, line := range f.Lines[key] {
				r := row{Lang: f.Language, Labels: categories, Toxic: len(categories) > 0, Source: "lines", Split: "train", written: true}
				if h := hash(line); !all && h%held == 0 {
					r.Split = "held"
				}
				rows = f.expand(rows, r, line, timesOf(name, repeat), rand.New(rand.NewPCG(seed, hash(line))))
			}
		}
	}
	return rows, nil
}

// exampleRows are the tests that the lists bring, each seen repeat times.
func exampleRows(lists fs.FS, repeat int) ([]row, error) {
	examples, err := text.Examples(lists)
	if err != nil {
		return nil, fmt.Errorf("examples of the lists: %w", err)
	}
	var rows []row
	for _, e := range examples {
		r := row{Text: e.Text, Lang: e.Language, Source: "lists", Split: "train", written: true, repeat: repeat}
		if e.Category != "" {
			r.Labels, r.Toxic = []engines.Category{e.Category}, true
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
}

func readLinesFile(name string) (*linesFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only: nothing to lose
	dec := yaml.NewDecoder(file)
	dec.KnownFields(true)
	f := &linesFile{}
	if err := dec.Decode(f); err != nil {
		return nil, err
	}
	if f.Language == "" {
		return nil, errors.New("language: must be given")
	}
	return f, nil
}

func categoriesOf(key string) ([]engines.Category, error) {
	if key == "clean" {
		return nil, nil
	}
	var out []engines.Category
	for part := range strings.SplitSeq(key, "+") {
		c := engines.Category(strings.TrimSpace(part))
		if !slices.Contains(engines.TextCategories, c) {
			return nil, fmt.Errorf("lines: unknown category %q", part)
		}
		out = append(out, c)
	}
	return out, nil
}

// expand appends the ways to fill a line, repeat rows in all.
func (f *linesFile) expand(rows []row, r row, line string, repeat int, rng *rand.Rand) []row {
	counts := map[string]int{}
	var order []string
	for range repeat {
		text := f.fill(line, rng)
		if counts[text] == 0 {
			order = append(order, text)
		}
		counts[text]++
	}
	for _, text := range order {
		r.Text, r.repeat = text, counts[text]
		rows = append(rows, r)
	}
	return rows
}

// fill puts a word for every {slot}; names that are no slot stay as they are.
func (f *linesFile) fill(line string, rng *rand.Rand) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(line, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(line[open:], '}')
		if end < 0 {
			break
		}
		b.WriteString(line[:open])
		words := f.Slots[line[open+1:open+end]]
		if len(words) > 0 {
			b.WriteString(words[rng.IntN(len(words))])
		} else {
			b.WriteString(line[open : open+end+1])
		}
		line = line[open+end+1:]
	}
	b.WriteString(line)
	return b.String()
}
