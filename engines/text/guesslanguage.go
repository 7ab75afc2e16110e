package text

import (
	"slices"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// stepsOdd are the steps that no plain word takes: the writer went out of the way.
const stepsOdd = ^(stepMark | stepDotless)

// credible reports whether a guess at a word may be made in a language that has the
// word of the pattern. A word written plainly, in small letters of Latin script alone,
// is far more often a word of some language that the table of ordinary words lacks than
// a misspelt insult of another ("hullo" is no хуйло, "Flut" no Polish fiut). So there
// the message, or who sent it, must be of that language, or that be English, which is
// sworn in everywhere. A word that shows that something is hidden in it need not, nor
// one typed on the keyboard of another script, which no language shows in.
func (s *scratch) credible(l *lexicon, v *view, p *chunk, g guess) bool {
	if v.syms[p.first].class != classLatin || g.steps&(stepSwapped|stepLookalike|stepReversed|stepRepeat) == 0 || v.odd(p) {
		return true
	}
	if tags, ok := l.masks.guesses.tongues[g.pattern]; ok {
		return slices.ContainsFunc(tags, func(t lang.Tag) bool { return s.tongueShown(t) })
	}
	return s.tongueShown(l.entries[l.patterns[g.pattern].entry].tag)
}

// tongueShown reports whether something speaks for a language, not merely nothing
// against it as plausible asks: so few letters tell no language.
func (s *scratch) tongueShown(t lang.Tag) bool {
	if t == lang.None || t == english || lang.Kin(t, s.hint) {
		return true
	}
	r := s.language()
	return r.P(t) >= spokenAt || r.Letters > fewLetters && s.plausible(t)
}

var english = lang.Parse("en")

// odd reports whether a word shows that something is hidden in it: a letter that was
// read as another, a digit, a stretched letter, or a capital after a small one.
func (v *view) odd(p *chunk) bool {
	for i := p.first; i <= p.last; i++ {
		y := &v.syms[i]
		if y.altered || y.steps&stepsOdd != 0 || y.class == classDigit || y.count > 2 || v.camel(int(i)) {
			return true
		}
	}
	return false
}
