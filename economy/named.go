package economy

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// Rule when full: the name is not noted; the next time that it is named counts.
	namedQueue = 4096
	namedEvery = time.Second
	// namedYoung is how many names one generation of the memory holds, at 8 bytes
	// and the map's overhead each.
	namedYoung = 1 << 18
)

// named remembers which players were named lately by something other than a log,
// in two generations, so that each is written once in a while and not each time.
type named struct {
	mu    sync.Mutex
	young map[uint64]struct{}
	old   map[uint64]struct{}
	news  chan PlayerKey
}

var seed = maphash.MakeSeed()

func hashOf(k PlayerKey) uint64 { return maphash.Comparable(seed, k) }

func (n *named) has(k PlayerKey) bool {
	h := hashOf(k)
	n.mu.Lock()
	defer n.mu.Unlock()
	_, young := n.young[h]
	_, old := n.old[h]
	return young || old
}

// add reports whether the player was not remembered.
func (n *named) add(k PlayerKey) bool {
	h := hashOf(k)
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.young[h]; ok {
		return false
	}
	_, ok := n.old[h]
	if len(n.young) >= namedYoung {
		n.old, n.young = n.young, make(map[uint64]struct{}, namedYoung)
	}
	n.young[h] = struct{}{}
	return !ok
}

func (n *named) forget(k PlayerKey) {
	h := hashOf(k)
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.young, h)
	delete(n.old, h)
}

// Named notes that a check or a ticket named a player, who can be asked about and
// banned from then on. It does not wait.
func (s *Service) Named(app engines.AppID, player engines.PlayerID) {
	k := PlayerKey{app, player}
	if player == "" || !s.named.add(k) {
		return
	}
	select {
	case s.named.news <- k:
	default:
		s.named.forget(k)
	}
}

// Known is nil for a player that anything has named, else ErrUnknownPlayer or an
// error that wraps engines.ErrUnavailable.
func (s *Service) Known(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
	return s.known(ctx, app, player)
}

// known is nil for a player that anything has named.
func (s *Service) known(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
	k := PlayerKey{app, player}
	if s.named.has(k) {
		return nil
	}
	sh := s.shelf(app)
	if book := sh.book.Load(); book != nil {
		if (*book).Knows(player) {
			return nil
		}
	}
	ok, err := s.deps.Store.PlayerKnown(ctx, app, player)
	if err != nil {
		return fmt.Errorf("economy: player: %w", err)
	}
	if !ok {
		return ErrUnknownPlayer
	}
	return nil
}

// notePlayers writes the names behind the answers.
func (s *Service) notePlayers(ctx context.Context) {
	tick := time.NewTicker(namedEvery)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			// The last ones, so that an orderly end loses none.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), namedEvery)
			defer cancel()
			if err = s.noteSome(ctx); err != nil {
				s.deps.Log.WarnContext(ctx, "economy: players not noted", "err", err)
			}
			return
		case <-tick.C:
			err = s.noteSome(ctx)
		}
		if err != nil {
			s.deps.Log.DebugContext(ctx, "economy: players not noted", "err", err)
		}
	}
}

func (s *Service) noteSome(ctx context.Context) error {
	var list []PlayerKey
	for {
		select {
		case k := <-s.named.news:
			if list = append(list, k); len(list) < namedQueue {
				continue
			}
		default:
		}
		break
	}
	if len(list) == 0 {
		return nil
	}
	err := s.deps.Store.PutPlayers(ctx, list)
	if err != nil {
		for _, k := range list {
			s.named.forget(k)
		}
	}
	return err
}
