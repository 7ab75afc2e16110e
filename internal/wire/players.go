package wire

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

var (
	segments = []string{"minor", "standard", "trusted"}
	trusts   = []string{"trusted", "watched", "default", "auto"}
)

// regionLength is how long the name of a region may be.
const regionLength = 32

// ReadProfile reads what a game says of a player: all of it, what is left out is not
// known.
func ReadProfile(o *Object) (store.Profile, error) {
	p := store.Profile{
		Segment: o.oneOf("segment", segments), Region: o.region(), Language: o.language(), Registered: o.date("account_created_at"),
	}
	if o.Has("age_verified") {
		p.AgeVerified = "no"
		if o.Bool("age_verified") {
			p.AgeVerified = "yes"
		}
	}
	return p, o.Err()
}

// segment reads what kind of user a player is; "" where that is absent or empty.
func (o *Object) segment() string {
	s, _ := o.Text("segment")
	if s != "" && !slices.Contains(segments, s) {
		o.Fault("segment", "must be one of "+strings.Join(segments, ", "))
		return ""
	}
	return s
}

// region reads the name of a region, as policies name them.
func (o *Object) region() string {
	s, _ := o.Text("region")
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			o.Fault("region", "must be of letters, digits, - and _")
			return ""
		}
	}
	if len(s) > regionLength {
		o.Fault("region", "must be at most "+strconv.Itoa(regionLength)+" characters")
		return ""
	}
	return s
}

// ReadTrust reads a trust that a person fixes: until a time, or until it is taken
// back, which "auto" does.
func ReadTrust(o *Object, now time.Time) (store.Pin, error) {
	p := store.Pin{Trust: o.required("trust", trusts), Until: o.date("until"), Reason: o.Label("reason", true)}
	switch {
	case p.Until != 0 && p.Until <= now.UnixMilli():
		o.Fault("until", "must be in the future")
	case p.Until != 0 && p.Trust == "auto":
		o.Fault("until", "has no meaning with auto")
	}
	if p.Trust == "auto" {
		p.Trust = ""
	}
	return p, o.Err()
}

// Player is all of a player that a person asks for.
type Player struct {
	ID       engines.PlayerID
	Card     store.Card
	Segment  string // what holds
	Standing engines.Standing
	Weight   float64
	Credit   float64
	Counts   store.PlayerCounts
	Holding  []store.Penalty
}

// AppendPlayer appends a player.
func AppendPlayer(dst []byte, p *Player, at time.Time) []byte {
	dst = Str(dst, "player_id", string(p.ID))
	profile := &p.Card.Profile
	dst = Obj(dst, "profile", func(dst []byte) []byte {
		dst = Some(Some(Some(dst, "segment", profile.Segment), "region", profile.Region), "language", profile.Language)
		if profile.AgeVerified != "" {
			dst = Flag(dst, "age_verified", profile.AgeVerified == "yes")
		}
		if profile.Registered != 0 {
			dst = When(dst, "account_created_at", time.UnixMilli(profile.Registered))
		}
		return dst
	})
	dst = Some(dst, "segment", p.Segment)
	dst = Obj(dst, "standing", func(dst []byte) []byte {
		dst = Str(Num(dst, "strikes", int64(p.Standing.Strikes)), "trust", trustName(p.Standing.Trust))
		dst = hundredths(hundredths(dst, "weight", p.Weight), "clean_days", p.Credit)
		if recent := p.Standing.Recent; len(recent) > 0 {
			dst = Obj(dst, "recent", func(dst []byte) []byte {
				for _, c := range slices.Sorted(maps.Keys(recent)) {
					dst = Num(dst, string(c), int64(recent[c]))
				}
				return dst
			})
		}
		dst = appendEarlier(dst, p.Standing.Earlier)
		pin := &p.Card.Pin
		if pin.Trust == "" {
			return dst
		}
		return Obj(dst, "pinned", func(dst []byte) []byte {
			dst = Str(dst, "trust", pin.Trust)
			if pin.Until != 0 {
				dst = When(dst, "until", time.UnixMilli(pin.Until))
			}
			return Str(Str(dst, "by", pin.By), "reason", pin.Reason)
		})
	})
	dst = List(dst, "penalties", len(p.Holding), func(dst []byte, i int) []byte { return AppendPenalty(dst, &p.Holding[i], at) })
	return Obj(dst, "counts", func(dst []byte) []byte {
		dst = Num(Num(dst, "penalties", int64(p.Counts.Penalties)), "strikes", int64(p.Counts.Strikes))
		return Num(Num(dst, "cases", int64(p.Counts.Cases)), "flagged", int64(p.Counts.Flagged))
	})
}

