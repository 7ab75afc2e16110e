package review

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// tell reports an outcome that stands: metrics, who listens, one log line, the feed.
func (d *Desk) tell(ctx context.Context, item *engines.Item, o *engines.Outcome, ev *evidence, path path) {
	d.metrics.verdict(item.Kind, path, &o.Verdict, o.Took)
	for _, who := range d.deps.Observers {
		who.Observed(item, *o, pathNames[path])
	}
	level := slog.LevelDebug
	if flagged(&o.Verdict) {
		level = slog.LevelInfo
		if d.deps.Witness != nil {
			d.deps.Witness.Saw(item, *o.Verdict.Found())
		}
	}
	if d.log.Enabled(ctx, level) {
		d.line(ctx, level, item, o, ev, path)
	}
	if path != pathBatch && d.deps.Feed != nil && d.deps.Feed.Wants(item.App) {
		now := time.Now()
		d.deps.Feed.Publish(Event{
			ID: newID(now), At: now, App: item.App, Kind: item.Kind, Scene: item.Scene,
			Player: item.Player, Session: item.Session, Request: item.RequestID,
			Language: item.Language, Content: written(item), Use: useOf(item), Media: factsOf(item), Verdict: o.Verdict, Case: o.CaseID,
			Inspected: ev.took, Took: o.Took, Path: pathNames[path],
		})
	}
}

// line logs a decision. The content never stands in a log.
func (d *Desk) line(ctx context.Context, level slog.Level, item *engines.Item, o *engines.Outcome, ev *evidence, path path) {
	v, found := &o.Verdict, o.Verdict.Found()
	attrs := make([]slog.Attr, 0, 21)
	attrs = append(attrs,
		slog.String("request_id", string(o.RequestID)),
		slog.String("app", string(item.App)),
		slog.String("player", string(item.Player)),
		slog.String("scene", string(item.Scene)),
		slog.String("kind", string(item.Kind)),
		slog.String("path", pathNames[path]),
		slog.String("mode", string(v.Mode)),
		slog.String("suggestion", string(v.Suggestion)),
		slog.String("action", string(v.Action)),
		slog.String("reason", reason(found)),
		slog.String("policy", v.PolicyVersion),
		slog.Duration("engines", ev.took),
		slog.Duration("took", o.Took),
	)
	if v.Observed != nil {
		attrs = append(attrs, slog.String("observed", string(v.Observed.Suggestion)))
	}
	if v.Shadow != nil {
		attrs = append(attrs, slog.String("shadow", string(v.Shadow.Suggestion)))
	}
	if v.Warn {
		attrs = append(attrs, slog.Bool("warn", true))
	}
	if v.Stricter != "" {
		attrs = append(attrs, slog.String("stricter", v.Stricter))
	}
	if o.CaseID != "" {
		attrs = append(attrs, slog.String("case", string(o.CaseID)))
	}
	for _, f := range ev.faults {
		attrs = append(attrs, slog.String("fault", f.Engine+" "+f.Reason))
	}
	d.log.LogAttrs(ctx, level, "verdict", attrs...)
}

// reason names the labels: "hate, harassment/insult".
func reason(f *engines.Finding) string {
	var b strings.Builder
	for i := range f.Labels {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(f.Labels[i].Category))
		if f.Labels[i].SubLabel != "" {
			b.WriteString("/" + f.Labels[i].SubLabel)
		}
	}
	return b.String()
}
