package policy

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines"
)

// What is known of a player beside the item joins the item's own confidence, by the
// same noisy-or as in combine.go: what was found in the player's earlier text, names,
// pictures and speech, and what the economy knows of its trades,
//
//	p = 1 - (1 - own)(1 - h)     h = 1 - (1 - w c1)(1 - w c2)...   at most Most
//
// in which each earlier finding of confidence c counts w = Weight * 2^(-age/HalfLife),
// one of a related category (nudity for sexual) half of that, and the economy's score,
// where it is high, Weight of it. It is a prior, and no proof:
//
//   - what the item itself is not at least telling of is left alone, so that history
//     by itself finds nothing;
//   - it moves a finding by one step at most: what would pass by itself is looked at by
//     a person, and is never blocked for what its player did before;
//   - it is not asked about what is illegal, where the caller gave a strictness, or for
//     an operator's own words, which are decided as their entry says.
//
// A player's strikes and risk also move cut-offs (levelFor, economyRule). Here the same
// things count once more as evidence, so this is judged by cut-offs that they have not
// moved: the one or the other finds more, never both together.

// history is HistorySettings with its defaults.
type history struct {
	window, halfLife int64 // ms
	weight, most     float64
}

const (
	defaultWindow   = 24 * 60 // minutes
	defaultHalfLife = 6 * 60
	defaultWeight   = 0.25
	defaultMost     = 0.3
	minute          = 60_000 // ms
	related         = 0.5
)

// relative is what categories of text and of media that are about the same are called
// together by, index for those that stand alone.
func relative(category int) int {
	switch category {
	case 8, 9: // nudity, semi_nudity
		return 1 // sexual
	case 10: // gore
		return 0 // violence
	case 14, 15: // malicious_link, advertising
		return 4 // spam
	}
	return category
}

// known is what is known of a player beside an item.
type known struct {
	// counts is what each of Standing.Earlier counts for its own category, which of them it
	// is; 0 is nothing.
	counts [engines.EarlierMost]float64
	which  [engines.EarlierMost]int
	// prior is what all comes to for a category of the item, and before how many of
	// Standing.Earlier have a part in it.
	prior  [categories]float64
	before [categories]int
}

// knows reports whether there is anything that learn may find.
func (r *Resolved) knows(item *engines.Item, st *engines.Standing) bool {
	return r.history.weight > 0 && r.history.most > 0 && !callerLevel(item) && (len(st.Earlier) > 0 || st.EconomyRisk >= r.economy.risk)
}

// learn works out what is known for the categories that the item itself is telling of.
func (k *known) learn(item *engines.Item, own *[categories]combined, st *engines.Standing, r *Resolved) {
	var wanted [categories]bool // by relative
	for i := range own {
		wanted[relative(i)] = wanted[relative(i)] || asked(own, i)
	}
	now := item.ReceivedAt.UnixMilli()
	for i := range st.Earlier[:min(len(st.Earlier), len(k.counts))] {
		e := &st.Earlier[i]
		age, category := max(now-e.At, 0), index(e.Category)
		if k.which[i] = category; category != otherCategory && wanted[relative(category)] && age <= r.history.window && e.Request != item.RequestID {
			k.counts[i] = r.history.weight * math.Exp2(-float64(age)/float64(r.history.halfLife)) * min(max(e.Confidence, 0), 1)
		}
	}
	for i := range own {
		if !asked(own, i) {
			continue
		}
		not := 1.0
		for j := range k.counts {
			if counts := k.countsFor(j, i); counts > 0 {
				not *= 1 - counts
				k.before[i]++
			}
		}
		if risk := r.economyCounts(i, st); risk > 0 {
			not *= 1 - risk
		}
		k.prior[i] = min(1-not, r.history.most)
	}
}

// asked reports whether what is known may join the item's own evidence for a category.
func asked(own *[categories]combined, category int) bool {
	return own[category].surest > 0 && category != otherCategory && !illegal(category)
}

// countsFor is what one earlier finding counts for a category.
func (k *known) countsFor(i, category int) float64 {
	switch {
	case k.counts[i] == 0 || relative(k.which[i]) != relative(category):
		return 0
	case k.which[i] != category:
		return related * k.counts[i]
	}
	return k.counts[i]
}

