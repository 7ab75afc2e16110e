package chat

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Expel ends the session that a player has here, for a ban that stands by now. It
// does not wait.
func (h *Hub) Expel(app engines.AppID, p engines.PlayerID) {
	if s := h.of(app, p); s != nil {
		h.expelled(s)
	}
}

// expelled ends a session whose player is banned. A session asks once it can be
// found: a ban that came before is seen here, one that comes after finds it.
func (h *Hub) expelled(s *Session) bool {
	if s.player == "" || !h.deps.Bans.Excluded(s.app, s.player) {
		return false
	}
	s.banish()
	return true
}

// banish ends the session of a banned player and tells the player before its
// connection closes. What is still in the queue does not matter any more.
func (s *Session) banish() {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return
	}
	s.ended = true
	l, language := s.link, ""
	if s.tags != nil {
		language = s.tags.language
	}
	s.seq++
	seq := s.seq
	s.attached(nil)
	s.detached = time.Time{}
	s.mu.Unlock()
	if l != nil {
		l.banish(seq, s.hub.banNotice(s.app, s.player, language))
	}
	s.retire(true)
}

// banish tells a banned player why its connection closes, and closes it, without
// making the caller wait.
func (l *link) banish(seq uint64, notice []byte) {
	notice = wire.WithSeq(nil, seq, notice)
	l.once.Do(func() {
		l.hub.m.closed(wire.CloseBanned)
		// The client may have gone: nothing to do. After Drain nothing is open.
		_ = l.hub.crew.start(func() {
			_ = l.write(notice)
			_ = l.ws.Close(wire.CloseBanned, "banned")
		})
	})
}

// banNotice is the notice, in the language of the player's ticket or else of what is
// known of the player.
func (h *Hub) banNotice(app engines.AppID, p engines.PlayerID, language string) []byte {
	if language == "" {
		language = h.deps.Players.Language(app, p)
	}
	until := h.deps.Bans.Until(app, p)
	return wire.AppendNotice(nil, &wire.Notice{Kind: "ban", Until: until, Text: textFor(language, banForGood, until)})
}
