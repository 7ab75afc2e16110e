package penalty

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// block is a verdict that strikes, and the ladder that holds for its content.
type block struct {
	ruling store.Ruling
	rules  *store.LadderRules
}

// byMachine is who strikes for a block.
const byMachine = "system"

// Observed hears of every verdict. A block strikes where the app's ladder says so:
// one that callers may act on, of engines that all answered. It does not wait.
func (s *Service) Observed(item *engines.Item, o engines.Outcome, _ string) {
	v := &o.Verdict
	if v.Suggestion != engines.Block || v.Observed != nil || v.Degraded || o.Pending || v.Mode == engines.MonitorOnly ||
		item.Player == "" || len(v.Labels) == 0 {
		return
	}
	rules := s.Ladder(item.App).Rules
	if len(rules.Layers) > 0 {
		rules = under(&rules, s.deps.Layers(item))
	}
	if !rules.Automatic {
		return
	}
	l := heaviest(&rules, v.Labels)
	r := store.Ruling{
		App: item.App, Player: item.Player, Request: item.RequestID, Case: o.CaseID, Category: l.Category, SubLabel: l.SubLabel,
		Severity: l.Severity, By: byMachine, Decision: store.DecideReject,
	}
	select {
	case s.blocks <- block{r, &rules}:
	default:
		s.lost.Add(1)
	}
}

// heaviest is the label that weighs most.
func heaviest(rules *store.LadderRules, labels []engines.Label) *engines.Label {
	best, most := &labels[0], -1
	for i := range labels {
		l := &labels[i]
		if w := weigh(rules, l.Category, l.SubLabel, l.Severity); w > most {
			best, most = l, w
		}
	}
	return best
}

// Pauses between tries to store a strike that nobody waits for.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 10 * time.Second
)

// strikeBlocks strikes for blocks, one by one, until ctx ends; what waits then is not
// struck for.
func (s *Service) strikeBlocks(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case b := <-s.blocks:
			r := &b.ruling
			for pause := firstPause; ; pause = min(2*pause, lastPause) {
				err := s.strike(ctx, r, b.rules, true)
				if err == nil {
					break
				}
				s.deps.Log.WarnContext(ctx, "penalty: strike for a block not stored yet", "app", r.App, "player", r.Player, "request_id", r.Request, "err", err)
				select {
				case <-ctx.Done():
					return
				case <-time.After(pause):
				}
			}
			if n := s.lost.Swap(0); n > 0 {
				s.deps.Log.WarnContext(ctx, "penalty: blocks that did not strike, their queue was full", "blocks", n)
			}
		}
	}
}