// economyCounts is what the economy's score counts for a category: adverts alone, since
// that is what its logs show.
func (r *Resolved) economyCounts(category int, st *engines.Standing) float64 {
	if st.EconomyRisk < r.economy.risk || relative(category) != relative(index(engines.Spam)) {
		return 0
	}
	return r.history.weight * riskOf(st)
}

func riskOf(st *engines.Standing) float64 { return float64(min(st.EconomyRisk, 100)) / 100 }

// with is a confidence of the item alone with what is known for its category.
func (k *known) with(category int, mine float64) float64 {
	return max(mine, min(1-(1-mine)*(1-k.prior[category]), mostCertain))
}

// never is a cut-off that no confidence reaches.
const never = 2

// earlier judges anew what the item itself is telling of and what is known of its
// player has something to add to. own is combine's.
func (f *finding) earlier(v *engines.Verdict, item *engines.Item, signals []engines.Signal, own *[categories]combined, k *known, st *engines.Standing, r *Resolved) {
	calm := engines.Standing{Trust: st.Trust}
	for i := range own {
		if k.prior[i] == 0 {
			continue
		}
		s := signals[own[i].surest-1]
		mine, _ := own[i].confidence()
		s.Confidence = k.with(i, mine)
		have, _ := r.ruleFor(&s)
		cut := cutoffs[r.levelFor(have, i, item, &calm, s.Category)]
		if mine < cut.review {
			if have.floor > 0 { // nobody breaks the law by what was found before
				continue
			}
			cut.block = never
		}
		if have.enabled && (mine < cut.review && s.Confidence >= cut.review || have.action == ActionBlock && mine < cut.block && s.Confidence >= cut.block) && v.Stricter == "" {
			v.Stricter = engines.StricterEconomy
			if k.before[i] > 0 {
				v.Stricter = engines.StricterEarlier
			}
		}
		f.take(&s, have, cut)
	}
}

// made says what the labels' confidences are made of, k being nil where nothing is known.
func (f *finding) made(own *[categories]combined, k *known, st *engines.Standing, r *Resolved) []engines.Combined {
	var labelled, several [categories]bool
	for i := range f.labels {
		labelled[index(f.labels[i].Category)] = true
	}
	n, parts := 0, 0
	for i := range own {
		if !labelled[i] || own[i].surest == 0 || i == otherCategory {
			continue
		}
		if _, several[i] = own[i].confidence(); k != nil && k.prior[i] > 0 {
			several[i] = true
		}
		if several[i] {
			n, parts = n+1, parts+own[i].ways()
			if k != nil {
				parts += k.before[i] + 1
			}
		}
	}
	if n == 0 {
		return nil
	}
	out, all := make([]engines.Combined, 0, n), make([]engines.Part, 0, parts)
	for i := range own {
		if !several[i] {
			continue
		}
		from := len(all)
		mine, _ := own[i].confidence()
		one := engines.Combined{Category: categoryAt(i), Own: mine, Confidence: mine}
		all = own[i].parts(one.Category, all)
		if k != nil && k.prior[i] > 0 {
			one.Confidence = k.with(i, mine)
			all = k.parts(i, st, r, all)
		}
		one.Parts = all[from:len(all):len(all)]
		out = append(out, one)
	}
	return out
}

// parts are what is known as evidence of a category.
func (k *known) parts(category int, st *engines.Standing, r *Resolved, dst []engines.Part) []engines.Part {
	for i := range k.counts {
		if counts := k.countsFor(i, category); counts > 0 {
			e := &st.Earlier[i]
			dst = append(dst, engines.Part{
				From: engines.PartEarlier, Category: e.Category, Confidence: e.Confidence, Counts: counts, Request: e.Request, Kind: e.Kind, At: e.At,
			})
		}
	}
	if counts := r.economyCounts(category, st); counts > 0 {
		dst = append(dst, engines.Part{From: engines.PartEconomy, Category: categoryAt(category), Confidence: riskOf(st), Counts: counts})
	}
	return dst
}
