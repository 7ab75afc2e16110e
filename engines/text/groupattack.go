package text

import "github.com/portcullis-gg/portcullis/engines"

// attackConfidences are how often an attack of a strength on a group, side by
// side, is hate.
var attackConfidences = [...]float64{0, 0.6, 0.75, 0.9}

// How far an attack may stand from its group, in words and in letters of dense scripts.
const (
	attackWords = 8
	attackDense = 14
)

// pair is an attack and the group that it is said of.
type pair struct {
	attack, group *mark
	lo, hi        int // units from the first of both to the last
	confidence    float64
}

// groupAttacks appends the strongest attack on a group.
func (s *scratch) groupAttacks(l *lexicon, out []engines.Signal) []engines.Signal {
	var best pair
	for i := range s.marks {
		if s.marks[i].part != partAttack {
			continue
		}
		for _, step := range [...]int{-1, 1} {
			if p := s.strongestPair(l, i, step); p.confidence > best.confidence {
				best = p
			}
		}
	}
	if best.attack == nil {
		return out
	}
	t := &l.tongues[best.attack.tongue]
	if !t.dense && !s.plausible(t.tag) {
		best.confidence *= 0.5
	}
	s.facts.strength = best.confidence
	if best.confidence < faint {
		return out
	}
	sig := s.shape(engines.Hate, groupAttack, groupAttack, 3, best.confidence, best.lo, best.hi)
	sig.Source, sig.Rule, sig.Language = engines.SourceLexicon, t.file+"/group_attack", t.language
	return append(out, sig)
}

// marksReach bounds how many marks lie between an attack and its group.
const marksReach = 24

// strongestPair weighs the attack at mark i with the groups on one side of it.
func (s *scratch) strongestPair(l *lexicon, i, step int) (best pair) {
	a := &s.marks[i]
	for k := i + step; k >= 0 && k < len(s.marks) && max(k-i, i-k) < marksReach; k += step {
		g := &s.marks[k]
		if g.part != partGroup || g.tongue != a.tongue {
			continue
		}
		p, near := s.pair(l, a, g)
		if !near && !p.overlaps() {
			break
		}
		if near && p.confidence > best.confidence {
			best = p
		}
	}
	return best
}

func (p *pair) overlaps() bool {
	return p.attack.from < p.group.to && p.group.from < p.attack.to
}

// pair weighs an attack with a group; near is false when they are too far apart.
func (s *scratch) pair(l *lexicon, a, g *mark) (p pair, near bool) {
	p = pair{attack: a, group: g, lo: int(min(a.from, g.from)), hi: int(max(a.to, g.to)), confidence: attackConfidences[min(a.strength, 3)]}
	from, to := int(min(a.to, g.to)), int(max(a.from, g.from))
	words, dense := 0, 0
	if from < to {
		words, dense = s.apart(from, to)
	}
	if words < 0 || words > attackWords || dense > attackDense {
		return p, false
	}
	t := &l.tongues[a.tongue]
	p.confidence *= 1 - 0.025*float64(max(0, words-2)) - 0.02*float64(max(0, dense-5))
	// Said before its group an attack is a verb or an adjective: those stand close.
	if a.to <= g.from && !t.late && words > 4 {
		p.confidence *= 0.9
	}
	s.turn(t, &p, from, to)
	return p, true
}

// turn lowers the confidence of a pair for what else its sentence says. Units
// [from, to) are between the two.
func (s *scratch) turn(t *tongue, p *pair, from, to int) {
	first, last, asked := s.sentence(p.lo, p.hi)
	before := s.does(first, p.lo)
	if s.countered(t, p, first, last) {
		s.facts.countered = true
		p.confidence *= 0.3
		return
	}
	if s.quoted(p.lo, p.hi, first, last) {
		p.confidence *= 0.5
	}
	if asked && before&doesAsk == 0 {
		p.confidence *= 0.75
	}
	if from < to {
		if s.does(from, to)&doesBut != 0 {
			p.confidence *= 0.6
		}
	}
	// What stands right before the group makes it one person, or the speaker's own.
	beside := s.does(s.wordsBefore(int(p.group.from), 1), int(p.group.from))
	switch {
	case beside&doesPoint != 0:
		p.confidence *= 0.65
	case beside&doesOwn != 0 && int(p.attack.to) > int(p.group.from):
		p.confidence *= 0.65
	}
}

// wordsBefore returns the unit at which the n words before unit at begin.
func (s *scratch) wordsBefore(at, n int) int {
	i := at
	for ; n > 0; n-- {
		for i > 0 && s.norm.units[i-1].class == classSep && !s.stop(i-1) {
			i--
		}
		if i > 0 && s.norm.units[i-1].class.dense() {
			return max(0, i-3)
		}
		for i > 0 && (s.norm.units[i-1].class.alphabetic() || s.norm.units[i-1].class == classDigit) {
			i--
		}
	}
	return i
}

const (
	negateWords   = 4 // how far a negation reaches
	negateDense   = 6
	reproachWords = 10
	reproachDense = 16
)

// countered reports whether words of the sentence turn the attack around: a
// negation that reaches it, or a reproach of those who make it.
func (s *scratch) countered(t *tongue, p *pair, first, last int) bool {
	for i := range s.marks {
		m := &s.marks[i]
		if int(m.from) >= last {
			break
		}
		if int(m.to) <= first || m.part != partNegate && m.part != partReproach || m.tongue != p.attack.tongue {
			continue
		}
		if m.part == partReproach && s.reproaches(m, p) || m.part == partNegate && s.negates(t, m, p) {
			return true
		}
	}
	return false
}

func (s *scratch) reproaches(m *mark, p *pair) bool {
	words, dense := s.between(int(m.from), int(m.to), p.lo, p.hi)
	return words >= 0 && words <= reproachWords && dense <= reproachDense
}

// negates reports whether the negation m reaches the attack.
func (s *scratch) negates(t *tongue, m *mark, p *pair) bool {
	from, to := int(m.to), int(p.attack.from)
	reach := negateWords
	if m.from >= p.attack.to {
		if !t.late && !t.dense && !t.after {
			return false
		}
		from, to = int(p.attack.to), int(m.from)
		if t.late {
			reach = 3
		}
	}
	words, dense := s.between(int(m.from), int(m.to), int(p.attack.from), int(p.attack.to))
	if words < 0 || words > reach || dense > negateDense || from < to && s.comma(from, to) {
		return false
	}
	return from >= to || s.does(from, to)&doesBut == 0
}

// between counts what lies between two stretches of units; -1 where a clause ends.
func (s *scratch) between(aFrom, aTo, bFrom, bTo int) (words, dense int) {
	from, to := min(aTo, bTo), max(aFrom, bFrom)
	if from >= to {
		return 0, 0
	}
	return s.apart(from, to)
}
