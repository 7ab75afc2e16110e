package text

// look returns the evidence around word i, which several rules ask for, gathered once. It
// holds until the next look, which may begin the memory anew, and nobody changes it.
func (s *scratch) look(i int) *evidence {
	for k := range s.gathered {
		if s.gathered[k].word == i {
			return &s.gathered[k].evidence
		}
	}
	if len(s.gathered) == cap(s.gathered) { // what nothing is allocated for
		s.gathered = s.gathered[:0]
	}
	s.gathered = append(s.gathered, gathered{i, s.gather(i)})
	return &s.gathered[len(s.gathered)-1].evidence
}

// mostGathered is how many words' surroundings are remembered of a message; where there
// are more, the memory begins anew.
const mostGathered = 16

// gathered is the evidence around a word, by its index.
type gathered struct {
	word int
	evidence
}

// count counts words of crime, which are surer in company.
func (e *evidence) count(t topic) {
	if t&topicDrug != 0 {
		e.drugs++
	}
	if t&topicFraud != 0 {
		e.frauds++
	}
}

// treat counts nicknames of drugs, those at one place once.
func (e *evidence) treat(v *word) {
	if v.facets&facetTreat != 0 && v.from >= e.treated {
		e.treats++
		e.treated = v.to
	}
}

// serve counts services that are no trade of anybody's, those at one place once.
func (e *evidence) serve(v *word) {
	if v.facets&facetService != 0 && v.from >= e.served {
		e.served = v.to
		e.serves++
	}
}

// sums takes in money, real and of games.
func (e *evidence) sums(s *scratch, t topic, v, w *word) {
	if t&topicMoney != 0 {
		e.paid = e.paid || v.facets&facetPaid != 0
		if s.digitBefore(int(v.from)) {
			e.price = true
			from, _ := s.amount(int(v.from))
			e.span(from, int(v.to))
		}
	}
	if t&topicCoin != 0 && v != w && s.digitBefore(int(v.from)) {
		e.coins = true
	}
	if v.facets&facetTag != 0 && s.digitAfter(int(v.to)) {
		e.tagged = true
	}
	if v.facets&facetLeaving != 0 && (s.digitAfter(int(v.to)) || s.digitBefore(int(v.from))) {
		e.bid = true
	}
}

// reach takes in a way to be reached and reports whether its word counts by itself.
func (e *evidence) reach(s *scratch, v *word) bool {
	switch {
	case s.handleAfter(int(v.to)):
		e.contact, e.handle = true, true
		e.span(int(v.from), int(v.to))
	case s.phrase(v):
		e.soft = true
		return false
	case v.to-v.from <= 4 && !s.norm.units[v.from].class.dense():
		return false
	}
	return true
}

// within reports whether a longer word holds the word: "no serial" denies nothing.
func (s *scratch) within(v *word) bool {
	for i := s.wordsFrom(int(v.from) - 40); i < len(s.words) && s.words[i].from <= v.from; i++ {
		if o := &s.words[i]; o.to >= v.to && o.to-o.from > v.to-v.from {
			return true
		}
	}
	return false
}
