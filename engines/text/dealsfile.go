package text

import (
	_ "embed" // the weights
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// dealsJSON holds what `portcullis train text-deals` fitted; MODEL_CARD.md says on what.
//
//go:embed deals.json
var dealsJSON []byte

// weighings is the one of the build. TestDealsFile reads it, so that a fault in it is none of
// a message's.
var weighings = sync.OnceValue(func() *Weighing {
	w, err := ReadWeighing(dealsJSON)
	if err != nil {
		panic(err)
	}
	return w
})

// What the file calls its cuts.
const (
	cutsName  = "cuts"
	fromName  = "from"
	raiseName = "raise"
	lowerName = "lower"
	calmName  = "calm"
	denyName  = "deny"
)

// parts are the regressions of a weighing by the names that the file has for them.
func (w *Weighing) parts() map[string]*DealBlend {
	p := map[string]*DealBlend{"wrong": &w.Wrong}
	for k := range kinds {
		p[string(kinds[k])], p["suspects "+string(kinds[k])] = &w.Kinds[k], &w.Suspects[k]
	}
	return p
}

// ReadWeighing reads a file of weights: every number must be there, and no other.
func ReadWeighing(data []byte) (*Weighing, error) {
	var f map[string]map[string]float64
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("read the weights of deals: %w", err)
	}
	w := &Weighing{}
	var err error
	take := func(part, name string) float64 {
		v, ok := f[part][name]
		if !ok && err == nil {
			err = fmt.Errorf("read the weights of deals: %s has no %s", part, name)
		}
		delete(f[part], name)
		return v
	}
	for name, b := range w.parts() {
		b.Constant = take(name, constantName)
		for s := range DealSides {
			b.Weights[s] = take(name, s.String())
		}
	}
	w.From, w.Raise = take(cutsName, fromName), take(cutsName, raiseName)
	w.Lower, w.Calm, w.Deny = take(cutsName, lowerName), take(cutsName, calmName), take(cutsName, denyName)
	for part, left := range f {
		known := part == cutsName || w.parts()[part] != nil
		if more := slices.Sorted(maps.Keys(left)); err == nil && (!known || len(more) > 0) {
			err = fmt.Errorf("read the weights of deals: unknown %s", strings.Join(append([]string{part}, more...), "."))
		}
	}
	switch {
	case err != nil:
		return nil, err
	case w.Raise < leastRaised || w.Raise > 1:
		return nil, fmt.Errorf("read the weights of deals: raise %g must be %g to 1", w.Raise, leastRaised)
	case min(w.Lower, w.Calm, w.Deny) < 0 || max(w.Lower, w.Calm, w.Deny) > leastRaised:
		return nil, fmt.Errorf("read the weights of deals: lower %g, calm %g and deny %g must be 0 to %g", w.Lower, w.Calm, w.Deny, leastRaised)
	}
	return w, nil
}

// leastRaised is the least probability that is a finding: nothing that policy lets pass at the
// default strictness is one.
const leastRaised = evident

// WriteWeighing is the file that ReadWeighing reads.
func WriteWeighing(w *Weighing) ([]byte, error) {
	f := map[string]map[string]float64{cutsName: {fromName: w.From, raiseName: w.Raise, lowerName: w.Lower, calmName: w.Calm, denyName: w.Deny}}
	for name, b := range w.parts() {
		f[name] = map[string]float64{constantName: b.Constant}
		for s := range DealSides {
			f[name][s.String()] = b.Weights[s]
		}
	}
	out, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the weights of deals: %w", err)
	}
	return append(out, '\n'), nil
}
