package text

import "github.com/portcullis-gg/portcullis/engines"

// Confidences of a threat to the one addressed.
const (
	threatReal     = 0.9  // beside something of real life
	threatPlain    = 0.7  // "I will kill you"
	threatInVerb   = 0.6  // the same where the verb says the intent
	threatNoWill   = 0.5  // the deed and the one addressed alone
	threatMild     = 0.45 // a deed that games are full of
	threatMildReal = 0.75 // and that beside something of real life
	threatInGame   = 0.4  // beside something of a game
	threatOthers   = 0.4  // somebody else will do it
	threatApart    = 4    // words between deed and person, and deed and intent
	threatSpan     = 8    // letters of dense scripts
	suicideSaid    = 0.85
	suicideWarded  = 0.3 // "never tell anybody to"
	suicideInGame  = 0.4 // a boss is told to die
)

// threats appends the strongest threat.
func (s *scratch) threats(l *lexicon, out []engines.Signal) []engines.Signal {
	best, lo, hi, tongue := 0.0, 0, 0, int16(0)
	for i := range s.marks {
		v := &s.marks[i]
		if v.part != partVerb {
			continue
		}
		for k := max(0, i-8); k < min(len(s.marks), i+9); k++ {
			y := &s.marks[k]
			if y.part != partYou || y.tongue != v.tongue {
				continue
			}
			words, dense := s.between(int(y.from), int(y.to), int(v.from), int(v.to))
			if words < 0 || words > threatApart || dense > threatSpan || s.comma(int(min(v.to, y.to)), int(max(v.from, y.from))) {
				continue
			}
			if c := s.threat(l, i, k); c > best {
				best, lo, hi, tongue = c, int(min(v.from, y.from)), int(max(v.to, y.to)), v.tongue
			}
		}
	}
	if best == 0 {
		return out
	}
	t := &l.tongues[tongue]
	if !t.dense && !s.plausible(t.tag) {
		best *= 0.5
	}
	s.facts.threat = best
	if best < faint {
		return out
	}
	sig := s.shape(engines.Violence, "threat", "threat", 3, best, lo, hi)
	sig.Source, sig.Rule, sig.Language = engines.SourceLexicon, t.file+"/threat", t.language
	return append(out, sig)
}

// threat weighs the deed and the person at marks i and k.
func (s *scratch) threat(l *lexicon, i, k int) float64 {
	v, y := &s.marks[i], &s.marks[k]
	t := &l.tongues[v.tongue]
	if !t.late && !t.dense && y.to <= v.from && t.language == "en" {
		return 0 // "you kill" is no threat where the object comes last
	}
	p := pair{attack: v, group: y, lo: int(min(v.from, y.from)), hi: int(max(v.to, y.to))}
	first, last, asked := s.sentence(p.lo, p.hi)
	if s.countered(t, &p, first, last) || s.does(max(first, s.wordsBefore(int(v.from), 2)), int(v.from))&doesNegate != 0 {
		return 0
	}
	c := threatNoWill
	if w := s.will(v, y); w != nil {
		c = threatPlain
		if s.does(s.wordsBefore(int(w.from), 1), int(w.from))&doesHe != 0 {
			c = threatOthers
		}
	} else if !t.wills {
		c = threatInVerb
	}
	outside, play := s.surroundings(p.lo, p.hi, first, last)
	mild := s.does(int(v.from), int(v.to))&doesMild != 0
	switch {
	case c == threatOthers:
	case c == threatNoWill && !play:
	case outside && mild:
		c = threatMildReal
	case outside:
		c = threatReal
	case play:
		c = min(c, threatInGame)
	case mild:
		c = min(c, threatMild)
	}
	if asked {
		c *= 0.8
	}
	return c
}

// will returns the word of intent that goes with deed and person: before the deed,
// or, where verbs come last, on either side.
func (s *scratch) will(v, y *mark) *mark {
	for i := range s.marks {
		w := &s.marks[i]
		if w.part != partWill || w.tongue != v.tongue {
			continue
		}
		words, dense := s.between(int(w.from), int(w.to), int(min(v.from, y.from)), int(max(v.to, y.to)))
		if words >= 0 && words <= threatApart && dense <= threatSpan {
			return w
		}
	}
	return nil
}

// surroundings reports whether the sentence names life outside the game, or a game.
func (s *scratch) surroundings(lo, hi, first, last int) (outside, play bool) {
	f := s.does(first, lo) | s.does(lo, hi) | s.does(hi, last)
	outside, play = f&doesLive != 0, f&doesPlay != 0
	for i := range s.marks {
		if y := &s.marks[i]; y.part == partYou && s.does(int(y.from), int(y.to))&doesLive != 0 {
			outside = true
		}
	}
	return outside && !play, play
}

// suicides appends where somebody is told to die or to hurt himself.
func (s *scratch) suicides(l *lexicon, out []engines.Signal) []engines.Signal {
	for i := range s.marks {
		m := &s.marks[i]
		if m.part != partSuicide {
			continue
		}
		t := &l.tongues[m.tongue]
		p := pair{attack: m, group: m, lo: int(m.from), hi: int(m.to)}
		first, last, _ := s.sentence(p.lo, p.hi)
		c := suicideSaid
		if s.countered(t, &p, first, last) {
			c = suicideWarded
		} else if s.does(s.wordsBefore(p.lo, 1), p.lo)&doesOwn != 0 {
			c = suicideWarded // said of oneself
		} else if _, play := s.surroundings(p.lo, p.hi, first, last); play {
			c = suicideInGame
		}
		if !t.dense && !s.plausible(t.tag) {
			c *= 0.5
		}
		if c < faint {
			continue
		}
		sig := s.shape(engines.Illegal, "self_harm", "suicide", 4, c, p.lo, p.hi)
		sig.Source, sig.Rule, sig.Language = engines.SourceLexicon, t.file+"/suicide", t.language
		return append(out, sig)
	}
	return out
}
