package chat

import (
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
	s.end(wire.CloseBanned, "banned")
	return true
}
