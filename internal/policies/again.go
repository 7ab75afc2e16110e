package policies

import (
	"context"
	"hash/maphash"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// Between pages a back-test rests a part of the time that it worked, so that it
	// leaves most of a core to those who wait for a verdict.
	restPart = 4
	restMost = 250 * time.Millisecond
)

// replayer decides stored decisions again.
type replayer struct {
	keeper *Keeper
	set    *policy.Set
	result store.BacktestDiff
	pairs  [3][3]float64
	found  [32][3]float64 // by category: then, under the draft, both
	seed   maphash.Seed
	sample []sampled // by hash
}

// sampled is a difference with what it is drawn by.
type sampled struct {
	hash uint64
	one  store.PolicySample
}

// again decides the decisions of a job's time under its draft and says what would have
// been different. Signals are those that engines found then; where the words that count
// are others, they are looked for again in what content is kept.
func (k *Keeper) again(ctx context.Context, j *job) (store.BacktestDiff, error) {
	r := &replayer{keeper: k, set: j.set, seed: sampleSeed}
	began := time.Now()
	err := k.deps.Store.PastDecisions(ctx, j.App, j.From, j.To, func(page []store.PastDecision) error {
		for i := range page {
			r.decide(ctx, &page[i])
		}
		k.tests.Note(func() { j.Seen, j.Reached = r.result.Decisions, max(j.From, page[len(page)-1].Created) })
		rest := time.NewTimer(min(time.Since(began)/restPart, restMost))
		defer rest.Stop()
		select {
		case <-rest.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		began = time.Now()
		return nil
	})
	return r.sum(), err
}

func (r *replayer) decide(ctx context.Context, d *store.PastDecision) {
	item := engines.Item{
		RequestID: d.Request, App: d.App, Player: d.Player, Scene: d.Scene, Session: d.Session, Kind: d.Kind, Text: d.Text, Language: d.Language,
		StrictLevel: d.StrictLevel, Segment: d.Segment, Region: d.Region, Live: d.Live, ReceivedAt: time.UnixMilli(d.Created),
	}
	if d.Use != "" { // which selects the layer of its game mode
		item.Media = &engines.Media{Use: d.Use}
	}
	rules := r.set.Resolve(&item, item.ReceivedAt)
	item.Words = rules.Words()
	if d.Text == "" && (item.Words != nil || worded(d.Signals)) {
		r.result.Bare++
	}
	signals, faults := r.keeper.thenUnder(ctx, &item, d.Signals, d.Faults)
	v := policy.Decide(&item, signals, faults, d.Standing, rules)
	r.note(d, v.Found())
}

func (r *replayer) note(d *store.PastDecision, is *engines.Finding) {
	was := &d.Found
	r.result.Decisions++
	r.result.Weight += d.Weight
	r.pairs[was.Suggestion.Rank()][is.Suggestion.Rank()] += d.Weight
	if len(was.Labels) == 0 && len(is.Labels) == 0 && was.Suggestion == is.Suggestion {
		return
	}
	for i, name := range categories {
		a, b := has(was, name), has(is, name)
		if a {
			r.found[i][0] += d.Weight
		}
		if b {
			r.found[i][1] += d.Weight
		}
		if a && b {
			r.found[i][2] += d.Weight
		}
	}
	if c := differs(was, is); c != "" || was.Suggestion != is.Suggestion {
		r.draw(store.PolicySample{Request: d.Request, Live: was.Suggestion, Draft: is.Suggestion, Category: c, At: d.Created})
	}
}

// sampleSeed is one for all, so that the same decisions give the same sample while a
// gateway runs.
var sampleSeed = maphash.MakeSeed()

// draw keeps the differences with the smallest hashes: an even sample.
func (r *replayer) draw(one store.PolicySample) {
	s := sampled{maphash.String(r.seed, string(one.Request)), one}
	at, _ := slices.BinarySearchFunc(r.sample, s, func(a, b sampled) int {
		if a.hash < b.hash {
			return -1
		}
		return 1
	})
	if at == store.SamplesOfStep {
		return
	}
	r.sample = slices.Insert(r.sample, at, s)
	r.sample = r.sample[:min(len(r.sample), store.SamplesOfStep)]
}

func (r *replayer) sum() store.BacktestDiff {
	for i := range r.pairs {
		for j, w := range r.pairs[i] {
			if w > 0 {
				r.result.Pairs = append(r.result.Pairs, store.PairWeight{Was: suggestions[i], Is: suggestions[j], Weight: w})
			}
		}
	}
	for i, name := range categories {
		if f := r.found[i]; f != [3]float64{} {
			r.result.Categories = append(r.result.Categories, store.CategoryWeight{Category: name, Was: f[0], Is: f[1], Both: f[2]})
		}
	}
	for _, s := range r.sample {
		r.result.Samples = append(r.result.Samples, s.one)
	}
	return r.result
}