// trustName is how a trust is written out.
func trustName(trust string) string {
	if trust == "" {
		return "default"
	}
	return trust
}

// hundredths appends a number with two places.
func hundredths(dst []byte, name string, v float64) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return strconv.AppendFloat(dst, float64(int64(v*100+0.5))/100, 'f', -1, 64)
}

// AppendPlayerTimeline appends a page of a player's timeline and where the next one begins.
func AppendPlayerTimeline(dst []byte, list []store.PlayerEvent, at time.Time, cursor string) []byte {
	dst = List(dst, "events", len(list), func(dst []byte, i int) []byte {
		e := &list[i]
		dst = Str(When(dst, "at", time.UnixMilli(e.At)), "kind", e.Kind)
		return Obj(dst, e.Kind, func(dst []byte) []byte {
			switch {
			case e.Penalty != nil:
				return AppendPenalty(dst, e.Penalty, at)
			case e.Strike != nil:
				return appendStrike(dst, e.Strike)
			case e.Case != nil:
				return appendCaseLine(dst, e.Case)
			case e.Decision != nil:
				return appendDecisionLine(dst, e.Decision)
			case e.Report != nil:
				return appendReportLine(dst, e.Report)
			}
			return dst
		})
	})
	return Some(dst, "cursor", cursor)
}

func appendStrike(dst []byte, s *store.Strike) []byte {
	dst = Some(Some(Str(dst, "strike_id", s.ID), "category", string(s.Category)), "sub_label", s.SubLabel)
	dst = Num(Num(dst, "severity", int64(s.Severity)), "weight", int64(s.Weight))
	dst = Some(Some(dst, "case_id", string(s.Case)), "request_id", string(s.Request))
	dst = Flag(Str(dst, "by", s.By), "automatic", s.Automatic)
	if s.Undone != 0 {
		dst = Str(When(dst, "undone_at", time.UnixMilli(s.Undone)), "undone_by", s.UndoneBy)
	}
	return dst
}

func appendCaseLine(dst []byte, c *store.Case) []byte {
	dst = Str(Str(Str(dst, "case_id", string(c.ID)), "request_id", string(c.Request)), "state", c.State)
	dst = Some(Some(dst, "scene_id", string(c.Scene)), "kind", c.Kind)
	return Some(Some(Some(dst, "decision", c.Decision), "by", c.By), "reason", c.Reason)
}

func appendReportLine(dst []byte, r *store.Report) []byte {
	dst = Str(Str(Str(dst, "report_id", r.ID), "case_id", string(r.Case)), "reporter_id", string(r.Reporter))
	dst = Some(Some(dst, "message_id", string(r.Message)), "scene_id", string(r.Scene))
	dst = Some(Str(dst, "reason", r.Reason), "detail", r.Detail)
	return Num(Real(Str(dst, "state", r.State), "weight", r.Weight), "times", int64(r.Times))
}

func appendDecisionLine(dst []byte, d *store.Decision) []byte {
	v := &d.Verdict
	dst = Some(Str(Str(dst, "request_id", string(d.Request)), "kind", string(d.Kind)), "scene_id", string(d.Scene))
	dst = Str(Str(Str(dst, "suggestion", string(v.Suggestion)), "action", string(v.Action)), "mode", string(v.Mode))
	dst = appendLabels(append(Some(dst, "case_id", string(d.CaseID)), `,"label":`...), v.Labels)
	return appendCombined(Some(dst, "stricter", v.Stricter), v.Combined)
}
