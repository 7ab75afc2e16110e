package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// sample is a row as the model sees it.
type sample struct {
	features []uint32
	yes      labels // heads that should say yes
	asked    labels // heads that the row says something about
	weight   float32
	repeat   int
	// clean is set for rows of sources that hold nothing else.
	clean  bool
	source string
	lang   string
	// named is set where the row names a group of people.
	named bool
	// hate is how much more the row teaches about hate.
	hate float64
	// written is set for our own lines; text is kept of rows to calibrate on.
	written bool
	text    string
	// hidden is set for copies with hidden words.
	hidden bool
}

// dataset is what is learnt from and what the curves are fitted on.
type dataset struct {
	train, held []sample
	repaired    int
	evaded      int
}

// preparer turns rows into samples.
type preparer struct {
	engine  *text.Engine
	sources map[string]*source
	seed    uint64
	// balance says how often a clean row of a language is seen.
	balance map[string]int
	// lined are the languages that lines were written for; judged counts clean rows of
	// sources that hold abuse too, by language.
	lined  map[string]bool
	judged map[string]int
}

const (
	longest = 400 // runes of a row that are read
	evaded  = 0.8 // share of short rows that get a copy with hidden words
	short   = 200 // bytes that such a row may have
	chunk   = 4096
	// heavier are clean lines of games: what the model is asked about most.
	heavier = 20
)

// prepare reads the rows with the engine, in parallel; the result does not depend
// on how many cores there are.
func (p *preparer) prepare(ctx context.Context, rows []row) (*dataset, error) {
	parts := make([]dataset, (len(rows)+chunk-1)/chunk)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range parts {
		g.Go(func() error {
			from := i * chunk
			for k := range rows[from:min(from+chunk, len(rows))] {
				rng := rand.New(rand.NewPCG(p.seed, uint64(from+k)))
				if err := p.add(ctx, &parts[i], &rows[from+k], rng); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := &dataset{}
	for i := range parts {
		all.train = append(all.train, parts[i].train...)
		all.held = append(all.held, parts[i].held...)
		all.repaired += parts[i].repaired
		all.evaded += parts[i].evaded
	}
	return all, nil
}

// add reads one row and, for training, a copy of it with hidden words.
func (p *preparer) add(ctx context.Context, d *dataset, r *row, rng *rand.Rand) error {
	s, signals, err := p.sample(ctx, r, r.Text)
	if err != nil {
		return err
	}
	if p.mislabelled(r, signals) || p.onlyStyle(r, signals) {
		d.repaired++
		return nil
	}
	switch r.Split {
	case "held":
		s.text = r.Text
		d.held = append(d.held, s)
		return nil
	case "train":
	default:
		return nil
	}
	d.train = append(d.train, s)
	if len(r.Text) >= short || rng.Float64() > evaded || r.Source == "evasion" || r.Source == "evasion-clean" {
		return nil
	}
	e, _, err := p.sample(ctx, r, evade(rng, r.Text))
	if err != nil {
		return err
	}
	e.repeat, e.hidden = max(1, e.repeat/2), true
	d.train = append(d.train, e)
	d.evaded++
	return nil
}

func (p *preparer) sample(ctx context.Context, r *row, s string) (sample, []engines.Signal, error) {
	n := 0
	for i := range s {
		if n == longest {
			s = s[:i]
			break
		}
		n++
	}
	item := engines.Item{Kind: engines.KindText, Text: s}
	read, err := p.engine.Features(ctx, &item)
	if err != nil {
		return sample{}, nil, fmt.Errorf("read a row of %s: %w", r.Source, err)
	}
	out := sample{features: read.Features, yes: r.taught(read.Dealt), weight: 1, repeat: r.repeat, source: r.Source, lang: r.Lang, named: read.Named, written: r.written}
	out.hate = 1
	if contrasts[r.Source] {
		out.hate = contrasted
	}
	src := p.sources[r.Source]
	out.clean = src != nil && src.cleanOnly()
	out.asked = p.asked(r, out.yes, src)
	if !r.Toxic && !r.written {
		out.repeat = p.balance[r.Lang]
	}
	if r.Source == "synth-clean-game" || r.Source == "synth-coords" {
		out.repeat = heavier
	}
	return out, read.Signals, nil
}

// asked says which heads a row teaches. A toxic row whose source never names a
// category may be of it all the same; advertising is no abuse, and not clean either.
func (p *preparer) asked(r *row, yes labels, src *source) labels {
	ask := every
	if r.Source == narrow {
		if r.Toxic {
			return yes
		}
		return 1 << classify.Hate
	}
	if !r.Toxic || r.written {
		if r.Toxic && yes&abuse == 0 {
			ask &^= abuse
		}
		if yes.has(int(classify.Hate)) && !yes.has(int(classify.Violence)) {
			ask &^= 1 << classify.Violence // what is wished on a group is often a threat
		}
		return ask
	}
	if yes&abuse == 0 {
		return ask &^ abuse
	}
	known := grave // few rows are labelled, so that silence says little
	ask &^= known &^ yes
	if src != nil && src.known&(1<<classify.Hate) == 0 {
		ask &^= 1 << classify.Hate
	}
	return ask
}

// contrasts are sources in which people wrote hate and what only looks like it, or in
// which somebody chose between the two. Elsewhere whoever is named is attacked.
var contrasts = map[string]bool{"dghs": true, "gahd": true, "hatemojibuild": true, "stormfront": true, "xstest": true}

// contrasted is how much more they teach about hate.
const contrasted = 4

// enough clean rows that somebody judged show how a language is written by those who
// insult nobody.
const enough = 500

// onlyStyle reports whether a row of a source that is all abuse holds nothing that the
// lists know, in a language of which no clean rows of that kind are at hand: it would
// teach that comments are abuse. The lines written for the language teach better.
func (p *preparer) onlyStyle(r *row, signals []engines.Signal) bool {
	src := p.sources[r.Source]
	return r.Toxic && !r.written && src != nil && src.clean == 0 && len(signals) == 0 && p.lined[r.Lang] && p.judged[r.Lang] < enough
}

// unread are sources of sentences that nobody read for abuse, beside those that
// are clean by their kind (names, menus, words that look bad).
var unread = map[string]bool{"tatoeba-laser": true, "ubuntu-irc": true, "wisesight": true, "tanaka-enja": true, "chatterbot": true, "songys-chatbot": true}

// mislabelled reports whether a row holds strong words that a judge of a mixed
// source called clean, or that nobody judged.
func (p *preparer) mislabelled(r *row, signals []engines.Signal) bool {
	src := p.sources[r.Source]
	if r.Toxic || r.written || r.Source == narrow || src == nil || src.cleanOnly() && !unread[r.Source] || r.Lang == "ko" {
		return false
	}
	for _, g := range signals {
		switch g.Category {
		case engines.Harassment, engines.Sexual, engines.Hate:
			if g.Source == engines.SourceLexicon && g.Severity >= 2 && g.Confidence >= 0.7 {
				return true
			}
		}
	}
	return false
}

// report prints how many rows there are of what.
func (d *dataset) report(say func(string, ...any)) {
	var yes [16]int
	seen, features := 0, 0
	for i := range d.train {
		s := &d.train[i]
		seen += s.repeat
		features += len(s.features)
		for h := range yes {
			if s.yes.has(h) {
				yes[h]++
			}
		}
	}
	say("%d rows to train on (seen %d times an epoch, %d features each), %d to calibrate on", len(d.train), seen, features/max(1, len(d.train)), len(d.held))
	say("%d rows left out as mislabelled, %d rows with hidden words; by head %v", d.repaired, d.evaded, yes[:8])
}
