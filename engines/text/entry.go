package text

import (
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// matchKind says where an entry may stand in a text.
type matchKind uint8

const (
	matchWord      matchKind = iota // a whole word; in dense scripts between other scripts or separators
	matchPrefix                     // at the start of a word
	matchSubstring                  // anywhere, but not inside a longer katakana word
)

var matchKinds = map[string]matchKind{"word": matchWord, "prefix": matchPrefix, "substring": matchSubstring, "phrase": matchWord}

// role says what a pattern is for.
type role uint8

const (
	roleEntry   role = iota
	roleAllow        // voids the hits that it overlaps
	roleContext      // a word that raises or voids hits near it
	roleWord         // a word of the vocabulary of rules
	roleFrame        // a word that frames are made of
)

// entry is a lexicon entry ready to be matched. It never changes after load.
type entry struct {
	*traits
	rule       string
	match      matchKind
	nameInside bool // in a name the entry counts inside a word
}

// traits is what the terms of one group of a list share.
type traits struct {
	category   engines.Category
	subLabel   string
	severity   int
	confidence float64
	raised     float64 // confidence beside a context word that raises
	source     engines.Source
	language   string
	tag        lang.Tag
	inLanguage bool // counts only where the message is in the language
	inflect    bool
	within     int32   // words that a context word may stand away
	voidIf     []int32 // context words, sorted
	raiseIf    []int32
	needs      bool       // without a context word that raises there is no hit
	gap        int32      // words that may stand between the pieces of a phrase
	everyday   []lang.Tag // other languages in which its word is an everyday one; who has some has traits of its own
}

// pattern is what the automaton looks for: a piece of folded text. There are
// hundreds of thousands, so what few have is apart.
type pattern struct {
	runes  []rune // without repeats
	more   *more
	entry  int32 // index of the entry, or of the context word
	steps  step  // steps taken when the entry was varied
	role   role
	match  matchKind
	dense  bool // holds a letter of a dense script
	han    bool // is Han characters alone
	marked bool // holds a letter with an accent
	exact  bool // the accents of the text must be those of tones
	plain  bool // the accents of the text do not matter
	shape  shape
}

// more is what few patterns have.
type more struct {
	counts []uint16 // how often each rune stands, where any stands twice
	tones  []tones  // of each rune, where any has one
	rest   []pattern
}

// count is how often rune i stands in a row.
func (p *pattern) count(i int) uint16 {
	if p.more == nil || p.more.counts == nil {
		return 1
	}
	return p.more.counts[i]
}

// tone is the tones of rune i.
func (p *pattern) tone(i int) tones {
	if p.more == nil || p.more.tones == nil {
		return 0
	}
	return p.more.tones[i]
}

// rest is the further pieces of a phrase with gaps.
func (p *pattern) rest() []pattern {
	if p.more == nil {
		return nil
	}
	return p.more.rest
}

// then adds a piece behind a gap.
func (p *pattern) then(piece string) {
	if p.more == nil {
		p.more = &more{}
	}
	p.more.rest = append(p.more.rest, foldTerm(piece))
}

// length counts the letters of a pattern.
func (p *pattern) length() int {
	n := 0
	for i := range p.runes {
		n += int(p.count(i))
	}
	return n
}

// accents reports whether the accents of a match fit the entry. In a short word an
// accent makes another word (Turkish piç is not pic); marks on nearly every letter
// are decoration. Greek ones say where a word is stressed, and capitals have none; who
// writes Russian may leave out the dots of ё.
func (p *pattern) accents(syms []sym) bool {
	if len(syms) > 4 || p.dense || p.plain {
		return true
	}
	marked := 0
	for i := range syms {
		if syms[i].class == classGreek {
			return true
		}
		if syms[i].steps&stepMark != 0 && syms[i].r != 'е' {
			marked++
		}
	}
	if p.marked {
		return marked > 0
	}
	return marked == 0 || marked >= len(syms)-1
}

// bare reports whether a word with accents was written without any, as is the habit of many who
// write Turkish or Polish; it is then often a word of another language too: çomar in com**ar.
func (p *pattern) bare(syms []sym) bool {
	return p.marked && !p.dense && len(syms) <= longestBare && !slices.ContainsFunc(syms, func(s sym) bool { return s.steps&stepMark != 0 })
}

// longestBare is how many letters a word has at most that another language may have without accents.
const longestBare = 6

// hasSpace reports whether the pattern is more than one word.
func (p *pattern) hasSpace() bool { return slices.Contains(p.runes, ' ') }
