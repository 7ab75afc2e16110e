package eval

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

const (
	// batchLines are handed to a parser at once.
	batchLines = 512
	// maxLine bounds a line; ten thousand code points take a tenth of it.
	maxLine = 1 << 20
	// maxFaults are named before reading gives up.
	maxFaults = 20
)

// Filter says which rows count. Empty fields take all.
type Filter struct {
	Split   string
	Langs   []string
	Sources []string
	// Limit keeps this many rows, drawn by Seed; 0 keeps all.
	Limit int
	Seed  uint64
}

// takes reports whether the filter lets the row through. A language takes its
// variants along: zh takes zh-Hans.
func (f *Filter) takes(r *Row) bool {
	if f.Split != "" && r.Split != f.Split {
		return false
	}
	if len(f.Sources) > 0 && !slices.Contains(f.Sources, r.Source) {
		return false
	}
	if len(f.Langs) == 0 {
		return true
	}
	return slices.ContainsFunc(f.Langs, func(l string) bool {
		return r.Lang == l || strings.HasPrefix(r.Lang, l) && r.Lang[len(l)] == '-'
	})
}

// batch are some lines of one file.
type batch struct {
	file  string
	first int // the number of the first line
	order int
	lines [][]byte
}

// Read reads the rows of the files, gzip where the name says so, that the filter
// takes, in their order. Its error names file and line of up to 20 bad rows.
func Read(ctx context.Context, files []string, filter Filter) ([]Row, error) {
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan batch, 2*runtime.GOMAXPROCS(0)) // full: the reader waits
	group.Go(func() error {
		defer close(batches)
		order := 0
		for _, file := range files {
			if err := readFile(ctx, file, &order, batches); err != nil {
				return err
			}
		}
		return nil
	})
	var mu sync.Mutex
	parsed := make(map[int][]Row)
	var faults []error
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			shared := make(map[string]string)
			for b := range batches {
				rows, bad := b.parse(&filter, shared)
				mu.Lock()
				parsed[b.order] = rows
				faults = append(faults, bad...)
				enough := len(faults) >= maxFaults
				mu.Unlock()
				if enough {
					return errors.New("too many bad rows")
				}
			}
			return nil
		})
	}
	err := group.Wait()
	if len(faults) > 0 {
		return nil, errors.Join(faults[:min(len(faults), maxFaults)]...)
	}
	if err != nil {
		return nil, err
	}
	var rows []Row
	for order := range len(parsed) {
		rows = append(rows, parsed[order]...)
	}
	if filter.Limit > 0 && filter.Limit < len(rows) {
		draw := rand.New(rand.NewPCG(filter.Seed, 0)) //nolint:gosec // a sample, no secret
		draw.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = slices.Clip(rows[:filter.Limit])
	}
	return rows, nil
}

func readFile(ctx context.Context, file string, order *int, out chan<- batch) (err error) {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read rows: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var in io.Reader = bufio.NewReaderSize(f, 1<<16)
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return fmt.Errorf("read %s: %w", file, err)
		}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	number := 0
	b := batch{file: file, first: 1}
	send := func() error {
		if len(b.lines) == 0 {
			return nil
		}
		b.order = *order
		*order++
		select {
		case out <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
		b = batch{file: file, first: number + 1}
		return nil
	}
	for lines.Scan() {
		number++
		b.lines = append(b.lines, bytes.Clone(lines.Bytes()))
		if len(b.lines) == batchLines {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", file, number+1, err)
	}
	return send()
}

// parse returns the rows that the filter takes. Short strings that repeat in
// every row are kept once.
func (b *batch) parse(filter *Filter, shared map[string]string) (rows []Row, faults []error) {
	one := func(s *string) {
		have, ok := shared[*s]
		if !ok {
			have = *s
			shared[have] = have
		}
		*s = have
	}
	for i, line := range b.lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r, err := parse(line)
		if err != nil {
			for fault := range strings.Lines(err.Error()) {
				faults = append(faults, fmt.Errorf("%s:%d: %s", b.file, b.first+i, strings.TrimSpace(fault)))
			}
			continue
		}
		if !filter.takes(&r) {
			continue
		}
		one(&r.Lang)
		one(&r.Source)
		one(&r.Split)
		one(&r.Sub)
		for j := range r.Labels {
			one(&r.Labels[j])
		}
		rows = append(rows, r)
	}
	return rows, faults
}
