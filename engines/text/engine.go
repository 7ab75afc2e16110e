package text

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/portcullis-gg/portcullis/configs/lexicons"
	"github.com/portcullis-gg/portcullis/engines"
)

// Config says what an Engine looks for.
type Config struct {
	// Lexicons holds the lists, every *.yaml at its root; nil means those that
	// are built in.
	Lexicons fs.FS
	// NoRules leaves the rules out (addresses, numbers, invitations, offers), so
	// that words alone count.
	NoRules bool
}

// Validate reports every problem of the configuration: lists that do not parse,
// entries that make no sense. Whether the lists pass their own tests is for New.
func (c Config) Validate() error {
	_, err := readLists(c.lists())
	return err
}

func (c Config) lists() fs.FS {
	if c.Lexicons == nil {
		return lexicons.Files
	}
	return c.Lexicons
}

// Engine finds words and shapes in text. It is safe for concurrent use and never
// changes after New.
type Engine struct {
	lexicon *lexicon
	noRules bool
	pool    sync.Pool
}

var _ engines.Engine = (*Engine)(nil)

// New loads the lists and runs the tests that they bring: a list whose tests
// fail does not load. All faults of all lists are in the error.
func New(cfg Config) (*Engine, error) {
	lists, err := readLists(cfg.lists())
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, l := range lists {
		if err := newEngine([]*list{l}, true).test(l); err != nil {
			faults = append(faults, fmt.Errorf("lexicon %s: %w", l.file, err))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return newEngine(lists, cfg.NoRules), nil
}

func newEngine(lists []*list, noRules bool) *Engine {
	e := &Engine{lexicon: compile(lists), noRules: noRules}
	e.pool.New = func() any { return newScratch() }
	return e
}

// Inspect appends what it finds in item.Text to out. Time is linear in the length
// of the text; a message without findings costs no allocation.
func (e *Engine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if err := ctx.Err(); err != nil {
		return out, fmt.Errorf("inspect text: %w", err)
	}
	s, ok := e.pool.Get().(*scratch)
	if !ok {
		s = newScratch()
	}
	s.begin(item)
	err := e.views(ctx, s)
	if err == nil {
		s.resolve(e.lexicon)
		out = e.signals(s, out)
		if !e.noRules {
			out = s.rules(out)
		}
	}
	if s.keep() {
		e.pool.Put(s)
	}
	return out, err
}

// views scans the message as it reads and, where it may read otherwise, so.
func (e *Engine) views(ctx context.Context, s *scratch) error {
	l := e.lexicon
	buildPlain(&s.plain, s.norm.units, &l.auto.alphabet)
	s.scan(l, &s.plain, false)
	s.weigh(l, 0)
	s.alt.scan(s.norm.units)
	if s.alt.needed {
		s.masked(l)
		for _, second := range [...]bool{false, true} {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("inspect text: %w", err)
			}
			s.alt.build(&s.evasive, second)
			if !s.evasive.altered {
				break
			}
			from := len(s.hits)
			s.scan(l, &s.evasive, true)
			s.weigh(l, from)
			if !s.evasive.ambiguous {
				break
			}
		}
	}
	return nil
}

// masked finds words in which signs stand for letters.
func (s *scratch) masked(l *lexicon) {
	from := len(s.hits)
	for i := range s.alt.tokens {
		t := &s.alt.tokens[i]
		if t.url || t.to-t.from < minMasked-1 {
			continue
		}
		id, n := l.masks.find(s.norm.units[t.from:t.last])
		if id < 0 {
			continue
		}
		units := s.norm.units[t.from : int(t.from)+n]
		s.hits = append(s.hits, hit{
			span:    engines.Span{Start: int(units[0].start), End: int(units[n-1].end)},
			pattern: id, steps: stepMasked,
		})
	}
	s.weigh(l, from)
}

// signals turns the hits into signals.
func (e *Engine) signals(s *scratch, out []engines.Signal) []engines.Signal {
	for _, h := range s.hits {
		entry := &e.lexicon.entries[e.lexicon.patterns[h.pattern].entry]
		rule := entry.rule
		if h.steps != 0 {
			rule += "+" + h.steps.String()
		}
		out = append(out, engines.Signal{
			Category: entry.category, SubLabel: entry.subLabel, Severity: entry.severity, Confidence: h.confidence,
			Source: entry.source, Span: h.span, Rule: rule, Language: entry.language,
		})
	}
	return out
}
