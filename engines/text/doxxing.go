package text

import "github.com/portcullis-gg/portcullis/engines"

// doxxing looks again at personal data that a message tells: whose is it? Where a
// third person is named before it, or others are called to act, it is an attack.
func (s *scratch) doxxing(out []engines.Signal) []engines.Signal {
	if s.topics&(topicThird|topicSpread) == 0 {
		return out
	}
	for _, p := range s.private {
		third := s.about(topicThird, p.Start-60, p.Start)
		spread := s.about(topicSpread, p.Start-60, p.End+40)
		own := s.wordBefore(p.Start, ownWords[:])
		c := 0.0
		switch {
		case spread != nil && (third != nil || !own):
			c = 0.93
		case third != nil && !own:
			c = 0.82
		}
		if c > 0 {
			from := p.Start
			if third != nil {
				from = int(third.from)
			}
			return append(out, s.shape(engines.Harassment, "doxxing", "doxxing", 4, c, from, p.End))
		}
	}
	return s.realName(out)
}

// realName: his real name is so-and-so.
func (s *scratch) realName(out []engines.Signal) []engines.Signal {
	if s.topics&topicName == 0 {
		return out
	}
	for i := range s.words {
		w := &s.words[i]
		if w.topics&topicName == 0 || w.weak {
			continue
		}
		from, to := int(w.from), int(w.to)
		if !s.said(topicThird, from-20, to) && s.about(topicSpread, from-60, to+60) == nil && !s.handleOfOther(from) {
			continue
		}
		end := s.restOfClause(to)
		if end-to >= 3 {
			return append(out, s.shape(engines.Harassment, "doxxing", "real-name", 3, 0.78, from, end))
		}
	}
	return out
}

// handleOfOther reports whether somebody else's name in a network stands within 48 units
// before unit i: "her insta is @kay.r real name ...".
func (s *scratch) handleOfOther(i int) bool {
	units := s.norm.units
	for k := i - 1; k >= max(0, i-48); k-- {
		if units[k].r == '@' && s.handleAt(k) {
			return s.said(topicThird, k-30, k) && !s.wordBefore(k, ownWords[:])
		}
	}
	return false
}

// restOfClause returns where the clause ends that goes on at unit i, at most 40 on.
func (s *scratch) restOfClause(i int) int {
	units := s.norm.units
	end := i
	for end < len(units) && end-i < 40 && !isOneOf(units[end].r, ",;!?\n。、，") {
		end++
	}
	return end
}
