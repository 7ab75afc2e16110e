package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

func (x *explanation) print(w io.Writer, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(x); err != nil {
			return fmt.Errorf("explain: %w", err)
		}
	} else {
		x.text(&b)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("explain: print: %w", err)
	}
	return nil
}

func (x *explanation) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s (%s, policy %s)\n", x.Suggestion, x.Action, x.Mode, x.Policy)
	if x.Masked != "" {
		fmt.Fprintf(b, "delivered as %q\n", x.Masked)
	}
	if x.Warn {
		b.WriteString("the player is told\n")
	}
	if x.Observed {
		b.WriteString("only observed: this mode acts on nothing\n")
	}
	for _, r := range x.Readings {
		if len(r.Changes) > 0 {
			fmt.Fprintf(b, "read as %q (%s)\n", r.Text, r.Name)
		}
	}
	x.Whole.text(b)
	if len(x.Signals) == 0 {
		b.WriteString("nothing found\n")
	}
	for i := range x.Signals {
		x.Signals[i].text(b)
	}
}

func (w *explainedWhole) text(b *strings.Builder) {
	if w == nil {
		return
	}
	b.WriteString("read as a whole:")
	before := ""
	if a := w.Answers; a != nil {
		fmt.Fprintf(b, " offer %.2f, crime %.2f, personal data %.2f, abuse %.2f, hate %.2f", a.Offer, a.Crime, a.Personal, a.Abuse, a.Hate)
		before = "; with all else"
	}
	for _, p := range [...]struct {
		what string
		p    *float64
	}{{"attack", w.Attack}, {"spam", w.Spam}, {"illegal", w.Illegal}, {"privacy", w.Privacy}, {"anything else", w.Wrong}} {
		if p.p != nil {
			fmt.Fprintf(b, "%s %s %.2f", before, p.what, *p.p)
			before = ","
		}
	}
	b.WriteString("\n")
}

func (s *explainedSignal) text(b *strings.Builder) {
	label := string(s.Category)
	if s.SubLabel != "" {
		label += "/" + s.SubLabel
	}
	fmt.Fprintf(b, "\n%s %.2f, severity %d\n", label, s.Confidence, s.Severity)
	fmt.Fprintf(b, "  found by  %s %s", s.Source, s.Rule)
	if s.Language != "" {
		fmt.Fprintf(b, " (%s)", s.Language)
	}
	b.WriteString("\n")
	if s.End > s.Start {
		fmt.Fprintf(b, "  matched   %q, code points %d to %d\n", s.Matched, s.Start, s.End)
	} else {
		b.WriteString("  matched   the text as a whole\n")
	}
	if len(s.Steps) > 0 {
		fmt.Fprintf(b, "  read as   %s\n", strings.Join(s.Steps, ", "))
	}
	fmt.Fprintf(b, "  policy    %s: %s\n", s.Leads, s.Why)
	for _, r := range s.Reasons {
		fmt.Fprintf(b, "  weighed   %+.2f %s\n", r.Weight, r.What)
	}
}
