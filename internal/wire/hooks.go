package wire

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// MaxHooks is how many endpoints an app may have.
const MaxHooks = 16

// HookRequest is what an app asks for one of its endpoints.
type HookRequest struct {
	ID      string
	URL     string
	Events  []string
	Enabled bool
	Rotate  bool
}

// ReadHooks reads the endpoints that an app asks for; types are the events there
// are, and fault says what is wrong with a URL, "" where nothing is.
func ReadHooks(o *Object, types []string, fault func(url string) string) (list []HookRequest, err error) {
	if !o.Has("webhooks") {
		o.Fault("webhooks", "is required; an empty array removes all")
	}
	seen := map[string]bool{}
	err = o.Each("webhooks", MaxHooks, func(_ int, e *Object) {
		h := HookRequest{ID: e.ID("id", false), URL: e.Require("url"), Enabled: true, Rotate: e.Bool("rotate_secret")}
		if e.Has("enabled") {
			h.Enabled = e.Bool("enabled")
		}
		if why := fault(h.URL); h.URL != "" && why != "" {
			e.Fault("url", why)
		}
		if seen[h.URL] || h.ID != "" && seen[h.ID] {
			e.Fault("url", "stands twice")
		}
		seen[h.URL], seen[h.ID] = true, true
		h.Events = e.IDs("events", len(types)+1)
		if len(h.Events) == 0 {
			e.Fault("events", "names at least one, or * for all")
		}
		for _, name := range h.Events {
			if name != "*" && !slices.Contains(types, name) {
				e.Fault("events", fmt.Sprintf("must be of %s, *", strings.Join(types, ", ")))
				break
			}
		}
		list = append(list, h)
	})
	if err == nil {
		err = o.Err()
	}
	return list, err
}

// CloudEvent are the attributes of an event (CloudEvents 1.0, structured JSON).
type CloudEvent struct {
	ID      string
	App     engines.AppID
	Type    string
	Subject string // "" is none
	At      time.Time
}

// AppendCloudEvent appends an event; data appends the members of its data.
func AppendCloudEvent(dst []byte, e *CloudEvent, data func([]byte) []byte) []byte {
	dst = appendString(append(dst, `{"specversion":"1.0","id":`...), e.ID)
	dst = Str(Str(dst, "source", "/apps/"+string(e.App)), "type", e.Type)
	dst = When(Some(dst, "subject", e.Subject), "time", e.At)
	dst = appendString(append(Str(dst, "datacontenttype", "application/json"), `,"data":{"app_id":`...), string(e.App))
	return append(data(dst), '}', '}')
}

// AppendBanChange appends what webhooks tell of a ban.
func AppendBanChange(dst []byte, b *economy.Ban, state economy.BanState) []byte {
	dst = Str(AppendBan(dst, b), "state", string(state))
	dst = Str(Str(dst, "reason", b.Reason), "by", b.By)
	dst = When(dst, "created_at", time.UnixMilli(b.Created))
	if b.Lifted != 0 {
		dst = Str(Str(When(dst, "lifted_at", time.UnixMilli(b.Lifted)), "lifted_by", b.LiftedBy), "lift_reason", b.LiftReason)
	}
	return dst
}

// AppendAlert appends what the economy found by itself, as members of a case.
func AppendAlert(dst []byte, a *economy.Alert) []byte {
	dst = When(Num(dst, "risk_score", int64(a.Score)), "found_at", time.UnixMilli(a.At))
	if a.Level != "" {
		dst = Str(dst, "risk_level", string(a.Level))
	}
	dst = List(dst, "risk_factors", len(a.Factors), func(dst []byte, i int) []byte {
		return Num(Str(dst, "factor", a.Factors[i].Code), "score", int64(a.Factors[i].Score))
	})
	if n := a.Now; n != nil {
		dst = Obj(dst, "now", func(dst []byte) []byte {
			dst = Str(Num(dst, "risk_score", int64(n.Score)), "risk_level", string(n.Level))
			return Flag(When(dst, "at", time.UnixMilli(n.At)), "fallen", n.Fallen)
		})
	}
	l := a.Link
	if l == nil {
		return dst
	}
	return Obj(dst, "link", func(dst []byte) []byte {
		dst = Str(Str(Str(dst, "factor", "banned_link"), "banned_player_id", string(l.Banned)), "ban_id", l.BanID)
		dst = Num(When(Str(dst, "by", l.By), "banned_at", time.UnixMilli(l.Since)), "accounts", int64(l.Seats))
		if l.By == economy.ByVoice {
			dst = Obj(dst, "voice", func(dst []byte) []byte {
				return Num(Real(Real(dst, "similarity", l.Similarity), "threshold", l.Threshold), "spoken_ms", l.SpokenMS)
			})
		}
		dst = When(dst, "banned_last_seen_at", time.UnixMilli(l.Last))
		dst = When(When(dst, "first_seen_at", time.UnixMilli(l.First)), "last_seen_at", time.UnixMilli(l.Latest))
		return When(dst, "account_since", time.UnixMilli(l.Appeared))
	})
}
