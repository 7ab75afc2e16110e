package chat

import (
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Dismiss ends the session that a player has here and takes it out of Redis, for the
// player's data is to go. It does not wait.
func (h *Hub) Dismiss(app engines.AppID, p engines.PlayerID) {
	if s := h.of(app, p); s != nil {
		s.end(wire.CloseAuth, "the player's data was erased")
	}
}
