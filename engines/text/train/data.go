package train

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// row is a text and what is known of it.
type row struct {
	Text   string
	Lang   string
	Labels []engines.Category
	Toxic  bool
	Source string
	Split  string
	Sub    string
	// written is set for our own lines, repeat says how often one is seen.
	written bool
	repeat  int
}

// labels is a set of heads.
type labels uint16

const (
	abuse = labels(1) << classify.Abuse
	// grave are the heads that few sources label.
	grave = labels(1)<<classify.Violence | labels(1)<<classify.Sexual | labels(1)<<classify.Illegal
	every = labels(1)<<classify.Heads - 1
)

func (l labels) has(h int) bool { return l>>h&1 != 0 }

// labelOf says which heads a category answers yes to.
var labelOf = map[engines.Category]labels{
	engines.Harassment: abuse,
	engines.Hate:       abuse | 1<<classify.Hate,
	engines.Violence:   abuse | 1<<classify.Violence,
	engines.Sexual:     abuse | 1<<classify.Sexual,
	engines.Illegal:    abuse | 1<<classify.Illegal,
	engines.Spam:       1 << classify.Spam,
	engines.Privacy:    1 << classify.Privacy,
	engines.Political:  1 << classify.Political,
}

func (r *row) labels() labels {
	var l labels
	for _, c := range r.Labels {
		l |= labelOf[c]
	}
	return l
}

// taught are the heads that a row teaches yes. A line of ours in which somebody deals in what
// is forbidden teaches crime alone: who sells papers politely insults nobody, and the everyday
// words of such lines would be abuse.
func (r *row) taught(dealt bool) labels {
	l := r.labels()
	if dealt && r.written && l == labelOf[engines.Illegal] && !slices.Contains(r.Labels, engines.Harassment) {
		l &^= abuse
	}
	return l
}

// trainable are the files whose rows may train what ships.
var trainable = []string{"permissive*.jsonl.gz", "by-sa*.jsonl.gz", "evasion*.jsonl.gz"}

// readData reads every row of the trainable files of a folder, in the order of
// their names.
func readData(dir string) ([]row, error) { return readRows(dir, wanted) }

// readRows reads the rows of the trainable files of a folder that keep wants, in the order of
// the files' names.
func readRows(dir string, keep func(*row) bool) ([]row, error) {
	var names []string
	for _, pattern := range trainable {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, fmt.Errorf("find data: %w", err)
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("find data: none of %s in %s", strings.Join(trainable, ", "), dir)
	}
	slices.Sort(names)
	var rows []row
	for _, name := range names {
		var err error
		if rows, err = readFile(name, keep, rows); err != nil {
			return nil, fmt.Errorf("read %s: %w", filepath.Base(name), err)
		}
	}
	return rows, nil
}

func readFile(name string, keep func(*row) bool, rows []row) ([]row, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only: nothing to lose
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(z)
	for {
		var r row
		if err := dec.Decode(&r); errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return nil, err
		}
		if keep(&r) {
			r.repeat = 1
			if r.Split == "train" && hash(r.Text)%heldRows == 0 {
				r.Split = "held"
			}
			rows = append(rows, r)
		}
	}
}

// heldRows is the share of rows, one in so many, that are kept to calibrate on. Rows
// of the split dev are for measuring alone: nothing is learnt or fitted on them.
const heldRows = 24

// narrow is a source in which clean means not sexist, so that it holds plain insults:
// it teaches about hate alone.
const narrow = "edos"

// wanted leaves out what teaches the wrong thing: requests ask about what is unlawful.
func wanted(r *row) bool {
	return r.Sub != "request" && r.Text != "" && r.Split == "train"
}

// source is what its rows together tell of a source.
type source struct {
	clean, toxic int
	known        labels // labels that any of its rows has
}

// survey counts the sources. Evasions come under the names of their own.
func survey(rows []row) map[string]*source {
	sources := map[string]*source{}
	for i := range rows {
		r := &rows[i]
		s := sources[r.Source]
		if s == nil {
			s = &source{}
			sources[r.Source] = s
		}
		if r.Toxic {
			s.toxic++
		} else {
			s.clean++
		}
		s.known |= r.labels()
	}
	return sources
}

// cleanOnly reports whether all of a source is clean: nobody had to judge.
func (s *source) cleanOnly() bool { return s.toxic == 0 }

// mostBalance bounds how often a clean row is seen.
const mostBalance = 8

// balance says how often clean rows of each language are to be seen so that those
// of abuse do not outnumber them: else the language itself would be abuse.
func balance(rows []row) map[string]int {
	count := map[string]*[2]int{}
	for i := range rows {
		if rows[i].Split != "train" || rows[i].Source == narrow {
			continue
		}
		c := count[rows[i].Lang]
		if c == nil {
			c = &[2]int{}
			count[rows[i].Lang] = c
		}
		if rows[i].labels()&abuse != 0 {
			c[1]++
		} else {
			c[0]++
		}
	}
	times := map[string]int{}
	for lang, c := range count {
		times[lang] = max(1, min(mostBalance, (c[1]+c[0]/2)/max(1, c[0])))
	}
	return times
}
