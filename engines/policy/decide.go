package policy

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// Decide makes the verdict on item from what the engines found (signals), which
// of them did not do their part (faults), the player's standing and the rules
// that Set.Resolve gave. It keeps and changes nothing of what it is given, and
// allocates nothing for a clean pass.
//
// For a deferred check it is called once the signals are there, so its verdict
// then is the late one: Drop means that what was delivered is retracted.
func Decide(item *engines.Item, signals []engines.Signal, faults []engines.Fault, st engines.Standing, r *Resolved) engines.Verdict {
	v := engines.Verdict{
		Finding:       engines.Finding{Suggestion: engines.Pass},
		Mode:          r.Mode,
		Degraded:      len(faults) > 0,
		PolicyVersion: r.Version,
	}
	f := finding{suggestion: engines.Pass, forced: engines.Pass, most: len(signals), media: item.Media != nil}
	for i := range signals {
		f.judge(&v, item, &signals[i], &st, r)
	}
	f.together(&v, item, signals, &st, r)
	if len(f.labels) > 0 {
		f.order(utf8.RuneCountInString(item.Text))
		v.Reason = r.reasonOf(f.labels)
	}
	if v.Degraded {
		f.uninspected(r.failFor(item.Kind))
	}
	f.act(&v, item, r)
	return v
}

// together judges what evidence by several ways, or what is known of the player, has
// something to add to. Most items are neither, and pass by here.
func (f *finding) together(v *engines.Verdict, item *engines.Item, signals []engines.Signal, st *engines.Standing, r *Resolved) {
	several, knows := severalWays(signals), len(signals) > 0 && r.knows(item, st)
	if !several && !knows {
		return
	}
	own := combine(signals, func(s *engines.Signal) bool {
		have, _ := r.ruleFor(s)
		return s.Action == "" && (!s.Excepted || have.floor > 0)
	})
	if several {
		f.combine(v, item, signals, &own, st, r)
	}
	var k *known
	if knows {
		k = new(known)
		k.learn(item, &own, st, r)
		f.earlier(v, item, signals, &own, k, st, r)
	}
	if len(f.labels) > 0 {
		v.Combined = f.made(&own, k, st, r)
	}
}

// finding is what the signals come to, before the mode says what to do with it.
type finding struct {
	most       int // signals there are, which bounds labels and places
	media      bool
	suggestion engines.Suggestion
	labels     []engines.Label
	hits       []engines.Span
	// person is set when somebody has to look: a review that no mask settles.
	person bool
	warn   bool
	// mask are the places to mask; whole is set when the whole text is one.
	mask  []engines.Span
	whole bool
	// mandatory is set where a mandatory rule was broken; forced is what those alone
	// lead to.
	mandatory bool
	forced    engines.Suggestion
}

// judge takes one signal into account, as the rule of its category says.
func (f *finding) judge(v *engines.Verdict, item *engines.Item, s *engines.Signal, st *engines.Standing, r *Resolved) {
	have, category := r.ruleFor(s)
	if s.Excepted && have.floor == 0 {
		return
	}
	if s.Action != "" && have.floor == 0 {
		f.take(s, &rule{enabled: true, action: Action(s.Action)}, cutoff{})
		return
	}
	level := r.levelFor(have, category, item, st, s.Category)
	if len(st.Recent) > 0 {
		calm := *st
		calm.Recent = nil
		if have.matters(s, r.levelFor(have, category, item, &calm, s.Category), level) {
			v.Stricter = engines.StricterRecent
		}
	}
	if r.economy.concerns(item, st, s) {
		stricter := min(level+r.economy.stricter, MaxStrictness)
		if have.matters(s, level, stricter) {
			v.Stricter = engines.StricterEconomy
		}
		level = stricter
	}
	f.take(s, have, cutoffs[level])
}

// combine judges categories of which evidence came by several ways anew.
func (f *finding) combine(v *engines.Verdict, item *engines.Item, signals []engines.Signal, all *[categories]combined, st *engines.Standing, r *Resolved) {
	for i := range all {
		if p, several := all[i].confidence(); several {
			s := signals[all[i].surest-1]
			s.Confidence = p
			f.judge(v, item, &s, st, r)
		}
	}
}

