package casework

import (
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// topPriority is that of what endangers somebody now.
const topPriority = 4

// Rules are what happens to cases. They are pure: the same facts and the same move
// make the same change.
type Rules struct{ cfg Config }

// NewRules makes rules of a configuration that is valid.
func NewRules(cfg Config) *Rules { return &Rules{cfg: cfg} }

// HasQueue reports whether cases are sorted into a queue of this name.
func (r *Rules) HasQueue(name string) bool {
	return slices.Contains([]string{QueueGeneral, QueueAppeals, QueueSenior, QueueReports}, name) ||
		slices.ContainsFunc(r.cfg.Queues, func(q Queue) bool { return q.Queue == name })
}

// dangerous are what cannot wait, whatever severity an engine gave it.
var dangerous = []string{"child_safety", "self_harm", "extremism"}

// danger is 0 to 4.
func danger(category engines.Category, sub string, severity int) int {
	if category == "" {
		return 0
	}
	if slices.Contains(dangerous, sub) || slices.Contains(dangerous, string(category)) {
		return topPriority
	}
	d := severity - 1
	if category.HighRisk() {
		d++
	}
	return min(max(d, 0), topPriority)
}

// Sort gives a new case what it was found to be, and its place: the gravest label
// names it.
func (r *Rules) Sort(c *store.Case, v *engines.Verdict) {
	best := -1
	labels := v.Found().Labels
	for i := range labels {
		l := &labels[i]
		if best >= 0 {
			b := &labels[best]
			x, y := danger(l.Category, l.SubLabel, l.Severity), danger(b.Category, b.SubLabel, b.Severity)
			if x < y || x == y && l.Confidence <= b.Confidence {
				continue
			}
		}
		best = i
	}
	if best >= 0 {
		c.Category, c.SubLabel, c.Severity = labels[best].Category, labels[best].SubLabel, labels[best].Severity
	}
	c.Queue = r.QueueOf(c.Kind, c.Category)
	r.Weigh(c)
}

// QueueOf is where a case of a kind and category goes.
func (r *Rules) QueueOf(kind string, category engines.Category) string {
	for i := range r.cfg.Queues {
		q := &r.cfg.Queues[i]
		named := len(q.Kinds) > 0 || len(q.Categories) > 0
		if named && (len(q.Kinds) == 0 || slices.Contains(q.Kinds, kind)) && (len(q.Categories) == 0 || slices.Contains(q.Categories, string(category))) {
			return q.Queue
		}
	}
	return QueueGeneral
}

// Weigh sets how urgent a case is, by what it is, who waits for it and how much the
// reports on it weigh. What it is due by never moves back.
func (r *Rules) Weigh(c *store.Case) {
	p := danger(c.Category, c.SubLabel, c.Severity)
	if c.Held || c.Kind == store.CaseOfAppeal {
		p = max(p, 1) // somebody waits
	}
	if c.Kind == store.CaseOfReports && c.Weight < doubtful {
		p = 0 // nobody whose word counts says so
	} else {
		p += boost(c.Weight)
	}
	p = min(p+c.Level, topPriority)
	if c.Alert != nil {
		p = max(p, c.Priority) // the economy has its own
	}
	c.Priority = p
	wait := r.cfg.Due.of(p)
	if c.Held {
		wait = min(wait, r.cfg.Held)
	}
	if due := c.Created.Add(wait).Truncate(time.Millisecond); c.Due.IsZero() || due.Before(c.Due) {
		c.Due = due
	}
}

// boost is what reports add: one by somebody of whom nothing is known weighs a half.
func boost(weight float64) int {
	switch {
	case weight >= 4:
		return 3
	case weight >= 2:
		return 2
	case weight >= 1:
		return 1
	}
	return 0
}

// doubtful is a weight below which reports alone do not make a case urgent.
const doubtful = 0.2

// ReporterWeight is how much a report counts by how the reporter's earlier ones have
// turned out: the mean of a Beta(1, 1) prior with them, the chance that the next one
// is upheld. 0.5 where nothing is known.
func ReporterWeight(upheld, dismissed int) float64 {
	return float64(upheld+1) / float64(upheld+dismissed+2)
}
