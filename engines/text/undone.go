package text

import (
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// A disguise is no abuse. The classifier learnt from few disguises of each word, and takes
// odd pieces of a name for abuse now and then; so where nothing but the classifier speaks,
// a message in disguise is asked about once more as it would stand without, and where it
// thinks less of that, the answer is the mean of the two in log-odds.

// undone lowers what the classifier says of a message in disguise towards what it says of
// the same message undisguised, where lists and rules found nothing of weight in it.
func (e *Engine) undone(s *scratch, found []engines.Signal, p *[classifier.Heads]float64) {
	if !s.alt.needed || len(s.decoded) > 0 || slices.Max(p[:]) < telling ||
		slices.ContainsFunc(found, func(g engines.Signal) bool { return g.Confidence >= faint }) {
		return
	}
	var plain [classifier.Heads]float64
	read := false
	for _, second := range [...]bool{false, true} {
		s.alt.build(&s.evasive, second)
		if !s.evasive.altered {
			break
		}
		read = true
		s.input.Reset()
		s.presentUndone(&s.input)
		s.presentRoles(e.lexicon, &s.input, found)
		presentEvidence(&s.input, found)
		for h, q := range e.probabilities(s) {
			plain[h] = max(plain[h], q)
		}
		if !s.evasive.ambiguous {
			break
		}
	}
	if !read {
		return
	}
	for h := range p {
		if plain[h] < p[h] {
			p[h] = expit((logit(p[h]) + logit(plain[h])) / 2)
		}
	}
	s.present(e.lexicon, found) // what speaks for it is told of the message as it stands
	e.model.Score(&s.input)     // makes its features, which strongest asks
}

// presentUndone reads the evasive view as if it were the message.
func (s *scratch) presentUndone(in *classifier.Input) {
	v := &s.evasive
	in.Open(classifier.Chain{})
	for i := range v.syms {
		y := &v.syms[i]
		if y.class == classSep {
			in.Close()
			in.Open(classifier.Chain{})
			if r := v.units[y.first].r; telltale(r) && !picture(r) {
				in.Rune(r, y.first)
				in.Close()
				in.Open(classifier.Chain{})
			}
			continue
		}
		in.Script(uint8(y.class))
		for k := range min(int32(y.count), 2) {
			at := y.first
			if k > 0 {
				at = y.last
			}
			in.Rune(y.r, at)
		}
	}
	in.Close()
}
