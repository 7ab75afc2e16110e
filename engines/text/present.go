package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// The classifier reads a message three times: folded, as far as its accents make
// other words, and as the evasive views read it where that differs.
const (
	asFolded uint8 = iota
	asAccented
	asEvasive
)

// modelScratch is the memory of a reading.
type modelScratch struct {
	input classifier.Input
	text  string
	// decoded is what a reader sees of a message written in codes, none for others.
	decoded []unit
	// opinions are the probabilities of the heads before anything tempers them.
	opinions [classifier.Heads]float64
}

// present fills the input of the classifier from the views and what was found.
func (s *scratch) present(l *lexicon, found []engines.Signal) {
	in := &s.input
	in.Reset()
	s.presentFolded(in)
	if len(s.decoded) == 0 {
		s.presentAccents(in)
		s.presentEvasive(in)
	}
	s.presentRoles(l, in, found)
	s.presentDeal(in)
	presentEvidence(in, found)
}

// presentFolded reads the units word by word. Emoji and the signs that carry a mood
// are words. What an evasive view reads as one word is left to that: its pieces are
// words that nobody wrote.
func (s *scratch) presentFolded(in *classifier.Input) {
	units, at := s.shown()
	in.Open(classifier.Chain{})
	last := classSep
	next := func() {
		in.Close()
		in.Open(classifier.Chain{})
	}
	pieces := s.pieces()
	for i := range units {
		u := &units[i]
		switch {
		case u.class == classSep && apostrophe(u.r) && last.alphabetic():
			continue
		case pieces.at(units, i):
			next()
		case u.class == classSep:
			next()
			if telltale(u.r) && (i == 0 || units[i-1].r != u.r) {
				in.Rune(u.r, at(i))
				next()
			}
		case last != classSep && u.class != last && u.class.dense() != last.dense() && u.class != classDigit && last != classDigit:
			next()
			fallthrough
		default:
			in.Rune(digitShape(units, i), at(i))
			in.Script(uint8(u.class))
		}
		last = u.class
	}
	in.Close()
}

// telltale reports whether a separator says something: emoji and symbols, shouting, asking.
func telltale(r rune) bool {
	return r == '!' || r == '?' || r == '"' || r == '*' || r >= 0x2190 && r < 0x3000 || r >= 0x1F000
}

// digitShape is the rune of unit i; in numbers of five digits and more all digits are one.
func digitShape(units []unit, i int) rune {
	if units[i].class != classDigit {
		return units[i].r
	}
	n := 1
	for k := i - 1; k >= 0 && n < 5 && units[k].class == classDigit; k-- {
		n++
	}
	for k := i + 1; k < len(units) && n < 5 && units[k].class == classDigit; k++ {
		n++
	}
	if n >= 5 {
		return '0'
	}
	return units[i].r
}

// presentAccents reads words that hold accents with them: they can be others without.
func (s *scratch) presentAccents(in *classifier.Input) {
	units := s.norm.units
	marked := false
	for i := range units {
		marked = marked || units[i].steps&stepMark != 0
	}
	if !marked {
		return
	}
	quiet := classifier.Chain{Reading: asAccented, Quiet: true, Whole: true}
	in.Open(quiet)
	text, point := s.text, int32(0)
	for i := range units {
		u := &units[i]
		for point < u.start {
			_, n := utf8.DecodeRuneInString(text)
			text, point = text[n:], point+1
		}
		switch {
		case u.class == classSep && !apostrophe(u.r):
			in.Close()
			in.Open(quiet)
		case u.class == classSep, i > 0 && units[i-1].start == u.start:
		case u.steps&stepMark != 0:
			r, _ := utf8.DecodeRuneInString(text)
			r = unicode.ToLower(r)
			if r != u.r { // a line through a letter makes no other word
				in.Loud()
			}
			in.Rune(r, int32(i))
		default:
			in.Rune(u.r, int32(i))
		}
	}
	in.Close()
}

// presentEvasive reads the words of the evasive views that are not those of the plain one.
func (s *scratch) presentEvasive(in *classifier.Input) {
	if !s.alt.needed {
		return
	}
	for n := range s.evasive { // as views built them
		v := &s.evasive[n]
		if !v.altered {
			return
		}
		presentView(in, v, asEvasive+uint8(n))
		if !v.ambiguous {
			return
		}
	}
}

func presentView(in *classifier.Input, v *view, reading uint8) {
	quiet := classifier.Chain{Reading: reading, Quiet: true}
	in.Open(quiet)
	for i := range v.syms {
		y := &v.syms[i]
		if y.class == classSep {
			in.Close()
			in.Open(quiet)
			continue
		}
		if y.altered {
			in.Loud()
		}
		for k := range min(int32(y.count), 2) {
			at := y.first
			if k > 0 {
				at = y.last
			}
			in.Rune(y.r, at)
		}
	}
	in.Close()
}

// What others found counts several times, or it would drown in n-grams.
const (
	evidenceTimes = 6
	anyTimes      = 6
)

// presentEvidence adds what lists and rules found, as sorts of findings.
func presentEvidence(in *classifier.Input, found []engines.Signal) {
	if len(found) == 0 {
		return
	}
	for i := range min(len(found), 8) {
		g := &found[i]
		key := uint64(17)
		for _, b := range []byte(g.Category) {
			key = key*131 + uint64(b)
		}
		for _, b := range []byte(g.SubLabel) {
			key = key*131 + uint64(b)
		}
		key = key*131 + uint64(g.Severity)
		key = key*131 + uint64(g.Confidence*8)
		in.Evidence(key, evidenceTimes, g.Rule)
	}
	in.Evidence(1, anyTimes, "found something")
}
