package economy

import (
	"context"
	"time"
)

const (
	// fadeEvery is how often the risks behind open cases are looked at where no entry
	// came: they fade.
	fadeEvery = time.Minute
	// risksAtOnce bounds the open cases that one look at one app is about; the next
	// look goes on from there.
	risksAtOnce = 500
)

// followRisks notes on open cases that the risk which opened them has fallen, or has
// risen again. It goes by the cases in the store: whoever opened them may be gone.
func (s *Service) followRisks(ctx context.Context, sh *shelf, w *watched) {
	book, at := *sh.book.Load(), s.at(sh)
	list, err := s.deps.Store.OpenRisks(ctx, sh.app, w.after, risksAtOnce)
	if err != nil {
		s.deps.Log.WarnContext(ctx, "economy: open cases not read", "app", sh.app, "err", err)
		return
	}
	w.after = ""
	if len(list) == risksAtOnce {
		w.after = list[len(list)-1].Player
	}
	for i := range list {
		r, known := book.Risk(list[i].Player, at)
		s.said(sh.app, list[i].Player, &r)
		if !known || !turned(list[i].Fallen, r.Score) {
			continue
		}
		m := AlertMove{App: sh.app, Player: list[i].Player, Now: AlertNow{Score: r.Score, Level: r.Level, At: at, Fallen: !list[i].Fallen}}
		m.Close = m.Now.Fallen && s.deps.CloseCalmed
		c, moved, err := s.deps.Store.MoveAlert(ctx, m)
		if err != nil {
			s.deps.Log.WarnContext(ctx, "economy: case not moved", "app", sh.app, "player", m.Player, "err", err)
			return
		}
		if moved {
			s.deps.Log.InfoContext(ctx, "economy: case moved", "app", sh.app, "change", c.Alert.Change(), "player", m.Player, "score", r.Score, "state", c.State)
			s.cased(&c)
		}
	}
}

// turned reports whether a risk is on the other side of what its case says.
func turned(fallen bool, score int) bool {
	if fallen {
		return score >= highFrom
	}
	return score <= highFrom-calm
}

func (s *Service) cased(c *AlertCase) {
	if s.deps.Cased != nil {
		s.deps.Cased(c)
	}
}
