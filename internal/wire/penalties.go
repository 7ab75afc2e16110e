package wire

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// KindPenalty is the kind of a feed event that tells of a penalty.
const KindPenalty engines.Kind = "penalty"

const (
	ladderSteps = 200 // what is more is told once
	ladderRow   = 16
)

var penaltyKinds = func() (list []string) {
	for _, k := range store.PenaltyKinds {
		list = append(list, string(k))
	}
	return list
}()

// PenaltyRequest asks for a penalty; Hours is 0 where it has no end.
type PenaltyRequest struct {
	Kind     store.PenaltyKind
	Hours    int64
	Reason   string
	Category engines.Category
}

// ReadPenalty reads a penalty; Err of o has its faults. A suspension ends, a warning
// and a ban have no end, the others may.
func ReadPenalty(o *Object) PenaltyRequest {
	p := PenaltyRequest{
		Kind: store.PenaltyKind(o.required("kind", penaltyKinds)), Reason: o.Label("reason", true), Category: engines.Category(o.ID("category", false)),
	}
	switch {
	case o.Has("hours"): // as the steps of a ladder call it; unseen, the penalty would never end
		o.Fault("hours", "is called duration_hours here")
	case (p.Kind == store.PenaltyWarn || p.Kind == store.PenaltyBan) && o.Has("duration_hours"):
		o.Fault("duration_hours", "has no meaning for this kind")
	case p.Kind == store.PenaltySuspend && !o.Has("duration_hours"):
		o.Fault("duration_hours", "is required: a suspension ends; for good it is a ban")
	default:
		p.Hours, _ = o.Int("duration_hours", 1, maxBanHours)
	}
	return p
}

// ReadPenaltyKind reports whether a name is a kind.
func ReadPenaltyKind(name string) (store.PenaltyKind, bool) {
	return store.PenaltyKind(name), slices.Contains(penaltyKinds, name)
}

// AppendPenalty appends the members of a penalty, with its status at a time.
func AppendPenalty(dst []byte, p *store.Penalty, at time.Time) []byte {
	dst = Str(Str(Str(dst, "penalty_id", p.ID), "player_id", string(p.Player)), "kind", string(p.Kind))
	dst = Str(Str(Some(dst, "category", string(p.Category)), "reason", p.Reason), "by", p.By)
	dst = When(Str(dst, "status", p.Status(at.UnixMilli())), "created_at", time.UnixMilli(p.Created))
	switch {
	case p.Kind == store.PenaltyWarn:
	case p.Expires == 0:
		dst = append(dst, `,"expires_at":null`...)
	default:
		dst = When(dst, "expires_at", time.UnixMilli(p.Expires))
	}
	if p.Strike != "" {
		dst = Num(Str(dst, "strike_id", p.Strike), "step", int64(p.Step))
	}
	if p.Lifted != 0 {
		dst = Str(Str(When(dst, "lifted_at", time.UnixMilli(p.Lifted)), "lifted_by", p.LiftedBy), "lift_reason", p.LiftReason)
	}
	return dst
}

// AppendPenalties appends a page of penalties and where the next one begins.
func AppendPenalties(dst []byte, list []store.Penalty, at time.Time, cursor string) []byte {
	dst = List(dst, "penalties", len(list), func(dst []byte, i int) []byte { return AppendPenalty(dst, &list[i], at) })
	return Some(dst, "cursor", cursor)
}

// AppendPenaltyEvent appends a feed.event that tells moderators of a penalty: the
// members of any feed event, those of a verdict empty, and the penalty's.
func AppendPenaltyEvent(dst []byte, id string, at time.Time, p *store.Penalty, state string) []byte {
	dst = appendString(append(open(dst, "feed.event", ""), `,"event_id":`...), id)
	dst = Str(When(dst, "at", at), "app_id", string(p.App))
	dst = Str(Str(dst, "kind", string(KindPenalty)), "scene_id", "")
	dst = Str(append(dst, `,"label":[],"content":"","latency_ms":0`...), "request_id", "")
	dst = Str(Str(dst, "player_id", string(p.Player)), "state", state)
	return append(Obj(dst, "penalty", func(dst []byte) []byte { return AppendPenalty(dst, p, at) }), '}')
}

