package players

import (
	"github.com/portcullis-gg/portcullis/engines"
)

// remember has what was found in a player's content at hand for what comes next, and
// tells the other gateways, who read it from the store. It was committed before. What
// is only monitored changes nothing, here neither. Rule when full: the oldest goes.
func (s *Service) remember(item *engines.Item, v *engines.Verdict) {
	if v.Suggestion == engines.Pass || len(v.Labels) == 0 {
		return
	}
	k := playerKey{item.App, item.Player}
	sh := s.cache.shard(k)
	sh.mu.Lock()
	if f := sh.flights[k]; f != nil {
		f.again = true // it may have begun before
	}
	if e := sh.of[k]; e != nil {
		e.card.earlier = withFound(e.card.earlier, item, v)
	}
	sh.mu.Unlock()
	s.deps.Tell(k.app, k.player)
}

// withFound puts what was found before what was found earlier, each category once.
func withFound(earlier []engines.Earlier, item *engines.Item, v *engines.Verdict) []engines.Earlier {
	list := engines.AppendEarlier(make([]engines.Earlier, 0, engines.EarlierMost), item.RequestID, item.Kind, item.ReceivedAt.UnixMilli(), v)
	for i := range earlier {
		if len(list) == engines.EarlierMost {
			break
		}
		if earlier[i].Request != item.RequestID {
			list = append(list, earlier[i])
		}
	}
	return list
}
