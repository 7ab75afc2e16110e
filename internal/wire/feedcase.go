package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// KindCase is the kind of a feed event that tells of a case of the economy.
const KindCase engines.Kind = "case"

// AppendCaseEvent appends a feed.event that tells moderators of a case which the
// economy opened, or of what has become of the risk behind one: the members of any feed
// event, those of a verdict empty, and those of the webhook economy.case.
func AppendCaseEvent(dst []byte, id string, at time.Time, c *economy.AlertCase) []byte {
	a := &c.Alert
	dst = appendString(append(open(dst, "feed.event", ""), `,"event_id":`...), id)
	dst = Str(When(dst, "at", at), "app_id", string(a.App))
	dst = Str(Str(Str(Str(dst, "kind", string(KindCase)), "scene_id", ""), "player_id", string(a.Player)), "request_id", "")
	dst = append(dst, `,"label":[],"content":"","latency_ms":0`...)
	dst = Num(Str(dst, "case_id", string(c.ID)), "case_version", int64(c.Version))
	dst = Str(Str(Str(dst, "case_kind", string(a.Kind)), "state", c.State), "change", a.Change())
	return append(AppendAlert(dst, a), '}')
}
