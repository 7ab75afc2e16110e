package gateway

import (
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// appendView appends a layer, a list or settings as they hold.
func appendView(dst []byte, v *policies.View) []byte {
	dst = wire.Str(wire.Str(wire.Str(dst, "layer", v.Layer), "name", v.Name), "source", v.Source)
	return appendBody(appendStored(dst, &v.Policy), v.Body)
}

// appendStored appends the version of what holds, 0 for what is built in.
func appendStored(dst []byte, p *store.Policy) []byte {
	dst = wire.Num(dst, "version", int64(p.Version))
	if p.Version > 0 {
		dst = wire.Str(dst, "etag", strconv.Quote(strconv.Itoa(p.Version)))
	}
	if p.Changed == 0 {
		return dst
	}
	return appendChanged(dst, p)
}

// appendBody appends what a version says, which is stored as JSON.
func appendBody(dst []byte, body string) []byte {
	if body == "" {
		return dst
	}
	return wire.Raw(dst, "body", []byte(body))
}

// appendChanged appends how a version came about.
func appendChanged(dst []byte, p *store.Policy) []byte {
	dst = wire.Str(wire.Str(dst, "how", p.How), "by", p.By)
	if p.Of > 0 {
		dst = wire.Num(dst, "of_version", int64(p.Of))
	}
	dst = wire.Some(wire.Some(wire.Some(dst, "rollout_id", p.Rollout), "approved_by", p.Approved), "comment", p.Comment)
	return wire.When(dst, "changed_at", time.UnixMilli(p.Changed))
}

func appendVersion(dst []byte, p *store.Policy) []byte {
	dst = appendChanged(wire.Flag(wire.Num(dst, "version", int64(p.Version)), "removed", p.Removed), p)
	return appendBody(dst, p.Body)
}

func appendDifference(dst []byte, d *policies.Difference) []byte {
	dst = wire.Str(dst, "pointer", d.Pointer)
	if d.Was != "" {
		dst = wire.Raw(dst, "was", []byte(d.Was))
	}
	if d.Is != "" {
		dst = wire.Raw(dst, "is", []byte(d.Is))
	}
	return dst
}

// appendRollout appends a rollout.
func appendRollout(dst []byte, r *store.Rollout) []byte {
	dst = wire.Str(wire.Str(wire.Str(dst, "rollout_id", r.ID), "layer", r.Layer), "name", r.Name)
	dst = wire.Str(wire.Num(dst, "version", int64(r.Version)), "state", string(r.State))
	if r.State == store.RolloutPaused || r.State.Ended() {
		dst = wire.Some(dst, "step", string(r.Step))
	}
	dst = wire.Num(wire.Num(dst, "share", int64(r.Share)), "base_version", int64(r.Base))
	if r.Remove {
		dst = wire.Flag(dst, "remove", true)
	}
	dst = wire.Some(wire.Str(dst, "by", r.By), "approved_by", r.Approved)
	dst = wire.Some(wire.Some(wire.Some(dst, "comment", r.Comment), "why", r.Why), "backtest_id", r.Backtest)
	if r.Published > 0 {
		dst = wire.Num(dst, "published_version", int64(r.Published))
	}
	dst = wire.Obj(dst, "bounds", func(dst []byte) []byte {
		dst = appendBound(wire.Num(dst, "least", r.Bounds.Least), "block", r.Bounds.Block)
		return appendBound(dst, "review", r.Bounds.Review)
	})
	dst = wire.When(wire.When(dst, "created_at", time.UnixMilli(r.Created)), "changed_at", time.UnixMilli(r.Changed))
	dst = wire.List(dst, "steps", len(r.Steps), func(dst []byte, i int) []byte {
		s := &r.Steps[i]
		dst = wire.Num(wire.Str(dst, "state", string(s.State)), "share", int64(s.Share))
		return wire.When(wire.Some(wire.Str(dst, "by", s.By), "why", s.Why), "at", time.UnixMilli(s.At))
	})
	dst = wire.List(dst, "tests", len(r.Tests), func(dst []byte, i int) []byte { return appendTest(dst, &r.Tests[i]) })
	return appendBody(dst, r.Body)
}

func appendBound(dst []byte, name string, b store.Bound) []byte {
	return wire.Obj(dst, name, func(dst []byte) []byte {
		return wire.Real(wire.Real(dst, "absolute", b.Absolute), "relative", b.Relative)
	})
}

func appendTest(dst []byte, t *store.PolicyTest) []byte {
	dst = wire.Str(wire.Str(dst, "content", t.Content), "kind", string(t.Kind))
	dst = wire.Some(wire.Some(dst, "language", t.Language), "scene_id", string(t.Scene))
	dst = wire.Some(wire.Some(dst, "region", t.Region), "segment", t.Segment)
	return wire.Obj(dst, "expect", func(dst []byte) []byte {
		return wire.Some(wire.Some(dst, "suggestion", string(t.Suggestion)), "category", string(t.Category))
	})
}

// suggestionNames are in the order in which policies count.
var suggestionNames = [3]string{string(engines.Pass), string(engines.Review), string(engines.Block)}

func appendSide(dst []byte, name string, n [3]int64) []byte {
	return wire.Obj(dst, name, func(dst []byte) []byte {
		total := n[0] + n[1] + n[2]
		dst = wire.Num(dst, "decisions", total)
		for i, s := range suggestionNames {
			dst = wire.Num(dst, s, n[i])
		}
		if total == 0 {
			return dst
		}
		dst = wire.Real(dst, "block_share", float64(n[2])/float64(total))
		return wire.Real(dst, "review_share", float64(n[1])/float64(total))
	})
}

// appendStats appends what a rollout has counted.
func appendStats(dst []byte, s *policies.Stats) []byte {
	dst = wire.List(dst, "stats", len(s.Steps), func(dst []byte, i int) []byte {
		one := &s.Steps[i]
		dst = appendSide(appendSide(wire.Str(dst, "step", one.Step), "live", one.Live), "draft", one.Draft)
		dst = appendPairs(dst, func(i, j int) float64 { return float64(one.Pairs[i][j]) })
		dst = wire.List(dst, "categories", len(one.Categories), func(dst []byte, i int) []byte {
			c := &one.Categories[i]
			dst = wire.Num(wire.Str(dst, "category", string(c.Category)), "live", c.Live)
			return wire.Num(wire.Num(dst, "draft", c.Draft), "both", c.Both)
		})
		return wire.Some(dst, "outside", one.Outside)
	})
	return appendSamples(dst, s.Samples)
}

// appendPairs appends what both policies say of the same items.
func appendPairs(dst []byte, of func(i, j int) float64) []byte {
	type pair struct{ i, j int }
	var list []pair
	for i := range suggestionNames {
		for j := range suggestionNames {
			if of(i, j) > 0 {
				list = append(list, pair{i, j})
			}
		}
	}
	return wire.List(dst, "pairs", len(list), func(dst []byte, n int) []byte {
		p := list[n]
		return wire.Real(wire.Str(wire.Str(dst, "live", suggestionNames[p.i]), "draft", suggestionNames[p.j]), "decisions", of(p.i, p.j))
	})
}

func appendSamples(dst []byte, list []store.PolicySample) []byte {
	return wire.List(dst, "samples", len(list), func(dst []byte, i int) []byte {
		s := &list[i]
		dst = wire.Str(wire.Str(wire.Str(dst, "request_id", string(s.Request)), "live", string(s.Live)), "draft", string(s.Draft))
		dst = wire.Some(wire.Some(wire.Some(dst, "step", s.Step), "arm", s.Arm), "category", string(s.Category))
		return wire.When(dst, "at", time.UnixMilli(s.At))
	})
}

// appendBacktest appends a back-test, with its result once it is done.
func appendBacktest(dst []byte, b *store.PolicyBacktest) []byte {
	dst = wire.Str(wire.Str(dst, "backtest_id", b.ID), "status", b.State)
	dst = wire.Some(wire.Some(wire.Str(dst, "by", b.By), "rollout_id", b.Rollout), "why", b.Why)
	dst = wire.When(wire.When(dst, "from", time.UnixMilli(b.From)), "to", time.UnixMilli(b.To))
	dst = wire.Num(dst, "decisions", b.Seen)
	progress := 0.0
	if b.To > b.From {
		progress = float64(b.Reached-b.From) / float64(b.To-b.From)
	}
	dst = wire.When(wire.Real(dst, "progress", progress), "created_at", time.UnixMilli(b.Created))
	if b.Drafts != "" {
		dst = wire.Raw(dst, "layers", []byte(b.Drafts))
	}
	if b.State != store.PolicyBacktestDone {
		return dst
	}
	return wire.Obj(dst, "result", func(dst []byte) []byte {
		d := &b.Result
		dst = wire.Num(wire.Real(wire.Num(dst, "decisions", d.Decisions), "weight", d.Weight), "without_content", d.Bare)
		dst = wire.List(dst, "pairs", len(d.Pairs), func(dst []byte, i int) []byte {
			p := &d.Pairs[i]
			return wire.Real(wire.Str(wire.Str(dst, "was", string(p.Was)), "is", string(p.Is)), "weight", p.Weight)
		})
		dst = wire.List(dst, "categories", len(d.Categories), func(dst []byte, i int) []byte {
			c := &d.Categories[i]
			return wire.Real(wire.Real(wire.Real(wire.Str(dst, "category", string(c.Category)), "was", c.Was), "is", c.Is), "both", c.Both)
		})
		return wire.List(dst, "samples", len(d.Samples), func(dst []byte, i int) []byte {
			s := &d.Samples[i]
			dst = wire.Str(wire.Str(wire.Str(dst, "request_id", string(s.Request)), "was", string(s.Live)), "is", string(s.Draft))
			return wire.When(wire.Some(dst, "category", string(s.Category)), "at", time.UnixMilli(s.At))
		})
	})
}

// appendExplanation appends which rules hold and which layer said so.
func appendExplanation(dst []byte, x *policy.Explanation) []byte {
	dst = wire.Some(wire.Str(dst, "policy_version", x.Version), "game_mode", x.GameMode)
	dst = wire.Strs(wire.Strs(dst, "layers", x.Layers), "windows", x.Windows)
	dst = wire.List(dst, "settings", len(x.Settings), func(dst []byte, i int) []byte {
		s := &x.Settings[i]
		dst = wire.Str(wire.Raw(wire.Str(dst, "pointer", s.Pointer), "value", []byte(s.Value)), "layer", s.Layer)
		return wire.Strs(dst, "overridden", s.Overridden)
	})
	dst = wire.List(dst, "rules", len(x.Rules), func(dst []byte, i int) []byte {
		r := &x.Rules[i]
		dst = wire.Flag(wire.Some(wire.Str(dst, "category", string(r.Category)), "sub_label", r.SubLabel), "enabled", r.Enabled)
		dst = wire.Flag(wire.Str(wire.Num(dst, "strictness", int64(r.Strictness)), "action", string(r.Action)), "mandatory", r.Mandatory)
		return wire.Some(dst, "reason", r.Reason)
	})
	return wire.List(dst, "words", len(x.Words), func(dst []byte, i int) []byte {
		w := &x.Words[i]
		return wire.Num(wire.Num(wire.Str(dst, "source", w.Source), "prohibited", int64(w.Prohibited)), "exceptions", int64(w.Exceptions))
	})
}

// appendPolicyTrial appends what the policy in force and a draft make of an item.
func appendPolicyTrial(dst []byte, text string, t *policies.Trial) []byte {
	dst = wire.Flag(dst, "changed", t.Live.Found().Suggestion != t.Draft.Found().Suggestion || t.Live.Action != t.Draft.Action)
	for _, side := range []struct {
		name string
		v    *engines.Verdict
		by   *policy.Explanation
	}{{"live", &t.Live, &t.LiveBy}, {"draft", &t.Draft, &t.DraftBy}} {
		dst = wire.Obj(dst, side.name, func(dst []byte) []byte {
			check := wire.TextCheck{Item: engines.Item{Text: text}, Detail: true}
			dst = wire.Raw(dst, "result", wire.AppendTextResult(nil, &check, &engines.Outcome{Verdict: *side.v}))
			return wire.Strs(wire.Str(dst, "policy_version", side.by.Version), "layers", side.by.Layers)
		})
	}
	return dst
}
