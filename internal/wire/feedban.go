package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// KindBan is the kind of a feed event that tells of a ban.
const KindBan engines.Kind = "ban"

// AppendBanEvent appends a feed.event that tells moderators of a ban: the members
// of any feed event, those of a verdict empty, and the ban's.
func AppendBanEvent(dst []byte, id string, at time.Time, b *economy.Ban, state economy.BanState) []byte {
	dst = appendString(append(open(dst, "feed.event", ""), `,"event_id":`...), id)
	dst = Str(When(dst, "at", at), "app_id", string(b.App))
	dst = Str(Str(dst, "kind", string(KindBan)), "scene_id", "")
	request := b.Request
	if state == economy.BanLifted {
		request = b.LiftRequest
	}
	dst = Str(Str(dst, "player_id", string(b.Player)), "request_id", string(request))
	dst = append(dst, `,"label":[],"content":"","latency_ms":0`...)
	dst = Str(Str(dst, "ban_id", b.ID), "ban_type", string(b.Type))
	dst = Str(dst, "state", string(state))
	if b.Expires == 0 {
		dst = append(dst, `,"until":null`...)
	} else {
		dst = When(dst, "until", time.UnixMilli(b.Expires))
	}
	dst = Str(Str(dst, "reason", b.Reason), "by", b.By)
	if state == economy.BanLifted {
		dst = Str(Str(dst, "lift_reason", b.LiftReason), "lifted_by", b.LiftedBy)
	}
	return append(dst, '}')
}
