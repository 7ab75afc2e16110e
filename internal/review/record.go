package review

import (
	"context"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Ways to a verdict, for logs and metrics.
type path uint8

const (
	pathStream path = iota
	pathREST
	pathDeferred
	pathAsync
	pathBatch
	paths
)

var pathNames = [paths]string{"stream", "rest", "deferred", "async", "batch"}

// States of a scene message.
const (
	messageDelivered = "delivered"
	messageHeld      = "held"
	messageRetracted = "retracted"
)

// flagged reports whether the verdict must be on disk before anybody learns of
// it: something was found, or the content does not simply go on its way.
func flagged(v *engines.Verdict) bool {
	f := v.Found()
	return f.Suggestion != engines.Pass || len(f.Labels) > 0 || v.Action != engines.Deliver || v.Case
}

// decision makes the record of a check. weight is how many checks it stands for.
func decision(item *engines.Item, o *engines.Outcome, ev *evidence, weight float64) store.Decision {
	return store.Decision{
		Request:       item.RequestID,
		App:           item.App,
		Player:        item.Player,
		Scene:         item.Scene,
		Session:       item.Session,
		Kind:          item.Kind,
		Language:      item.Language,
		Content:       written(item),
		ContentSHA256: sumOf(item),
		Media:         factsOf(item),
		Signals:       slices.Clone(ev.signals),
		Circumstances: store.Circumstances{
			Segment: item.Segment, Region: item.Region, StrictLevel: item.StrictLevel, Live: item.Live, Use: useOf(item), Standing: ev.standing, Faults: slices.Clone(ev.faults),
		},
		Verdict:    o.Verdict,
		CaseID:     o.CaseID,
		Weight:     weight,
		Took:       o.Took,
		Created:    item.ReceivedAt,
		Statements: statements(item, &o.Verdict),
	}
}

// fullDecision is the record of one check, with what is kept of it as evidence.
func (d *Desk) fullDecision(ctx context.Context, item *engines.Item, o *engines.Outcome, ev *evidence) (rec store.Decision, err error) {
	rec = decision(item, o, ev, 1)
	if d.deps.Evidence != nil {
		rec.Evidence, err = d.deps.Evidence.Of(ctx, item, *o)
	}
	return rec, err
}

// kept is called once a record is committed.
func (d *Desk) kept(ctx context.Context, item *engines.Item, rec *store.Decision) error {
	if rec.Evidence == nil || !rec.Evidence.Blob {
		return nil
	}
	return d.deps.Evidence.Kept(ctx, item, rec.Evidence)
}

// caseOf makes the case that the verdict asks for, nil when it asks for none.
func (d *Desk) caseOf(item *engines.Item, o *engines.Outcome) *store.Case {
	if !o.Verdict.Case {
		return nil
	}
	now := time.Now()
	c := &store.Case{
		ID:      o.CaseID,
		App:     item.App,
		Request: item.RequestID,
		Player:  item.Player,
		Scene:   item.Scene,
		State:   store.CaseOpen,
		Held:    o.Verdict.Action == engines.Hold,
		Version: 1,
		Created: now,
		Updated: now,
	}
	if d.deps.Triage != nil {
		v := o.Verdict // its own copy: the outcome of a clean pass stays on the stack
		d.deps.Triage.Sort(c, &v)
	}
	return c
}

// messageOf makes the scene message of a flagged live item: what is held, to
// publish it later, and what was delivered, as context for review. A message
// that was dropped before anybody saw it is none.
func messageOf(item *engines.Item, o *engines.Outcome, path path) *store.SceneMessage {
	if !item.Live || item.Media != nil { // what was said in a call is no message
		return nil
	}
	m := &store.SceneMessage{
		App:      item.App,
		Scene:    item.Scene,
		Message:  item.RequestID,
		Player:   item.Player,
		Session:  item.Session,
		Content:  item.Text,
		Language: item.Language,
		State:    messageDelivered,
		Sent:     item.ReceivedAt,
	}
	switch o.Verdict.Action {
	case engines.Hold:
		m.State = messageHeld
	case engines.Drop:
		if path != pathDeferred {
			return nil
		}
		m.State = messageRetracted
	case engines.Deliver, engines.Mask:
	}
	if o.Verdict.Masked != "" {
		m.Content = o.Verdict.Masked
	}
	return m
}
