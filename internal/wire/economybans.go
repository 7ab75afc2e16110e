package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// maxBanHours is a year: what is longer is permanent.
const maxBanHours = 8760

// BanRequest asks for a ban; Hours is 0 where it has no end.
type BanRequest struct {
	Player engines.PlayerID
	Type   economy.BanType
	Hours  int64
	Reason string
}

var banTypes = func() (list []string) {
	for _, t := range economy.BanTypes {
		list = append(list, string(t))
	}
	return list
}()

// ReadBan reads a ban request (service document, section 2.6).
func ReadBan(o *Object, app engines.AppID) (BanRequest, error) {
	o.ownApp(app, false)
	b := BanRequest{Player: engines.PlayerID(o.ID("player_id", true)), Reason: o.Label("reason", false)}
	if !o.Has("ban_type") {
		o.Fault("ban_type", "is required")
	}
	b.Type = economy.BanType(o.oneOf("ban_type", banTypes))
	switch {
	case b.Type != economy.Temporary && b.Type != "" && o.Has("duration_hours"):
		o.Fault("duration_hours", "stands with a temporary ban alone")
	case b.Type == economy.Temporary && !o.Has("duration_hours"):
		o.Fault("duration_hours", "is required with a temporary ban")
	default:
		b.Hours, _ = o.Int("duration_hours", 1, maxBanHours)
	}
	return b, o.Err()
}

// LiftRequest asks for the end of bans: of one, of those of a type, or of all.
type LiftRequest struct {
	Player engines.PlayerID
	ID     string
	Type   economy.BanType
	Reason string
}

// ReadLift reads a lift.
func ReadLift(o *Object, app engines.AppID) (LiftRequest, error) {
	o.ownApp(app, false)
	return LiftRequest{
		Player: engines.PlayerID(o.ID("player_id", true)), ID: o.ID("ban_id", false),
		Type: economy.BanType(o.oneOf("ban_type", banTypes)), Reason: o.Label("reason", false),
	}, o.Err()
}

// AppendBan appends the answer to a ban beyond its request_id.
func AppendBan(dst []byte, b *economy.Ban) []byte {
	dst = Str(Str(Str(dst, "ban_id", b.ID), "player_id", string(b.Player)), "ban_type", string(b.Type))
	return ends(dst, b)
}

// ends appends when a ban ends, null for one that does not.
func ends(dst []byte, b *economy.Ban) []byte {
	if b.Expires == 0 {
		return append(dst, `,"expires_at":null`...)
	}
	return When(dst, "expires_at", time.UnixMilli(b.Expires))
}

// AppendLifted appends the answer to a lift beyond its request_id.
func AppendLifted(dst []byte, player engines.PlayerID, bans []economy.Ban) []byte {
	dst = Str(dst, "player_id", string(player))
	return List(dst, "lifted", len(bans), func(dst []byte, i int) []byte {
		return Str(Str(dst, "ban_id", bans[i].ID), "ban_type", string(bans[i].Type))
	})
}

// AppendBans appends a page of bans and where the next one begins; status says of
// each whether it is active, expired or lifted.
func AppendBans(dst []byte, bans []economy.Ban, status func(*economy.Ban) string, cursor string) []byte {
	dst = List(dst, "bans", len(bans), func(dst []byte, i int) []byte {
		b := &bans[i]
		dst = Str(Str(AppendBan(dst, b), "reason", b.Reason), "by", b.By)
		dst = Str(When(dst, "created_at", time.UnixMilli(b.Created)), "status", status(b))
		if b.Lifted != 0 {
			dst = Str(Str(When(dst, "lifted_at", time.UnixMilli(b.Lifted)), "lifted_by", b.LiftedBy), "lift_reason", b.LiftReason)
		}
		return dst
	})
	return Some(dst, "cursor", cursor)
}
