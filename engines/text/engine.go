package text

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/configs/lexicons"
	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// Config says what an Engine looks for.
type Config struct {
	// Lexicons holds the lists, every *.yaml at its root; nil means those that
	// are built in.
	Lexicons fs.FS
	// NoRules leaves the rules out (addresses, numbers, invitations, offers), so
	// that words alone count.
	NoRules bool
	// Links says which hosts are allowed, denied, or lead to invitations.
	Links LinkConfig
	// Model is the trained classifier that weighs what lists and rules found and
	// looks for what they can't; nil means the one that is built in.
	Model *classifier.Model
	// NoModel does without: lists and rules alone.
	NoModel bool
	// Second reads the few messages of which the model is unsure.
	Second
	// Weighing says when it is asked about deals, and what becomes of its answers; nil is what is
	// built in.
	Weighing *Weighing
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
	// languages are those that the lists are of, sorted.
	languages []string
	noRules   bool
	links     *linkRules
	model     *classifier.Model // nil for none
	networks  Second            // what is nil is not asked
	weighing  *Weighing
	pool      sync.Pool
}

var _ engines.Engine = (*Engine)(nil)

// New loads the lists and runs the tests that they bring: a list whose tests
// fail does not load. All faults of all lists are in the error. Lists that are built in
// can't change after the build, whose tests run theirs: a third of a start went into that.
func New(cfg Config) (*Engine, error) {
	lists, err := readLists(cfg.lists())
	if err != nil {
		return nil, err
	}
	if cfg.Lexicons != nil {
		if err := testLists(lists); err != nil {
			return nil, err
		}
	}
	model, err := cfg.loadModel()
	if err != nil {
		return nil, err
	}
	e := newEngine(lists, cfg.NoRules)
	e.links = cfg.Links.compile()
	e.model = model
	e.networks, e.weighing = cfg.Second, cfg.Weighing
	if e.networks.Meaning != nil && e.weighing == nil {
		e.weighing = weighings()
	}
	return e, nil
}

// Alone is an engine of the same lists and model that asks no network. It shares their memory.
func (e *Engine) Alone() *Engine {
	alone := &Engine{lexicon: e.lexicon, languages: e.languages, noRules: e.noRules, links: e.links, model: e.model}
	alone.pool.New = e.pool.New
	return alone
}

// testLists runs the tests of each list with that list alone.
func testLists(lists []*list) error {
	faults := make([]error, len(lists))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, l := range lists {
		group.Go(func() error {
			if err := newEngine([]*list{l}, true).test(l); err != nil {
				faults[i] = fmt.Errorf("lexicon %s: %w", l.file, err)
			}
			return nil // all faults of all lists are told
		})
	}
	_ = group.Wait() // see above
	return errors.Join(faults...)
}

func newEngine(lists []*list, noRules bool) *Engine {
	e := &Engine{lexicon: compile(lists), languages: languagesOf(lists), noRules: noRules}
	e.pool.New = func() any { return newScratch() }
	tables()
	return e
}

// languagesOf are the languages that lists are of, sorted. A list of many languages and
// one of none in particular are of none.
func languagesOf(lists []*list) (tags []string) {
	for _, l := range lists {
		if l.Language != "mul" && l.Language != "und" {
			tags = append(tags, l.Language)
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// Languages are the languages that the lists have words of, as language tags, sorted.
func (e *Engine) Languages() []string { return slices.Clone(e.languages) }

// tables makes what the first message would have to wait for. It is made once a process,
// and not by one that has no engine: most of the commands.
func tables() {
	functions()
	spelledOut()
	nativeHosts()
	nativeTops()
	nativeEnds()
	digitWords()
	tensWords()
	flats()
}

// Inspect appends what it finds in item.Text to out. Time is linear in the length
// of the text; a message without findings costs no allocation.
func (e *Engine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if err := ctx.Err(); err != nil {
		return out, fmt.Errorf("inspect text: %w", err)
	}
	s := e.scratch()
	from := len(out)
	out, err := e.find(ctx, s, item, out)
	if err == nil {
		out = e.judge(ctx, s, item, out, from)
		if !e.noRules {
			s.reported(out[from:])
		}
		out = e.inContext(s, item, from, out)
		if item.Words != nil {
			out, err = e.owned(ctx, item, from, out)
		}
	}
	if s.keep() {
		e.pool.Put(s)
	}
	return out, err
}

// scratch takes a scratch out of the pool.
func (e *Engine) scratch() *scratch {
	if s, ok := e.pool.Get().(*scratch); ok {
		return s
	}
	return newScratch()
}

// find appends what lists and rules find.
func (e *Engine) find(ctx context.Context, s *scratch, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	s.begin(item)
	s.text = item.Text
	from := len(out)
	if err := e.views(ctx, s); err != nil {
		return out, err
	}
	s.resolve(e.lexicon)
	out = s.framed(e.lexicon, e.signals(s, out))
	if !e.noRules {
		out = e.rules(s, out)
		s.calm(out[from:])
	}
	return out, nil
}

// signals turns the hits into signals.
func (e *Engine) signals(s *scratch, out []engines.Signal) []engines.Signal {
	out = slices.Grow(out, len(s.hits))
	var last hit
	rule := ""
	for i, h := range s.hits {
		entry := &e.lexicon.entries[e.lexicon.patterns[h.pattern].entry]
		if i == 0 || h.pattern != last.pattern || h.steps != last.steps { // one word repeated is one rule
			if rule = entry.rule; h.steps != 0 {
				rule += "+" + h.steps.String()
			}
		}
		last = h
		out = append(out, engines.Signal{
			Category: entry.category, SubLabel: entry.subLabel, Severity: entry.severity, Confidence: h.confidence,
			Source: entry.source, Span: h.span, Rule: rule, Language: entry.language,
		})
	}
	return out
}