// take adds one signal, if it is strong enough for the cut-offs of its rule.
func (f *finding) take(s *engines.Signal, have *rule, cut cutoff) {
	if !have.enabled || !(s.Confidence >= cut.review) { // written so that NaN is none
		return
	}
	f.label(s)
	if !s.Span.Empty() {
		if f.hits == nil {
			f.hits = make([]engines.Span, 0, f.most)
		}
		f.hits = append(f.hits, s.Span)
	}
	to := engines.Review
	switch have.action {
	case ActionWarn:
		f.warn = true
		to = engines.Pass
	case ActionMask:
		if f.media { // there are no words to put stars over: a person looks
			f.person = true
		} else if s.Span.Empty() {
			f.whole = true // the signal is about the whole item
		} else {
			f.mask = append(f.mask, s.Span)
		}
	case ActionBlock:
		if s.Confidence >= cut.block {
			to = engines.Block
		} else {
			f.person = true
		}
	default:
		f.person = true
	}
	f.suggestion = graver(f.suggestion, to)
	if have.floor > 0 {
		f.mandatory, f.forced = true, graver(f.forced, to)
	}
}

func graver(a, b engines.Suggestion) engines.Suggestion {
	if b.Rank() > a.Rank() {
		return b
	}
	return a
}

func (f *finding) raise(to engines.Suggestion) { f.suggestion = graver(f.suggestion, to) }

// label keeps the strongest signal of each category and sub-label.
func (f *finding) label(s *engines.Signal) {
	l := engines.Label{
		Category: s.Category, SubLabel: s.SubLabel, Severity: s.Severity,
		Confidence: min(s.Confidence, 1), Source: s.Source, Place: s.Place,
	}
	for i := range f.labels {
		have := &f.labels[i]
		if have.Category != l.Category || have.SubLabel != l.SubLabel {
			continue
		}
		if stronger(&l, have) {
			l, *have = *have, l
		}
		// An operator's own word may be named where a model is surer still: what is
		// told of the category is no less for it.
		have.Confidence, have.Severity = max(have.Confidence, l.Confidence), max(have.Severity, l.Severity)
		return
	}
	if f.labels == nil {
		f.labels = make([]engines.Label, 0, f.most)
	}
	f.labels = append(f.labels, l)
}

// stronger is a total order, so that the order in which engines answer shows nowhere.
// An operator's own word comes first: it is why the content is decided as it is,
// whatever else was found of the same kind.
func stronger(a, b *engines.Label) bool {
	if mine := a.Source == engines.SourceCustomList; mine != (b.Source == engines.SourceCustomList) {
		return mine
	}
	return cmp.Or(
		cmp.Compare(a.Confidence, b.Confidence),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(b.Source, a.Source),
		earlier(b.Place, a.Place),
	) > 0
}

// earlier orders places, none before all others.
func earlier(a, b *engines.Place) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Or(cmp.Compare(a.AtMS, b.AtMS), slices.Compare(a.Box[:], b.Box[:]), cmp.Compare(a.EndMS, b.EndMS))
}

// order sorts labels and places, and drops what lies outside a text of n code points.
func (f *finding) order(n int) {
	slices.SortFunc(f.labels, func(a, b engines.Label) int {
		return cmp.Or(
			cmp.Compare(index(a.Category), index(b.Category)),
			cmp.Compare(b.Confidence, a.Confidence),
			cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.SubLabel, b.SubLabel),
		)
	})
	f.hits = tidy(f.hits, n)
	before := len(f.mask)
	f.mask = tidy(f.mask, n)
	if before > 0 && len(f.mask) == 0 {
		f.whole = true // there is something to hide, and no place is left to hide it
	}
}

// tidy clips spans to [0, n), sorts them and drops repeats and empty ones.
func tidy(spans []engines.Span, n int) []engines.Span {
	kept := spans[:0]
	for _, s := range spans {
		s.Start, s.End = max(s.Start, 0), min(s.End, n)
		if !s.Empty() {
			kept = append(kept, s)
		}
	}
	slices.SortFunc(kept, func(a, b engines.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return slices.Compact(kept)
}

// uninspected applies the fail rule to an item that not every engine looked at.
func (f *finding) uninspected(rule Fail) {
	switch rule {
	case FailClosed:
		f.raise(engines.Block)
	case FailOpen:
	default:
		f.raise(engines.Review)
		f.person = true
	}
}
