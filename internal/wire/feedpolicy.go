package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// KindPolicy is the kind of a feed event that tells of a policy.
const KindPolicy engines.Kind = "policy"

// StoppedRollout is a rollout that stopped by itself.
type StoppedRollout struct {
	ID, Layer, Name string
	Step            string
	Share           int
	Why             string
}

// AppendStopped appends what webhooks and the feed tell of it.
func AppendStopped(dst []byte, r *StoppedRollout) []byte {
	dst = Str(Str(Str(dst, "rollout_id", r.ID), "layer", r.Layer), "name", r.Name)
	return Str(Num(Str(Str(dst, "state", "stopped"), "step", r.Step), "share", int64(r.Share)), "why", r.Why)
}

// AppendRolloutEvent appends a feed.event that tells moderators of it: the members of
// any feed event, those of a verdict empty, and the rollout's.
func AppendRolloutEvent(dst []byte, id string, at time.Time, app engines.AppID, r *StoppedRollout) []byte {
	dst = appendString(append(open(dst, "feed.event", ""), `,"event_id":`...), id)
	dst = Str(When(dst, "at", at), "app_id", string(app))
	dst = Str(Str(Str(Str(dst, "kind", string(KindPolicy)), "scene_id", ""), "player_id", ""), "request_id", "")
	dst = append(dst, `,"label":[],"content":"","latency_ms":0`...)
	return append(AppendStopped(dst, r), '}')
}
