package review

import (
	"context"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

// evidence is what the engines said of one item. It is pooled: nothing may keep
// its slices.
type evidence struct {
	signals []engines.Signal
	faults  []engines.Fault
	took    time.Duration
	// standing is what was known of the player when policy decided.
	standing engines.Standing
}

// ruling is what decides an item: the rules, and the trial that they are part of.
type ruling struct {
	rules *policy.Resolved
	trial Trial // nil for none
}

func (d *Desk) ruling(item *engines.Item) ruling {
	r, t := d.deps.Policies.Resolve(item)
	return ruling{r, t}
}

// maxKept keeps one odd item from making its memory part of the pool for good.
const maxKept = 1024

func (d *Desk) gather() *evidence {
	ev, ok := d.evidence.Get().(*evidence)
	if !ok { // the pool holds nothing else
		return new(evidence)
	}
	return ev
}

func (d *Desk) release(ev *evidence) {
	if cap(ev.signals) > maxKept {
		return
	}
	clear(ev.signals) // holds strings of the item
	ev.signals, ev.faults = ev.signals[:0], ev.faults[:0]
	d.evidence.Put(ev)
}

// decide has the engines look and policy judge.
func (d *Desk) decide(ctx context.Context, item *engines.Item, by ruling, ev *evidence) engines.Outcome {
	start := time.Now()
	item.Words, item.Acoustic, item.VoiceLink = by.rules.Words(), by.rules.Acoustic(), by.rules.VoiceLink()
	d.inspect(ctx, item, ev)
	now := time.Now()
	ev.took = now.Sub(start)

	var st engines.Standing
	if d.deps.Standings != nil && item.Player != "" {
		st = d.deps.Standings.Standing(item.App, item.Player)
	}
	ev.standing = st
	o := engines.Outcome{
		RequestID: item.RequestID,
		Verdict:   policy.Decide(item, ev.signals, ev.faults, st, by.rules),
		Took:      now.Sub(item.ReceivedAt),
	}
	if by.trial != nil {
		version, shadow := by.trial.Decided(ctx, item, ev.signals, ev.faults, st, o.Verdict)
		if o.Verdict.Shadow = shadow; version != "" {
			o.Verdict.PolicyVersion = version
		}
	}
	if o.Verdict.Case {
		o.CaseID = engines.CaseID(newID(now))
	}
	return o
}

// refusal is why the content can't be looked at, nil where it can.
func (ev *evidence) refusal() *engines.Refusal {
	for i := range ev.faults {
		if r := ev.faults[i].Refusal; r != nil {
			return r
		}
	}
	return nil
}

func (d *Desk) inspect(ctx context.Context, item *engines.Item, ev *evidence) {
	inspectors := d.deps.Inspectors[item.Kind]
	switch len(inspectors) {
	case 0:
		// Never a silent pass: the fail rule decides what nobody can look at.
		ev.faults = append(ev.faults, engines.Fault{Engine: string(item.Kind), Reason: engines.ReasonFailed})
	case 1:
		ev.inspect(ctx, inspectors[0], item)
	default:
		ev.together(ctx, inspectors, item)
	}
}

func (ev *evidence) inspect(ctx context.Context, in Inspector, item *engines.Item) {
	found, fault := in.Inspect(ctx, item, ev.signals)
	ev.signals = found
	if fault != nil {
		ev.faults = append(ev.faults, *fault)
	}
}

// together has several inspectors look at once; the pools bound how long.
func (ev *evidence) together(ctx context.Context, inspectors []Inspector, item *engines.Item) {
	parts := make([]evidence, len(inspectors))
	var wg sync.WaitGroup
	for i := 1; i < len(inspectors); i++ {
		wg.Go(func() { parts[i].inspect(ctx, inspectors[i], item) })
	}
	parts[0].inspect(ctx, inspectors[0], item)
	wg.Wait()
	for i := range parts {
		ev.signals = append(ev.signals, parts[i].signals...)
		ev.faults = append(ev.faults, parts[i].faults...)
	}
}
