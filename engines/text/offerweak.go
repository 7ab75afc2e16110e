package text

// weakKind is weak words that are alike: where the first of them ends and the last begins.
type weakKind struct {
	topics   topic
	langs    uint32
	to, from int32
}

// fits reports whether a weak word has a word of its language beside it: one of langs, or
// another weak one of another kind.
func (s *scratch) fits(v *word, langs uint32, beside []word) bool {
	if langs&v.langs&^everywhere != 0 {
		return true
	}
	if len(s.weak) == 0 {
		s.weakKinds(beside)
	}
	for i := range s.weak {
		o := &s.weak[i]
		if o.langs&v.langs != 0 && o.topics != v.topics && (o.to <= v.from || v.to <= o.from) {
			return v.topics&(topicNegate|topicThird) == 0
		}
	}
	return false
}

// weakKinds gathers the kinds of weak words that make others count: there are few where one
// word is repeated, and all of them are asked about each other.
func (s *scratch) weakKinds(beside []word) {
next:
	for i := range beside {
		o := &beside[i]
		if !o.weak || o.topics&(topicAdvert|topicWare|topicMoney|topicIllegal) == 0 {
			continue
		}
		for k := range s.weak {
			if w := &s.weak[k]; w.topics == o.topics && w.langs == o.langs {
				w.to, w.from = min(w.to, o.to), max(w.from, o.from)
				continue next
			}
		}
		s.weak = append(s.weak, weakKind{o.topics, o.langs, o.to, o.from})
	}
}
