package session

import (
	"net/netip"

	"github.com/portcullis-gg/portcullis/engines"
)

// Speaker is who is to be heard in a call, and who is behind it.
type Speaker struct {
	App     engines.AppID
	Player  engines.PlayerID
	Scene   engines.SceneID
	Session engines.SessionID // the player's, or the game server's that bridges; "" for WHIP and egress
	// From is the address that a player's client calls from.
	From                      netip.Addr
	Segment, Region, Language string
}
