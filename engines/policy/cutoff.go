package policy

import "github.com/portcullis-gg/portcullis/engines"

// MaxStrictness is the strictest level; 1 is the most lenient.
const MaxStrictness = 5

const defaultStrictness = 3

// cutoff holds the confidences from which a category is reviewed and blocked.
// Strictness moves these and never the confidence, which is a probability.
type cutoff struct{ review, block float64 }

// cutoffs by strictness; index 0 is unused. Each row is below the one before it
// in both columns, so that a stricter level never finds less.
var cutoffs = [MaxStrictness + 1]cutoff{
	1: {0.80, 0.97},
	2: {0.68, 0.92},
	3: {0.55, 0.85},
	4: {0.42, 0.75},
	5: {0.30, 0.65},
}

// categories is how many rules a Resolved has: one for each category of text and
// of media, and one for every category that policy has no word for, which a person
// decides.
const (
	categories    = 18
	otherCategory = categories - 1
)

// index gives the place of a category in engines.TextCategories and, behind them,
// engines.MediaCategories. A switch costs a few nanoseconds where a map costs tens;
// a test holds the two together.
func index(c engines.Category) int {
	switch c {
	case engines.Violence:
		return 0
	case engines.Sexual:
		return 1
	case engines.Hate:
		return 2
	case engines.Illegal:
		return 3
	case engines.Spam:
		return 4
	case engines.Harassment:
		return 5
	case engines.Political:
		return 6
	case engines.Privacy:
		return 7
	case engines.Nudity:
		return 8
	case engines.SemiNudity:
		return 9
	case engines.Gore:
		return 10
	case engines.ChildSafety:
		return 11
	case engines.Extremism:
		return 12
	case engines.IPInfringement:
		return 13
	case engines.MaliciousLink:
		return 14
	case engines.Advertising:
		return 15
	case engines.Acoustic:
		return 16
	}
	return otherCategory
}

// categoryAt is the category at a place that index gives, otherCategory aside.
func categoryAt(i int) engines.Category {
	if i < len(engines.TextCategories) {
		return engines.TextCategories[i]
	}
	return engines.MediaCategories[i-len(engines.TextCategories)]
}

// illegal reports whether what a category is about is against the law: nothing
// that is known of a player moves its cut-offs.
func illegal(category int) bool {
	switch category {
	case 3, 11, 12: // illegal, child_safety, extremism
		return true
	}
	return false
}

// ruleFor returns the rule of a signal's category and sub-label.
func (r *Resolved) ruleFor(s *engines.Signal) (have *rule, category int) {
	return r.ruleOf(s.Category, s.SubLabel)
}

func (r *Resolved) ruleOf(name engines.Category, sub string) (have *rule, category int) {
	category = index(name)
	c := &r.rules[category]
	for i := range c.subs {
		if c.subs[i].name == sub {
			return &c.subs[i].rule, category
		}
	}
	return &c.rule, category
}

// reasonOf is what players are told of a finding: the reason of the label that it goes
// by, "" for none.
func (r *Resolved) reasonOf(labels []engines.Label) string {
	l := engines.Gravest(labels)
	if l == nil {
		return ""
	}
	have, _ := r.ruleOf(l.Category, l.SubLabel)
	return have.reason
}

// levelFor is the strictness that counts for a rule: the caller's when it gave one,
// else the policy's moved by the player's standing, which never touches what is
// illegal. No caller and no standing goes below a mandatory rule's floor.
func (r *Resolved) levelFor(have *rule, category int, item *engines.Item, st *engines.Standing, c engines.Category) int {
	level := have.level
	switch {
	case callerLevel(item):
		level = item.StrictLevel
	case illegal(category):
	default:
		switch st.Trust {
		case "watched":
			level += r.trust.watched
		case "trusted":
			level -= r.trust.trusted
		}
		if len(st.Recent) > 0 && st.Recent[c] >= r.trust.recent {
			level += r.trust.recentStricter
		}
		level = clamp(level)
	}
	return max(level, have.floor)
}

// callerLevel reports whether the caller gave a strictness of its own.
func callerLevel(item *engines.Item) bool {
	return item.StrictLevel >= 1 && item.StrictLevel <= MaxStrictness
}
