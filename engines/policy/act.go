package policy

import "github.com/portcullis-gg/portcullis/engines"

// act turns the finding into the verdict of the mode:
//
//	mode             pass            review           block
//	real_time_block  deliver         deliver + case   drop
//	deferred_review  deliver         deliver + case   drop (retract) + case
//	pre_review       hold + case     hold + case      drop
//	monitor_only     deliver         deliver          deliver
//
// In pre_review a clear pass (nothing found, every engine answered) is delivered
// when the policy approves those. Where only masks made the review, the text is
// delivered masked and without a case; pre_review holds it all the same, with
// the masked text ready.
//
// A mandatory rule of a policy that escalates makes a case whatever the mode. What
// it blocks is blocked in a scene that a layer only monitors too.
func (f *finding) act(v *engines.Verdict, item *engines.Item, r *Resolved) {
	v.Action = engines.Deliver
	v.Hits = f.hits
	v.Mandatory = f.mandatory
	mode := f.mode(r)
	v.Mode = mode
	if mode == engines.MonitorOnly {
		v.Case = f.mandatory && r.escalate
		if f.suggestion != engines.Pass || len(f.labels) > 0 {
			v.Observed = &engines.Finding{Suggestion: f.suggestion, Labels: f.labels}
		}
		return
	}
	v.Suggestion, v.Labels = f.suggestion, f.labels
	switch {
	case f.suggestion == engines.Block:
		v.Action = engines.Drop
		v.Case = mode == engines.DeferredReview || f.mandatory && r.escalate
		return // the drop itself tells the player
	case mode == engines.PreReview:
		if f.clear() && !v.Degraded && r.ApproveClear {
			return
		}
		v.Action, v.Case = engines.Hold, true
		if f.masks() {
			v.Masked = f.masked(item.Text)
		}
	case mode == engines.DeferredReview && item.Live:
		// The text is out already: what can't be masked any more a person looks at.
		v.Case = f.person || f.masks()
	default:
		v.Case = f.person
		if f.masks() {
			v.Action, v.Masked = engines.Mask, f.masked(item.Text)
		}
	}
	v.Case = v.Case || f.mandatory && r.escalate
	v.Warn = f.warn
}

// mode is the filtering mode that counts: a layer that only monitors does not
// loosen a mandatory rule.
func (f *finding) mode(r *Resolved) engines.Mode {
	if r.Mode == engines.MonitorOnly && f.forced == engines.Block {
		return r.lawMode
	}
	return r.Mode
}

// clear reports whether nothing was found, not even something to warn about.
func (f *finding) clear() bool { return f.suggestion == engines.Pass && len(f.labels) == 0 }

func (f *finding) masks() bool { return f.whole || len(f.mask) > 0 }

func (f *finding) masked(text string) string {
	if f.whole {
		return mask(text, []engines.Span{{Start: 0, End: len(text)}}) // bytes are at least as many as code points
	}
	return mask(text, f.mask)
}
