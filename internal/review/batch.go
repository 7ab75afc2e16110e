package review

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Judged is a verdict that nobody has recorded yet. Decision is nil where the policy
// keeps no record of it (a clean pass), Case where the verdict opens none. Refused is why
// the content can't be looked at: then there is no verdict.
type Judged struct {
	Outcome  engines.Outcome
	Decision *store.Decision
	Case     *store.Case
	Refused  *engines.Refusal

	item   *engines.Item
	took   time.Duration
	faults []engines.Fault
}

// Judge decides an item that is part of many which its caller records together; nothing
// happens but that. It fills RequestID and ReceivedAt where they are empty. What the
// player said before is not looked for, nor is the item remembered: a batch is no
// conversation.
func (d *Desk) Judge(ctx context.Context, item *engines.Item) Judged {
	if item.Context == nil {
		item.Context = &alone
	}
	item.Behind = true
	d.admit(item)
	by := d.ruling(item)
	ev := d.gather()
	defer d.release(ev)
	j := Judged{Outcome: d.decide(ctx, item, by, ev), item: item, took: ev.took, faults: slices.Clone(ev.faults)}
	if j.Refused = ev.refusal(); j.Refused != nil {
		return j
	}
	record := d.recordOf(ctx, item, &j.Outcome, by.rules.SampleRate, ev)
	if record == nil {
		return j
	}
	j.Decision, j.Case = record, d.caseOf(item, &j.Outcome)
	return j
}

// recordOf is what is stored of a verdict; nil where the policy keeps no record of it.
// Most of a batch are those, which is why nothing is made before that is known.
func (d *Desk) recordOf(ctx context.Context, item *engines.Item, o *engines.Outcome, rate float64, ev *evidence) *store.Decision {
	switch {
	case flagged(&o.Verdict):
		record, err := d.fullDecision(ctx, item, o, ev)
		if err != nil { // of text there is none
			d.log.LogAttrs(ctx, slog.LevelError, "no evidence kept", slog.String("request_id", string(item.RequestID)), slog.Any("error", err))
		}
		return &record
	case rate <= 0 || rate < 1 && rand.Float64() >= rate:
		return nil
	}
	record := decision(item, o, ev, 1/rate)
	return &record
}

// alone is the context of what nothing was said before. It is only read.
var alone engines.Context

// Busy reports whether an engine had no time for it: another try may find it has.
func (j *Judged) Busy() bool {
	return slices.ContainsFunc(j.faults, func(f engines.Fault) bool { return f.Reason == engines.ReasonOverloaded })
}

// Stand tells of verdicts that their caller has recorded: files of theirs stay on the disk
// from here on, metrics, who listens, one log line each. The moderators' live feed is not told: a batch would drown what is live.
func (d *Desk) Stand(ctx context.Context, list []Judged) {
	for i := range list {
		j := &list[i]
		if j.Decision != nil {
			if err := d.kept(ctx, j.item, j.Decision); err != nil {
				d.log.LogAttrs(ctx, slog.LevelError, "evidence not kept", slog.String("request_id", string(j.item.RequestID)), slog.Any("error", err))
			}
		}
		d.tell(ctx, j.item, &j.Outcome, &evidence{took: j.took, faults: j.faults}, pathBatch)
	}
}

// Live counts the items that somebody waited for, since the start: what goes on behind
// looks whether it has grown, and gives way.
func (d *Desk) Live() uint64 { return d.live.Load() }