// ReadLadder reads a ladder as far as its shape goes; whether it makes sense is asked
// of internal/penalty, and Merge puts the faults together.
func ReadLadder(o *Object) store.LadderRules {
	r := store.LadderRules{Automatic: o.Bool("automatic"), WindowDays: o.count("window_days", 1, 1<<20), Weights: map[string][]int{}, Start: map[string]store.PenaltyKind{}}
	for _, need := range []string{"window_days", "weights", "steps"} {
		if !o.Has(need) {
			o.Fault(need, "is required")
		}
	}
	o.ladderWeights(r.Weights)
	o.ladderStart(r.Start)
	r.Steps = o.ladderSteps()
	if layers := o.Object("layers"); layers != nil {
		r.Layers = map[string]store.LadderLayer{}
		for _, m := range layers.members {
			if in := layers.Object(string(m.name)); in != nil {
				r.Layers[string(m.name)] = readLadderLayer(in)
			}
		}
	}
	return r
}

// readLadderLayer reads what a ladder says of a layer of the policy.
func readLadderLayer(o *Object) store.LadderLayer {
	l := store.LadderLayer{WindowDays: o.count("window_days", 1, 1<<20), Weights: map[string][]int{}}
	if o.Has("start") {
		l.Start = map[string]store.PenaltyKind{}
	}
	if o.Has("automatic") {
		automatic := o.Bool("automatic")
		l.Automatic = &automatic
	}
	o.ladderWeights(l.Weights)
	o.ladderStart(l.Start)
	l.Steps = o.ladderSteps()
	return l
}

func (o *Object) ladderWeights(into map[string][]int) {
	weights := o.Object("weights")
	if weights == nil {
		return
	}
	for _, m := range weights.members {
		into[string(m.name)] = weights.ints(string(m.name), ladderRow)
	}
}

func (o *Object) ladderStart(into map[string]store.PenaltyKind) {
	start := o.Object("start")
	if start == nil {
		return
	}
	for _, m := range start.members {
		into[string(m.name)] = store.PenaltyKind(start.oneOf(string(m.name), penaltyKinds))
	}
}

func (o *Object) ladderSteps() (list []store.LadderStep) {
	err := o.Each("steps", ladderSteps, func(_ int, e *Object) {
		s := store.LadderStep{
			Weight: e.count("weight", 0, 1<<20), Kind: store.PenaltyKind(e.required("kind", penaltyKinds)),
			Hours: e.count("hours", 0, 1<<20), WindowDays: e.count("window_days", 0, 1<<20),
		}
		for _, name := range e.IDs("categories", ladderSteps) {
			s.Categories = append(s.Categories, engines.Category(name))
		}
		list = append(list, s)
	})
	if err != nil {
		o.Fault("steps", "has too many entries")
	}
	return list
}

// ints reads an array of whole numbers.
func (o *Object) ints(name string, most int) (list []int) {
	values, err := o.array(name, most)
	if err != nil {
		o.Fault(name, "has too many entries")
		return nil
	}
	for _, v := range values {
		n, err := strconv.Atoi(string(v))
		if v.Kind() != '0' || err != nil {
			o.Fault(name, "must be whole numbers")
			return nil
		}
		list = append(list, n)
	}
	return list
}

// AppendLadder appends a ladder: that of the app, or of the configuration as long as
// its version is 0.
func AppendLadder(dst []byte, l *store.Ladder) []byte {
	dst = Num(dst, "version", int64(l.Version))
	if l.Version > 0 {
		dst = When(Str(dst, "by", l.By), "changed_at", time.UnixMilli(l.Changed))
	}
	r := &l.Rules
	dst = Num(Flag(dst, "automatic", r.Automatic), "window_days", int64(r.WindowDays))
	for _, m := range []struct {
		name  string
		value any
	}{{"weights", r.Weights}, {"start", r.Start}} {
		raw, err := json.Marshal(m.value) // sorts the keys; plain maps can't fail
		if err != nil || string(raw) == "null" {
			raw = []byte("{}")
		}
		dst = Raw(dst, m.name, raw)
	}
	if len(r.Layers) > 0 {
		if raw, err := json.Marshal(r.Layers); err == nil { // as above
			dst = Raw(dst, "layers", raw)
		}
	}
	return List(dst, "steps", len(r.Steps), func(dst []byte, i int) []byte {
		s := &r.Steps[i]
		dst = Str(Num(dst, "weight", int64(s.Weight)), "kind", string(s.Kind))
		if s.Hours > 0 {
			dst = Num(dst, "hours", int64(s.Hours))
		}
		if s.WindowDays > 0 {
			dst = Num(dst, "window_days", int64(s.WindowDays))
		}
		if len(s.Categories) > 0 {
			names := make([]string, len(s.Categories))
			for k, c := range s.Categories {
				names[k] = string(c)
			}
			dst = Strs(dst, "categories", names)
		}
		return dst
	})
}
