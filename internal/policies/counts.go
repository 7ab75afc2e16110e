package policies

import (
	"context"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// countsEvery is how often counts are written, and the bounds of rollouts looked at.
	countsEvery = time.Second
	// countsAtOnce is how many counts one write has.
	countsAtOnce = 256
	lastWrite    = 2 * time.Second
)

// keep notes a tally that is to be written; k.mu is held.
func (k *Keeper) keep(w *tally) { k.tallies = append(k.tallies, w) }

// writeCounts writes counts behind, again and again while the store is away, and
// stops rollouts that have left their bounds.
func (k *Keeper) writeCounts(ctx context.Context) {
	tick := time.NewTicker(countsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
			defer cancel()
			k.flush(ctx)
			return
		case <-tick.C:
			k.flush(ctx)
			k.watch(ctx)
		}
	}
}

// flush writes what was counted. What is not written stays; a write whose fate is not
// known, as past its time, may count twice.
func (k *Keeper) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	k.mu.Lock()
	all := slices.Clone(k.tallies)
	k.mu.Unlock()
	for _, w := range all {
		counts, samples := w.take()
		if len(counts) == 0 && len(samples) == 0 {
			continue
		}
		for chunk := range slices.Chunk(counts, countsAtOnce) {
			if err := k.deps.Store.AddPolicyCounts(ctx, chunk, samples); err != nil {
				k.deps.Log.DebugContext(ctx, "policy counts not written", "err", err)
				w.give(chunk, samples)
			}
			samples = nil // they went with the first
		}
	}
	k.forget()
}

// forget drops the tallies of steps that are over once they are written.
func (k *Keeper) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tallies = slices.DeleteFunc(k.tallies, func(w *tally) bool {
		f := (*k.apps.Load())[w.cell.App]
		current := f != nil && f.trial != nil && f.trial.tally == w
		return !current && w.empty()
	})
}

// The places of a category's counts, as they are stored.
const foundWord = "found"

var categoryCells = [3][2]string{{foundWord, ""}, {"", foundWord}, {foundWord, foundWord}}

// cells calls f with every count and what it is stored as.
func (w *tally) cells(f func(cell store.PolicyCell, n *counter)) {
	for _, arm := range []struct {
		name   string
		counts *armCounts
	}{{store.ArmLive, &w.live}, {store.ArmDraft, &w.draft}} {
		cell := w.cell
		cell.Arm = arm.name
		for i := range arm.counts.pairs {
			for j := range arm.counts.pairs[i] {
				cell.Live, cell.Draft = string(suggestions[i]), string(suggestions[j])
				f(cell, &arm.counts.pairs[i][j])
			}
		}
		for i, name := range categories {
			cell.Category = name
			for j, words := range categoryCells {
				cell.Live, cell.Draft = words[0], words[1]
				f(cell, &arm.counts.categories[i][j])
			}
		}
	}
}

// take takes what waits.
func (w *tally) take() (counts []store.PolicyCount, samples []store.PolicySample) {
	w.cells(func(cell store.PolicyCell, n *counter) {
		if have := n.Swap(0); have > 0 {
			counts = append(counts, store.PolicyCount{PolicyCell: cell, N: have})
		}
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	samples, w.samples = w.samples, nil
	if len(counts) == 0 && len(samples) > 0 { // it was drawn before it was counted
		w.samples, samples = samples, nil
	}
	return counts, samples
}

// give puts back what was not written.
func (w *tally) give(counts []store.PolicyCount, samples []store.PolicySample) {
	back := make(map[store.PolicyCell]int64, len(counts))
	for _, c := range counts {
		back[c.PolicyCell] = c.N
	}
	w.cells(func(cell store.PolicyCell, n *counter) { n.Add(back[cell]) })
	w.mu.Lock()
	defer w.mu.Unlock()
	w.samples = append(samples, w.samples...)
}

func (w *tally) empty() bool {
	empty := true
	w.cells(func(_ store.PolicyCell, n *counter) { empty = empty && n.Load() == 0 })
	return empty
}
