package text

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// sure is the confidence from which a list's own tests count a signal.
const sure = 0.5

// test runs the tests that a list brings.
func (e *Engine) test(l *list) error {
	var faults []error
	for _, t := range l.MustHit {
		signals, err := e.look(l, t.Text.text)
		if err != nil {
			return err
		}
		if !t.met(signals) {
			faults = append(faults, fmt.Errorf("line %d: must_hit %q: want %s %s %q, got %s", t.Text.line, t.Text.text, t.Category, t.SubLabel, t.At, describe(signals)))
		}
	}
	for _, t := range l.MustPass {
		signals, err := e.look(l, t.text)
		if err != nil {
			return err
		}
		for _, s := range signals {
			if s.Confidence >= sure {
				faults = append(faults, fmt.Errorf("line %d: must_pass %q: got %s", t.line, t.text, describe(signals)))
				break
			}
		}
	}
	return errors.Join(faults...)
}

func (e *Engine) look(l *list, text string) ([]engines.Signal, error) {
	item := engines.Item{Kind: engines.KindText, Text: text, Language: l.Language}
	if strings.HasPrefix(l.Language, "mul") {
		item.Language = ""
	}
	signals, err := e.Inspect(context.Background(), &item, nil)
	if err != nil {
		return nil, fmt.Errorf("test list: %w", err)
	}
	return signals, nil
}

// met reports whether a signal is the one wanted.
func (t *hitTest) met(signals []engines.Signal) bool {
	runes := []rune(t.Text.text)
	for _, s := range signals {
		if s.Category == t.Category && s.Confidence >= sure && (t.SubLabel == "" || t.SubLabel == s.SubLabel) &&
			(t.At == "" || string(runes[s.Span.Start:s.Span.End]) == t.At) {
			return true
		}
	}
	return false
}

// describe lists what was found, for the author of a list.
func describe(signals []engines.Signal) string {
	if len(signals) == 0 {
		return "nothing"
	}
	var parts []string
	for _, s := range signals {
		parts = append(parts, fmt.Sprintf("%s/%s %.2f by %s", s.Category, s.SubLabel, s.Confidence, s.Rule))
	}
	return strings.Join(parts, ", ")
}
