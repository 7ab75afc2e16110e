package text

import (
	"cmp"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// Where a message names a group of people, or the parts of a threat stand in it, the
// classifier reads it twice more: with a sign in place of each group, so that what is
// learnt of one holds of all, and as the order of its parts alone, which is the same
// in every language: "who says that GROUP are ATTACK" is REPROACH GROUP ATTACK.
const (
	asRoles    uint8 = 8
	asSkeleton uint8 = 9
)

// Signs of the parts, in the private use area, where no message has a letter.
const (
	signGroup    rune = 0xE000 + iota
	signAttack        // and the two after it, by strength
	_                 //
	_                 //
	signNegate        // not, nobody
	signReproach      // "people who say", racist
	signWill
	signVerb
	signYou
	signSuicide
	signOwn   // I, we
	signPoint // my, this
	signAsk   // why
	signBut
	signHe
	signPlay
	signSlur   // words of the lists, by category
	signInsult //
	signOther  // words that are none of these
)

// named reports whether the message names a group of people in a language that it may
// be in.
func (s *scratch) named(l *lexicon) bool {
	if s.parts&partGroup == 0 {
		return false
	}
	for i := range s.marks {
		if m := &s.marks[i]; m.part == partGroup && s.spokenHere(l, m) {
			return true
		}
	}
	return false
}

// spokenHere reports whether a mark is of a language that the message may be in.
func (s *scratch) spokenHere(l *lexicon, m *mark) bool {
	t := &l.tongues[m.tongue]
	return t.dense || s.plausible(t.tag)
}

// presentRoles reads what stands around groups, and the order of the parts.
func (s *scratch) presentRoles(l *lexicon, in *classifier.Input, found []engines.Signal) {
	threat := s.parts&(partVerb|partYou) == partVerb|partYou
	if !s.facts.named && !threat && s.parts&partSuicide == 0 {
		return
	}
	if s.facts.named {
		in.Named()
		s.presentTongue(l, in)
		s.presentAround(l, in)
	}
	s.presentSkeleton(l, in, found)
}

// tongueTimes is how often the language counts of which the group is.
const tongueTimes = 3

// presentTongue adds the language in which a group is named: how often whoever is
// named is attacked differs by what there is to learn from.
func (s *scratch) presentTongue(l *lexicon, in *classifier.Input) {
	for i := range s.marks {
		m := &s.marks[i]
		if m.part != partGroup || !s.spokenHere(l, m) {
			continue
		}
		key := uint64(29)
		for _, b := range []byte(l.tongues[m.tongue].language) {
			key = key*131 + uint64(b)
		}
		in.Evidence(key, tongueTimes, "a group is named")
		return
	}
}

// presentAround reads the words with groups replaced; only what stands beside a group
// counts, the rest was read.
func (s *scratch) presentAround(l *lexicon, in *classifier.Input) {
	units := s.norm.units
	quiet := classifier.Chain{Reading: asRoles, Quiet: true}
	next := 0
	in.Open(quiet)
	for i := 0; i < len(units); i++ {
		for next < len(s.marks) && (int(s.marks[next].from) < i || s.marks[next].part != partGroup || !s.spokenHere(l, &s.marks[next])) {
			next++
		}
		u := &units[i]
		switch {
		case next < len(s.marks) && int(s.marks[next].from) == i:
			m := &s.marks[next]
			in.Close()
			in.Open(quiet)
			in.Loud()
			if u.class.dense() {
				s.around(in, int(m.from), int(m.to))
			} else {
				in.Rune(signGroup, m.from)
			}
			in.Close()
			in.Open(quiet)
			i = max(i, int(m.to)-1)
		case u.class == classSep && apostrophe(u.r):
		case u.class == classSep:
			in.Close()
			in.Open(quiet)
		default:
			in.Rune(u.r, int32(i))
		}
	}
	in.Close()
}

// beside is how many letters of a dense script count as standing beside a group.
const beside = 3

// around writes the letters before and after units [from, to) and the sign between.
func (s *scratch) around(in *classifier.Input, from, to int) {
	units := s.norm.units
	at := from
	for at > 0 && from-at < beside && units[at-1].class.dense() {
		at--
	}
	for i := at; i < from; i++ {
		in.Rune(units[i].r, int32(i))
	}
	in.Rune(signGroup, int32(from))
	for i := to; i < len(units) && i < to+beside && units[i].class.dense(); i++ {
		in.Rune(units[i].r, int32(i))
	}
}

// presentSkeleton writes the order of the parts as one word.
func (s *scratch) presentSkeleton(l *lexicon, in *classifier.Input, found []engines.Signal) {
	units := s.norm.units
	in.Open(classifier.Chain{Reading: asSkeleton})
	next, covered := 0, 0
	last := rune(0)
	put := func(r rune, at int) {
		if r != last || r != signOther {
			in.Rune(r, int32(at))
		}
		last = r
	}
	for i := 0; i < len(units); i++ {
		for ; next < len(s.marks) && int(s.marks[next].from) <= i; next++ {
			m := &s.marks[next]
			if sign := m.sign(); int(m.from) == i && s.spokenHere(l, m) && (sign != last || int(m.to) > covered) {
				put(sign, i)
				covered = max(covered, int(m.to))
			}
		}
		u := &units[i]
		switch {
		case quotation(u.r) || s.stop(i):
			put(u.r, i)
		case i < covered || u.class == classSep:
		case u.class.dense():
			put(cmp.Or(signOf(spelledAt(units[i:])), signOther), i)
		default:
			end := s.writtenEnd(i)
			put(cmp.Or(s.foundAt(found, int(u.start)), signOf(s.does(i, end)), signOther), i)
			i = max(i, s.untilMark(next, end)-1)
		}
	}
	in.Close()
}

// writtenEnd is the unit after the word, of a script that writes words apart, at unit i.
func (s *scratch) writtenEnd(i int) int {
	units := s.norm.units
	for i < len(units) && (units[i].class.alphabetic() || units[i].class == classDigit || apostrophe(units[i].r)) {
		i++
	}
	return i
}

// untilMark is where the word that ends at end is to be left for the next mark.
func (s *scratch) untilMark(next, end int) int {
	if next < len(s.marks) {
		return min(end, int(s.marks[next].from))
	}
	return end
}

// foundAt is the sign of a word of the lists that begins at a code point, 0 for none.
func (s *scratch) foundAt(found []engines.Signal, at int) rune {
	for i := range min(len(found), 8) {
		g := &found[i]
		if g.Source != engines.SourceLexicon || g.Span.Start != at || g.SubLabel == groupAttack {
			continue
		}
		if g.Category == engines.Hate {
			return signSlur
		}
		return signInsult
	}
	return 0
}

func (m *mark) sign() rune {
	switch m.part {
	case partGroup:
		return signGroup
	case partAttack:
		return signAttack + rune(min(max(m.strength, 1), 3)) - 1
	case partNegate:
		return signNegate
	case partReproach:
		return signReproach
	case partWill:
		return signWill
	case partVerb:
		return signVerb
	case partYou:
		return signYou
	default:
		return signSuicide
	}
}

// signOf is the sign of a small word, 0 for none.
func signOf(f function) rune {
	switch {
	case f == 0:
		return 0
	case f&doesNegate != 0:
		return signNegate
	case f&doesAsk != 0:
		return signAsk
	case f&doesBut != 0:
		return signBut
	case f&doesOwn != 0:
		return signOwn
	case f&doesPoint != 0:
		return signPoint
	case f&doesHe != 0:
		return signHe
	case f&doesPlay != 0:
		return signPlay
	}
	return 0
}
