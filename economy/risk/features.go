package risk

import (
	"cmp"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Features implements economy.Book. What comes from the newest snapshot may lag
// behind it by some entries; flows do not.
func (b *Book) Features(id engines.PlayerID, at int64) (economy.Features, bool) {
	s := b.recent()
	n, _ := b.find(id)
	if n == 0 {
		return economy.Features{AccountAge: -1}, false
	}
	desk := takeDesk()
	b.rlock(desk, n)
	of, in := b.read(n, desk, ofFlows)
	pl := *of
	f := economy.Features{AccountAge: -1, ActiveDays: pl.activeDays(), Flows: b.flowsOf(in, &pl)}
	b.mu.RUnlock()
	desk.done()
	if pl.created > 0 {
		f.AccountAge = max(0, float64(at-pl.created)/float64(day))
	}
	r := s.riskOf(n, at)
	f.Score, f.Factors = r.Score, r.Factors
	if p := s.of(n); p != 0 {
		s.known[p].tell(&f)
	}
	return f, true
}

// tell writes down what a snapshot knows of a player's dealings.
func (n *known) tell(f *economy.Features) {
	f.Partners, f.Givers, f.Takers, f.Shared = int(n.partners), int(n.givers), int(n.takers), int(n.shared)
	for i, k := range n.traded {
		f.Trades[i] = int(k)
	}
	f.Got, f.Gave, f.FreeGot, f.FreeGave = float64(n.got), float64(n.gave), float64(n.freeIn), float64(n.freeOut)
}

// flowsOf are the windows of a player, sorted by what and source; b.mu is held.
func (b *Book) flowsOf(r *records, pl *player) []economy.Flow {
	var list []economy.Flow
	for i := pl.flow; i != 0; {
		f := r.flows.at(i - 1)
		i = f.next
		what, source := "", b.words[f.source]
		if f.what != itemsWord {
			what = b.words[f.what]
		}
		if f.source == restFlow {
			source = economy.OtherSources
		}
		k := slices.IndexFunc(list, func(x economy.Flow) bool { return x.What == what && x.Source == source })
		if k < 0 {
			k = len(list)
			list = append(list, economy.Flow{What: what, Source: source})
		}
		for span := range economy.Spans {
			sum, n := f.window(span, b.newest)
			if course(f.when&3) == wayGone {
				list[k].Out[span] += sum
				list[k].Outs[span] += n
			} else {
				list[k].In[span] += sum
				list[k].Ins[span] += n
			}
		}
	}
	slices.SortFunc(list, func(x, y economy.Flow) int {
		return cmp.Or(cmp.Compare(x.What, y.What), cmp.Compare(x.Source, y.Source))
	})
	return list
}
