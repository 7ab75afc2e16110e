package text

import (
	"strings"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// Rules find what words can't: shapes, and words of several topics that stand
// together. Each looks at the units of a message in one pass, and only where
// something that it begins at occurs at all.

// rules appends what every rule finds. Personal data and links come first, for
// offers, scams and doxxing build on them.
func (e *Engine) rules(s *scratch, out []engines.Signal) []engines.Signal {
	if len(s.words) > 0 {
		s.orderWords()
		s.hear()
		s.dropHelped()
	}
	links := e.links
	if links == nil {
		links = defaultLinks
	}
	out = s.hosts(links, out)
	out = s.personal(out)
	return s.adverts(out)
}

// hosts runs the rules about links.
func (s *scratch) hosts(links *linkRules, out []engines.Signal) []engines.Signal {
	if s.dots > 0 || s.topics&topicDot != 0 {
		s.readLinks(links)
	}
	if s.topics&topicDot != 0 || s.dots > 0 || s.stops > 0 {
		s.hiddenLinks()
	}
	if len(s.links) > 0 {
		out = s.linkSignals(links, out)
	}
	return out
}

// personal runs the rules about personal data.
func (s *scratch) personal(out []engines.Signal) []engines.Signal {
	if s.at > 0 {
		out = s.emails(out)
	}
	if s.topics&topicAt != 0 && (s.topics&topicDot != 0 || s.dots > 0 || s.digits > 0) {
		out = s.spelledMails(out)
	}
	if s.digits >= 4 {
		out = s.codes(out)
	}
	if s.digits >= 6 {
		s.readNumbers()
		out = s.numberRules(out)
	}
	if s.digits >= 4 && (s.dots >= 3 || s.digits >= 6) {
		out = s.internetAddresses(out)
	}
	if s.digits >= 12 && s.dots >= 2 {
		out = s.coordinates(out)
	}
	if s.topics&(topicPhone|topicContact|topicZero) != 0 && len(s.norm.units) < 400 {
		out = s.spokenNumber(out)
	}
	out = s.addresses(out)
	if s.topics&topicSecret != 0 || len(s.norm.units) >= 20 && s.digits > 0 {
		out = s.credentials(out)
	}
	if len(s.private) > 0 || s.topics&topicName != 0 {
		out = s.doxxing(out)
	}
	return out
}

// adverts runs the rules about spam.
func (s *scratch) adverts(out []engines.Signal) []engines.Signal {
	if s.topics&(topicWare|topicIllegal) != 0 || s.topics&topicSell != 0 && s.digits > 0 || s.topics&(topicSell|topicBuy) != 0 && s.facets&facetPaid != 0 {
		out = s.offers(out)
	}
	if s.topics&(topicFree|topicScam|topicStaff) != 0 || len(s.links) > 0 {
		out = s.scams(out)
	}
	if s.topics&topicMeets != 0 {
		out = s.meetings(out)
	}
	if deedAnchors.of(s.topics, s.facets) {
		out = s.deeds(out)
	}
	s.skeleton()
	if s.topics&topicChain != 0 {
		out = s.chains(out)
	}
	if s.norm.points >= 12 {
		out = s.floods(out)
	}
	return out
}

// shape makes the signal of a rule for units [from, to).
func (s *scratch) shape(c engines.Category, sub, rule string, severity int, confidence float64, from, to int) engines.Signal {
	from = max(from, 0)
	return engines.Signal{
		Category: c, SubLabel: sub, Severity: severity, Confidence: confidence, Source: engines.SourceRule, Rule: "rule/" + rule,
		Span: engines.Span{Start: int(s.norm.units[from].start), End: int(s.norm.units[to-1].end)},
	}
}

// isOneOf is asked of every unit by several rules: strings.ContainsRune alone, whose own look
// for a letter of ASCII is a call deeper, made the slowest text a tenth slower.
func isOneOf(r rune, set string) bool {
	if r < utf8.RuneSelf {
		return strings.IndexByte(set, byte(r)) >= 0
	}
	return strings.ContainsRune(set, r)
}

// hasPrefix reports whether units begin with the ASCII text p.
func hasPrefix(units []unit, p string) bool {
	if len(units) < len(p) {
		return false
	}
	for i := range len(p) {
		if units[i].r != rune(p[i]) {
			return false
		}
	}
	return true
}

// runesAt returns where d ends if it stands at unit i, else 0.
func runesAt(units []unit, i int, d string) int {
	for _, r := range d {
		if i >= len(units) || units[i].r != r {
			return 0
		}
		i++
	}
	return i
}
