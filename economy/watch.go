package economy

import (
	"context"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// watchEvery is how often books are looked at for what a person is to judge, at
	// most; a look that takes long is followed by a pause of watchRest times as long.
	watchEvery = 5 * time.Second
	watchRest  = 20
	// calm is how far below High a score must have fallen for a later rise to be news:
	// a score that swings about the mark is one matter.
	calm = 10
	// Rule when full: all is forgotten, and the store says what has a case.
	watchedLinks = 1 << 16
	// alertsAtOnce bounds the cases that one look at one app may open: those of the
	// gravest come first, the rest wait for the next look.
	alertsAtOnce = 200
)

// highFrom is the least score of High.
const highFrom = 75

// watched is what of an app was seen and has its case.
type watched struct {
	version uint64
	links   map[[2]engines.PlayerID]struct{}
	// high are the players with a case, or a decision, about their risk, and what is
	// known of it; one whose score falls leaves, and is in calmed.
	high   map[engines.PlayerID]Level
	calmed map[engines.PlayerID]struct{}
	after  engines.PlayerID // whose open case was looked at last
	looked time.Time        // at open cases
}

// watch opens cases for what the books show by themselves: links to banned players,
// and high risks. Every gateway does; the store opens each case once.
func (s *Service) watch(ctx context.Context) {
	apps := map[engines.AppID]*watched{}
	pause := watchEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		start := time.Now()
		for _, sh := range s.opened() {
			w := apps[sh.app]
			if w == nil {
				w = &watched{links: map[[2]engines.PlayerID]struct{}{}, high: map[engines.PlayerID]Level{}, calmed: map[engines.PlayerID]struct{}{}}
				apps[sh.app] = w
			}
			counted := w.version
			s.look(ctx, sh, w)
			if counted != w.version || time.Since(w.looked) >= fadeEvery {
				w.looked = time.Now()
				s.followRisks(ctx, sh, w)
			}
		}
		pause = max(watchEvery, watchRest*time.Since(start))
	}
}

func (s *Service) look(ctx context.Context, sh *shelf, w *watched) {
	book, at := *sh.book.Load(), s.at(sh)
	f, version := book.Look(w.version, at)
	if version == w.version {
		return
	}
	left, done := alertsAtOnce, true
	for i := range f.Links {
		l := &f.Links[i]
		pair := [2]engines.PlayerID{l.Player, l.Link.Banned}
		if _, ok := w.links[pair]; ok {
			continue
		}
		a := Alert{Kind: BanEvasion, App: sh.app, Player: l.Player, At: at, Link: &l.Link}
		if r, ok := book.Risk(l.Player, at); ok {
			a.Score, a.Level, a.Factors = r.Score, r.Level, r.Factors
		}
		if left == 0 || !s.alert(ctx, a) {
			done = false
			break
		}
		left--
		if len(w.links) >= watchedLinks {
			clear(w.links)
		}
		w.links[pair] = struct{}{}
	}
	if s.rises(ctx, sh, w, f.High, at, left) && done {
		w.version = version
	}
}

// rises opens cases for the players whose risk has become high, and forgets those
// whose risk has fallen since. false: some wait for the next look.
func (s *Service) rises(ctx context.Context, sh *shelf, w *watched, high []AtRisk, at int64, left int) bool {
	for i := range high {
		s.said(sh.app, high[i].Player, &high[i].Risk) // who was cleared has no case
	}
	slices.SortFunc(high, func(x, y AtRisk) int { return y.Risk.Score - x.Risk.Score })
	now := make(map[engines.PlayerID]int, len(high))
	for i := range high {
		now[high[i].Player] = high[i].Risk.Score
	}
	for p := range w.high {
		if score, ok := now[p]; ok && score > highFrom-calm {
			continue
		}
		delete(w.high, p)
		if len(w.calmed) < watchedLinks {
			w.calmed[p] = struct{}{}
		}
	}
	for i := range high {
		p, r := high[i].Player, &high[i].Risk
		if known, ok := w.high[p]; r.Score < highFrom || ok && (known == Critical || r.Level != Critical) {
			continue
		}
		if left == 0 {
			return false
		}
		_, rose := w.calmed[p]
		a := Alert{Kind: HighRisk, App: sh.app, Player: p, At: at, Score: r.Score, Level: r.Level, Factors: r.Factors, Rose: rose}
		if !s.alert(ctx, a) {
			return false
		}
		left--
		w.high[p] = r.Level
		delete(w.calmed, p)
	}
	return true
}

// alert opens a case; false where the store did not take it.
func (s *Service) alert(ctx context.Context, a Alert) bool {
	c, opened, err := s.deps.Store.OpenAlert(ctx, a)
	if err != nil {
		s.deps.Log.WarnContext(ctx, "economy: case not opened", "app", a.App, "kind", string(a.Kind), "err", err)
		return false
	}
	if opened {
		s.deps.Log.InfoContext(ctx, "economy: case opened", "app", a.App, "kind", string(a.Kind), "player", a.Player, "score", a.Score)
		s.cased(&c)
	}
	return true
}
