package casework

import (
	"cmp"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Agreement is how far pairs of decisions are the same.
type Agreement struct {
	Pairs  int
	Agreed int
	// Raw is the share that agrees, 0 to 1. Kappa is Cohen's, which takes away what
	// chance alone would have agree: 1 is perfect, 0 no better than chance. Defined is
	// false where it cannot be told: no pairs, or both always said the same one thing.
	Raw, Kappa float64
	Defined    bool
	// Categories say the same of each category by itself: whether each found it.
	Categories []CategoryAgreement
}

// CategoryAgreement is the agreement on one category.
type CategoryAgreement struct {
	Category   engines.Category
	Both       int // found it
	FirstOnly  int
	SecondOnly int
	Neither    int
	Raw, Kappa float64
	Defined    bool
}

// word is what one decision said, as one of several words.
func word(decision string, category engines.Category) string {
	if decision == store.CaseRejected {
		return "reject " + string(category)
	}
	return decision
}

// Agree counts the agreement of pairs (Cohen, A coefficient of agreement for nominal
// scales, 1960).
func Agree(pairs []store.CasePair) Agreement {
	a := Agreement{Pairs: len(pairs)}
	first, second := map[string]int{}, map[string]int{}
	found := map[engines.Category]*CategoryAgreement{}
	for i := range pairs {
		p := &pairs[i]
		x, y := word(p.FirstDecision, p.FirstCategory), word(p.SecondDecision, p.SecondCategory)
		first[x]++
		second[y]++
		if x == y {
			a.Agreed++
		}
		for _, c := range []engines.Category{p.FirstCategory, p.SecondCategory} {
			if c != "" && found[c] == nil {
				found[c] = &CategoryAgreement{Category: c}
			}
		}
	}
	chance := 0.0
	for x, n := range first {
		chance += share(n, a.Pairs) * share(second[x], a.Pairs)
	}
	a.Raw = share(a.Agreed, a.Pairs)
	a.Kappa, a.Defined = kappa(a.Raw, chance, a.Pairs)
	for _, c := range found {
		c.count(pairs)
		a.Categories = append(a.Categories, *c)
	}
	slices.SortFunc(a.Categories, func(x, y CategoryAgreement) int { return cmp.Compare(x.Category, y.Category) })
	return a
}

func (c *CategoryAgreement) count(pairs []store.CasePair) {
	for i := range pairs {
		x, y := pairs[i].FirstCategory == c.Category, pairs[i].SecondCategory == c.Category
		switch {
		case x && y:
			c.Both++
		case x:
			c.FirstOnly++
		case y:
			c.SecondOnly++
		default:
			c.Neither++
		}
	}
	n := len(pairs)
	px, py := share(c.Both+c.FirstOnly, n), share(c.Both+c.SecondOnly, n)
	c.Raw = share(c.Both+c.Neither, n)
	c.Kappa, c.Defined = kappa(c.Raw, px*py+(1-px)*(1-py), n)
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// kappa is what agrees beyond chance, of what could.
func kappa(raw, chance float64, n int) (float64, bool) {
	const always = 1 - 1e-12 // both said one thing only
	if n == 0 || chance >= always {
		return 0, false
	}
	return (raw - chance) / (1 - chance), true
}
