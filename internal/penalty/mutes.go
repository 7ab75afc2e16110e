package penalty

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// forGood is the end of a mute that has none.
const forGood = math.MaxInt64

// mutes are those that hold, in memory: who speaks is looked up here alone.
type mutes struct {
	mu sync.RWMutex
	of map[playerKey]*muted
	// next is when the earliest of them ends.
	next int64
	// telling keeps the notices of a player in order; held around mu.
	telling sync.Mutex
}

// muted are the mutes of a player, and until when its session was told that it is
// muted in text and in voice; 0: that it is not.
type muted struct {
	list []store.Penalty
	told [2]int64
}

func isMute(k store.PenaltyKind) bool {
	return k == store.PenaltyMuteText || k == store.PenaltyMuteVoice
}

func kindOf(voice bool) store.PenaltyKind {
	if voice {
		return store.PenaltyMuteVoice
	}
	return store.PenaltyMuteText
}

func side(voice bool) int {
	if voice {
		return 1
	}
	return 0
}

// until is when the last mute of a kind ends that holds at a time, 0 where none does.
func (m *muted) until(kind store.PenaltyKind, at int64) (end int64, category engines.Category) {
	for i := range m.list {
		p := &m.list[i]
		if p.Kind != kind || !p.Holds(at) {
			continue
		}
		ends := p.Expires
		if ends == 0 {
			ends = forGood
		}
		if ends > end {
			end, category = ends, p.Category
		}
	}
	return end, category
}

// put takes a mute in as it is now and reports whether that was not known.
func (l *mutes) put(p *store.Penalty, at int64) (changed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := playerKey{p.App, p.Player}
	m := l.of[key]
	i := -1
	if m != nil {
		i = slices.IndexFunc(m.list, func(have store.Penalty) bool { return have.ID == p.ID })
	}
	switch holds := p.Holds(at); {
	case holds && i < 0:
		if m == nil {
			m = &muted{}
			l.of[key] = m
		}
		m.list = append(m.list, *p)
		if p.Expires != 0 && (l.next == 0 || p.Expires < l.next) {
			l.next = p.Expires
		}
		return true
	case !holds && i >= 0:
		m.list = slices.Delete(m.list, i, i+1)
		return true
	}
	return false
}

// ending forgets what has ended and returns the players of whom something did.
func (l *mutes) ending(at int64) (keys []playerKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == 0 || at < l.next {
		return nil
	}
	l.next = 0
	for key, m := range l.of {
		before := len(m.list)
		m.list = slices.DeleteFunc(m.list, func(p store.Penalty) bool { return !p.Holds(at) })
		if len(m.list) < before {
			keys = append(keys, key)
		}
		for i := range m.list {
			if ends := m.list[i].Expires; ends != 0 && (l.next == 0 || ends < l.next) {
				l.next = ends
			}
		}
	}
	return keys
}

// Muted reports whether a player may not write, until when (zero: for good) and for
// what. It reads memory alone.
func (s *Service) Muted(app engines.AppID, player engines.PlayerID) (until time.Time, category engines.Category, muted bool) {
	return s.muted(app, player, false)
}

// VoiceMuted is Muted for what a player says aloud.
func (s *Service) VoiceMuted(app engines.AppID, player engines.PlayerID) (until time.Time, category engines.Category, muted bool) {
	return s.muted(app, player, true)
}

func (s *Service) muted(app engines.AppID, player engines.PlayerID, voice bool) (time.Time, engines.Category, bool) {
	s.mutes.mu.RLock()
	defer s.mutes.mu.RUnlock()
	if len(s.mutes.of) == 0 {
		return time.Time{}, "", false
	}
	m := s.mutes.of[playerKey{app, player}]
	if m == nil {
		return time.Time{}, "", false
	}
	end, category := m.until(kindOf(voice), s.clock())
	return timeOf(end), category, end != 0
}

// timeOf is the zero time for no end, and for none.
func timeOf(end int64) time.Time {
	if end == 0 || end == forGood {
		return time.Time{}
	}
	return time.UnixMilli(end)
}

// announce tells a player's session here what has changed of its mutes.
func (s *Service) announce(key playerKey) {
	s.mutes.telling.Lock()
	defer s.mutes.telling.Unlock()
	for _, voice := range []bool{false, true} {
		s.mutes.mu.Lock()
		m := s.mutes.of[key]
		if m == nil {
			s.mutes.mu.Unlock()
			return
		}
		before := m.told[side(voice)]
		end, category := m.until(kindOf(voice), s.clock())
		m.told[side(voice)] = end
		if len(m.list) == 0 && m.told == [2]int64{} {
			delete(s.mutes.of, key)
		}
		s.mutes.mu.Unlock()
		switch end {
		case before:
		case 0:
			s.deps.Sessions.Unmute(key.app, key.player, voice)
		default:
			s.deps.Sessions.Mute(key.app, key.player, voice, timeOf(end), category)
		}
	}
}
