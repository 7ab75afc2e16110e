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

// categories is how many rules a Resolved has: one for each text category, and
// one for every category that policy has no word for, which a person decides.
const (
	categories    = 9
	otherCategory = categories - 1
)

// index gives the place of a category in engines.TextCategories. A switch costs
// a few nanoseconds where a map costs tens; a test holds the two together.
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
	}
	return otherCategory
}

// mandatory reports whether the law asks for the rule, so that no setting, no
// caller and no standing weakens it.
func mandatory(s *engines.Signal) bool {
	return s.Category == engines.Illegal && s.SubLabel == "child_safety"
}

// ruleFor returns the rule of a signal's category for this item and player.
func (r *Resolved) ruleFor(item *engines.Item, st engines.Standing, s *engines.Signal) rule {
	have := r.rules[index(s.Category)]
	have.level = level(have.level, item.StrictLevel, st, s.Category)
	if mandatory(s) {
		return rule{enabled: true, level: max(have.level, defaultStrictness), action: ActionBlock}
	}
	return have
}

// level is the strictness that counts: the caller's when it gave one, else the
// policy's moved by the player's standing, which never touches what is illegal.
func level(policy, caller int, st engines.Standing, c engines.Category) int {
	if caller >= 1 && caller <= MaxStrictness {
		return caller
	}
	if c == engines.Illegal {
		return policy
	}
	switch st.Trust {
	case "watched":
		policy++
	case "trusted":
		policy--
	}
	return min(max(policy, 1), MaxStrictness)
}
