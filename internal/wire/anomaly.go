package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// KindAnomaly is the kind of a feed event that tells of an anomaly.
const KindAnomaly engines.Kind = "anomaly"

// Anomaly is a category that is found far more often than usual, with the figures of
// one hour.
type Anomaly struct {
	Category            string
	Began, Hour         time.Time
	Found, Verdicts     int64
	Share, Usual, Ratio float64
}

// AppendAnomaly appends an anomaly's members.
func AppendAnomaly(dst []byte, a *Anomaly) []byte {
	dst = When(When(Str(dst, "category", a.Category), "began_at", a.Began), "hour", a.Hour)
	dst = Num(Num(dst, "found", a.Found), "verdicts", a.Verdicts)
	return Real(Real(Real(dst, "share", a.Share), "usual_share", a.Usual), "ratio", a.Ratio)
}

// AppendAnomalyEvent appends a feed.event that tells moderators of an anomaly: the
// members of any feed event, those of a verdict empty, and the anomaly's.
func AppendAnomalyEvent(dst []byte, id string, at time.Time, app engines.AppID, a *Anomaly) []byte {
	dst = appendString(append(open(dst, "feed.event", ""), `,"event_id":`...), id)
	dst = Str(When(dst, "at", at), "app_id", string(app))
	dst = Str(Str(dst, "kind", string(KindAnomaly)), "scene_id", "")
	dst = Str(Str(dst, "player_id", ""), "request_id", "")
	dst = append(dst, `,"label":[],"content":"","latency_ms":0`...)
	return append(AppendAnomaly(dst, a), '}')
}
