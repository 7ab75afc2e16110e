package economy

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// Rule when full: the advert is dropped and counted. Its verdict is recorded all
	// the same, and a player who floods the queue has others in it.
	advertQueue = 4096
	// advertBatch is how many adverts are written at once.
	advertBatch = 256
	// advertFrom is how sure a label must be: the review cut-off of the middle level
	// of strictness. It is fixed, so that neither a stricter level nor the stricter
	// look that a high risk brings makes adverts of less, which would feed itself.
	advertFrom = 0.55
)

// adverts are those that wait to be written.
type adverts struct {
	news chan advert
	lost atomic.Int64
}

type advert struct {
	app   engines.AppID
	entry Entry // its time is our clock's when it was said
}

// Saw takes note of what was found: an advert for game goods against money raises the
// risk of its author. It is written behind the verdict; Saw does not wait, and keeps
// only strings of what it is given.
func (s *Service) Saw(item *engines.Item, found engines.Finding) {
	sub := advertised(found.Labels)
	if sub == "" || item.Player == "" || item.RequestID == "" {
		return
	}
	a := advert{app: item.App, entry: Entry{
		Log: Advert, ID: string(item.RequestID), At: item.ReceivedAt.UnixMilli(), Player: item.Player, What: sub, Source: string(item.Kind),
	}}
	select {
	case s.adverts.news <- a:
	default:
		s.adverts.lost.Add(1)
	}
}

// advertised is the narrower word of an advert among labels, "" where none is one.
func advertised(labels []engines.Label) string {
	for i := range labels {
		l := &labels[i]
		if l.Category != engines.Spam || !(l.Confidence >= advertFrom) { // written so that NaN is none
			continue
		}
		switch l.SubLabel {
		case "rmt", "account_sale":
			return l.SubLabel
		}
	}
	return ""
}

// writeAdverts writes what Saw found, again and again while the store is away.
func (s *Service) writeAdverts(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			s.lastAdverts(ctx)
			return
		case first := <-s.adverts.news:
			list := s.moreAdverts([]advert{first})
			for {
				var err error
				if list, err = s.putAdverts(ctx, list); err == nil {
					break
				}
				s.deps.Log.DebugContext(ctx, "economy: adverts not written", "err", err)
				select {
				case <-ctx.Done():
					s.lastAdverts(ctx, list...)
					return
				case <-time.After(retryAfter):
				}
			}
			if n := s.adverts.lost.Swap(0); n > 0 {
				s.deps.Log.WarnContext(ctx, "economy: adverts not counted, their queue was full", "adverts", n)
			}
		}
	}
}

// moreAdverts adds those that wait already.
func (s *Service) moreAdverts(list []advert) []advert {
	for len(list) < advertBatch {
		select {
		case a := <-s.adverts.news:
			list = append(list, a)
		default:
			return list
		}
	}
	return list
}

// lastAdverts writes what is left, so that an orderly end loses none.
func (s *Service) lastAdverts(ctx context.Context, list ...advert) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), namedEvery)
	defer cancel()
	for {
		if list = s.moreAdverts(list); len(list) == 0 {
			return
		}
		var err error
		if list, err = s.putAdverts(ctx, list); err != nil {
			s.deps.Log.WarnContext(ctx, "economy: adverts not written", "adverts", len(list)+len(s.adverts.news), "err", err)
			return
		}
	}
}

// putAdverts submits adverts app by app, and returns those that are left.
func (s *Service) putAdverts(ctx context.Context, list []advert) (left []advert, err error) {
	for len(list) > 0 {
		app := list[0].app
		sh := s.shelf(app)
		newest, err := s.newest(ctx, sh)
		if err != nil {
			return list, err
		}
		var mine []Entry
		var others []advert
		for _, a := range list {
			if a.app != app {
				others = append(others, a)
				continue
			}
			e := a.entry
			e.At = appTime(newest, e.At)
			mine = append(mine, e)
		}
		if _, err := s.Submit(ctx, app, mine); err != nil {
			return list, err
		}
		list = others
	}
	return nil, nil
}

// newest is the newest event time of an app, from its store while it has no book.
func (s *Service) newest(ctx context.Context, sh *shelf) (int64, error) {
	if book := sh.book.Load(); book != nil {
		return (*book).Newest(), nil
	}
	newest, err := s.deps.Store.Newest(ctx, sh.app)
	if err != nil {
		return 0, fmt.Errorf("economy: newest: %w", err)
	}
	return newest, nil
}
