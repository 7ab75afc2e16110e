package text

import (
	"cmp"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// Frames find what no word says alone: a group of people and what is said of it,
// a threat and whom it is made to. The lists name the parts; a frame looks at how
// they stand to one another in a clause, after the functional classes that
// HateCheck (Röttger et al. 2021) tests hate with.

// part is what a word of a list is in a frame.
type part uint8

const (
	partGroup    part = 1 << iota // people attacked for what they are
	partAttack                    // what is said of them
	partNegate                    // turns around what stands beside it
	partReproach                  // speaks about an attack: racist, "people who say"
	partWill                      // threats: the intent, the deed, the one addressed
	partVerb
	partYou
	partSuicide // tells somebody to die or to hurt himself
)

// frameWord is a word of frames ready to be matched.
type frameWord struct {
	part     part
	strength uint8 // of attacks
	tongue   int16 // the list that it is of
}

// tongue is a list that has frames.
type tongue struct {
	language string
	tag      lang.Tag
	file     string
	late     bool // negation and verb come last: Japanese, Korean, Turkish, Hindi
	after    bool // negation may come after what it negates: German, Dutch, Danish
	dense    bool // words stand side by side
	wills    bool // the list names words of intent
}

// mark is a word of a frame that stands in units [from, to).
type mark struct {
	from, to int32
	frameWord
}

// frameFacts is what the frames found in a message, for whoever weighs it further.
type frameFacts struct {
	group, attack bool
	// named is set where the group is one of a language that the message may be in.
	named bool
	// countered is set where an attack on a group was turned around.
	countered bool
	// strength is the confidence of the strongest attack on a group, threat that
	// of the strongest threat; 0 for none.
	strength, threat float64
}

// frameScratch is what is known of the frames of one message.
type frameScratch struct {
	marks []mark
	parts part
	facts frameFacts
}

func (f *frameScratch) reset() { f.marks, f.parts, f.facts = f.marks[:0], 0, frameFacts{} }

// mostMarks bounds what is compared with what.
const mostMarks = 256

var (
	lateLanguages  = []string{"ja", "ko", "tr", "az", "hi", "bn", "fa", "ta", "te", "ml", "mr", "ur", "kk", "uz", "hu"}
	afterLanguages = []string{"de", "nl", "da", "nb", "no", "sv", "af", "is", "fr"}
	denseLanguages = []string{"ja", "zh", "th", "km", "lo", "my", "yue"}
)

// frames adds the words of frames of all lists to the patterns.
func (c *compiler) frames(lists []*list) {
	for _, l := range lists {
		base, _, _ := strings.Cut(l.Language, "-")
		t := tongue{
			language: l.Language, tag: lang.Parse(l.Language), file: strings.TrimSuffix(l.file, ".yaml"),
			late: slices.Contains(lateLanguages, base), after: slices.Contains(afterLanguages, base), dense: slices.Contains(denseLanguages, base),
			wills: len(l.Vocabulary["threat_will"]) > 0,
		}
		at := int16(len(c.tongues))
		c.tongues = append(c.tongues, t)
		for _, g := range l.Groups {
			c.frameTerms(g.Terms, frameWord{partGroup, 0, at})
		}
		for _, a := range l.Attacks {
			c.frameTerms(a.Terms, frameWord{partAttack, uint8(a.Strength), at})
		}
		for _, t := range l.Counters {
			what := partReproach
			if negates(t.text) {
				what = partNegate
			}
			c.frameTerms([]located{t}, frameWord{what, 0, at})
		}
		for _, k := range frameKeys {
			c.frameTerms(l.Vocabulary[k.key], frameWord{k.part, 0, at})
		}
	}
}

// frameKeys are the keys of a list's vocabulary that frames are made of.
var frameKeys = [...]struct {
	key  string
	part part
}{{"threat_will", partWill}, {"threat_verb", partVerb}, {"threat_you", partYou}, {"suicide", partSuicide}}

func (c *compiler) frameTerms(terms []located, w frameWord) {
	for _, t := range terms {
		pieces := strings.Split(strings.TrimSuffix(t.text, "*"), " ... ")
		p := foldTerm(pieces[0])
		for _, piece := range pieces[1:] {
			p.then(piece)
		}
		p.role, p.match, p.entry = roleFrame, defaultMatch("", &p), int32(len(c.framed))
		p.exact = isLanguage(c.tongues[w.tongue].language, "vi")
		if strings.HasSuffix(t.text, "*") && !p.dense {
			p.match = matchPrefix
		}
		c.framed = append(c.framed, w)
		c.patterns = append(c.patterns, p)
	}
}

// frameWord notes that a word of frames stands at symbols start to end. Readings
// of other units (decoded, reversed) are not of the same clause.
func (s *scratch) frameWord(l *lexicon, p *pattern, v *view, start, end int, evasive bool) {
	if len(s.marks) == mostMarks || len(v.units) == 0 || &v.units[0] != &s.norm.units[0] || !p.stands(v, start, end, evasive, p.match) {
		return
	}
	if len(p.rest()) > 0 {
		if end = p.follow(v, end, 2); end < 0 {
			return
		}
	}
	w := l.framed[p.entry]
	s.parts |= w.part
	s.marks = append(s.marks, mark{v.syms[start].first, v.syms[end].last + 1, w})
}

// framed appends what the frames find. A message without a group and without a
// threat costs nothing.
func (s *scratch) framed(l *lexicon, out []engines.Signal) []engines.Signal {
	s.facts.group, s.facts.attack = s.parts&partGroup != 0, s.parts&partAttack != 0
	hate := s.parts&(partGroup|partAttack) == partGroup|partAttack
	threat := s.parts&(partVerb|partYou) == partVerb|partYou
	if s.parts&partGroup == 0 && !threat && s.parts&partSuicide == 0 {
		return out
	}
	s.orderMarks()
	s.facts.named = s.named(l)
	if hate {
		out = s.groupAttacks(l, out)
	}
	if threat {
		out = s.threats(l, out)
	}
	if s.parts&partSuicide != 0 {
		out = s.suicides(l, out)
	}
	return out
}

// orderMarks sorts the marks by place and drops those that an allowance covers or
// that are a part of a longer word of their own list: "not" in "should not be
// allowed to", "illegal" in "illegal immigrants".
func (s *scratch) orderMarks() {
	slices.SortFunc(s.marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.part, b.part), cmp.Compare(b.strength, a.strength), cmp.Compare(a.tongue, b.tongue))
	})
	longest := s.longestAllow()
	kept := s.marks[:0]
	for i := range s.marks {
		m := s.marks[i]
		span := engines.Span{Start: int(s.norm.units[m.from].start), End: int(s.norm.units[m.to-1].end)}
		if s.allowed(span, longest) || inside(kept, &m) {
			continue
		}
		kept = append(kept, m)
	}
	s.marks = kept
}

// inside reports whether m is a part of a longer mark of its list that came before.
// A group stays one inside what is said of it.
func inside(marks []mark, m *mark) bool {
	for i := len(marks) - 1; i >= max(0, len(marks)-8); i-- {
		o := &marks[i]
		if o.tongue != m.tongue || o.to < m.to || o.part == m.part && o.from == m.from && o.to == m.to && o.strength < m.strength {
			continue
		}
		same := o.from == m.from && o.to == m.to
		switch {
		case same && o.part == m.part:
			return true
		case same, m.part == partGroup:
		case o.part&(partGroup|partAttack|partSuicide) != 0:
			return true
		case o.part == m.part:
			return true
		}
	}
	return false
}

func (s *scratch) longestAllow() int {
	longest := 0
	for _, a := range s.allows {
		longest = max(longest, a.End-a.Start)
	}
	return longest
}
