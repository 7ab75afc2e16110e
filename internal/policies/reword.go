package policies

import (
	"context"
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// Signals of a text were found with the words of one policy, and another policy has
// other words. While a rollout runs the engines look anew at a text in which words of
// either stand. A stored decision keeps the signals that engines found then, and only
// what rests on words is made anew, unless an exception had a part in them: it has
// changed what the model said of the rest.

var hitPool = sync.Pool{New: func() any { return new([]engines.WordHit) }}

// reworded reports whether other words than those that signals were found with may
// have them come out differently.
func reworded(item *engines.Item, signals []engines.Signal, words engines.Words) bool {
	if item.Kind != engines.KindText && item.Kind != engines.KindName || item.Text == "" {
		return false
	}
	if worded(signals) {
		return true
	}
	if words == nil {
		return false
	}
	buf, ok := hitPool.Get().(*[]engines.WordHit)
	if !ok { // the pool holds nothing else
		buf = new([]engines.WordHit)
	}
	hits := words.Hits(item, (*buf)[:0])
	found := len(hits) > 0
	clear(hits)
	*buf = hits[:0]
	hitPool.Put(buf)
	return found
}

// worded reports whether an operator's words had a part in signals.
func worded(signals []engines.Signal) bool {
	return slices.ContainsFunc(signals, func(s engines.Signal) bool { return s.Source == engines.SourceCustomList || s.Excepted })
}

// under are the signals and faults of an item with other words than those that they
// were found with. item.Words are the new ones.
func (k *Keeper) under(ctx context.Context, item *engines.Item, signals []engines.Signal, faults []engines.Fault) ([]engines.Signal, []engines.Fault) {
	if !reworded(item, signals, item.Words) {
		return signals, faults
	}
	return k.deps.Inspect(ctx, item, nil)
}

// thenUnder are the signals of a stored decision under item.Words.
func (k *Keeper) thenUnder(ctx context.Context, item *engines.Item, signals []engines.Signal, faults []engines.Fault) ([]engines.Signal, []engines.Fault) {
	if !reworded(item, signals, item.Words) {
		return signals, faults
	}
	if !slices.ContainsFunc(signals, func(s engines.Signal) bool { return s.Excepted }) {
		if out, err := k.deps.Reword(ctx, item, signals); err == nil {
			return out, faults
		}
	}
	return k.deps.Inspect(ctx, item, nil)
}
