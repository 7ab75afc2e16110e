package text

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// Numbers that are nobody's: what a label says is an order or a ticket, numbers of a
// national plan that are free to call or of services alone, and lines where help is had.

//go:embed data/tollfree.txt
var tollFreeData string

// tollFree is a range of a numbering plan in which no person has a number.
type tollFree struct {
	prefix      string
	least, most int // digits in all, as dialled inside the country
	code        string
	spoken      lang.Tag // None for a range that no other country gives to people
}

// tollFrees are the ranges of data/tollfree.txt.
var tollFrees = sync.OnceValue(func() []tollFree { return readTollFree(tollFreeData) })

func readTollFree(data string) (all []tollFree) {
	for line := range strings.Lines(data) {
		f := strings.Fields(line)
		if len(f) < 4 || f[0] == "#" {
			continue
		}
		least, _ := strconv.Atoi(f[2]) // the file is ours: its test reads every line
		most, _ := strconv.Atoi(f[3])
		t := tollFree{prefix: f[1], least: least, most: most, code: f[0]}
		if len(f) > 4 {
			t.spoken = lang.Parse(f[4])
		}
		all = append(all, t)
	}
	return all
}

// nobodys reports whether a number that looks like a telephone's is no person's.
func (s *scratch) nobodys(n *number) bool { return s.ticket(n) || s.service(n) || s.helps(n) }

// helpReach is how far from a number, in units, the line that it is of may be named.
const helpReach = 60

// helps reports whether a line where help is had is named around the number, and not
// as somebody's: "hotline nhà nó" is of his house.
func (s *scratch) helps(n *number) bool {
	if s.stance&stanceHelp == 0 {
		return false
	}
	for i := s.wordsFrom(n.from - helpReach); i < len(s.words) && int(s.words[i].from) < n.to+helpReach; i++ {
		if w := &s.words[i]; w.stance&stanceHelp != 0 && !w.weak && !s.somebodys(w) {
			return true
		}
	}
	return false
}

// somebodys reports whether a word for somebody, or for a home, stands right beside w.
func (s *scratch) somebodys(w *word) bool {
	for i := s.wordsFrom(int(w.from) - 24); i < len(s.words) && s.words[i].from <= w.to+2; i++ {
		if o := &s.words[i]; o.topics&(topicThird|topicHome) != 0 && (o.from >= w.to || o.to <= w.from && w.from-o.to <= 2) {
			return true
		}
	}
	return false
}

// dropHelped drops words that are a part of the name of a line where help is had: the
// CVV that listens is no number of a card.
func (s *scratch) dropHelped() {
	if s.stance&stanceHelp == 0 {
		return
	}
	for i := range s.words {
		h := s.words[i]
		if h.stance&stanceHelp == 0 {
			continue
		}
		for k := range s.words {
			if w := &s.words[k]; w.stance&stanceHelp == 0 && w.from >= h.from && w.to <= h.to {
				w.topics, w.facets, w.weak = 0, 0, true
			}
		}
	}
}

// service reports whether the number is of a range in which no person has one. Behind
// an extension there is somebody.
func (s *scratch) service(n *number) bool {
	if s.extended(n) {
		return false
	}
	for i := range tollFrees() {
		t := &tollFrees()[i]
		if s.of(n, t) && (t.spoken == lang.None || n.plus || lang.Kin(t.spoken, s.hint) || s.plausible(t.spoken)) {
			return true
		}
	}
	return false
}

// of reports whether a number is of a range. Numbers of ten digits in one that begin
// with neither 0 nor 1 are mobiles in other countries, and so are those of eleven that
// begin with 1: they must be grouped as the range is.
func (s *scratch) of(n *number, t *tollFree) bool {
	rest, prefix, least, most := string(n.value()), t.prefix, t.least, t.most
	if n.plus {
		var found bool
		if rest, found = strings.CutPrefix(rest, t.code); !found {
			return false
		}
		if prefix[0] == '0' { // the trunk prefix is not dialled from abroad
			prefix, least, most = prefix[1:], least-1, most-1
		}
	}
	switch {
	case len(rest) < least || len(rest) > most || !strings.HasPrefix(rest, prefix):
		return false
	case n.plus:
		return true
	case n.ngroups > 1:
		return n.headed(prefix)
	}
	return prefix[0] == '0' || prefix[0] == '1' && n.n != 11 || len(prefix) == 4 && n.n == 11 && prefix[0] == '8'
}

// extended reports whether an extension stands behind the number.
func (s *scratch) extended(n *number) bool {
	i := n.to
	for i < len(s.norm.units) && isOneOf(s.norm.units[i].r, " ,(") {
		i++
	}
	for _, p := range extensions {
		if runesAt(s.norm.units, i, p) > 0 {
			return true
		}
	}
	return false
}

// extensions are how the words for an extension begin.
var extensions = [...]string{"ext", "durchwahl", "dw ", "poste ", "ramal", "anexo", "interno", "доб", "wew", "dahili", "内線", "내선", "分机", "轉"}

// headed reports whether the first groups of a number are the prefix: 0800 in 0800 123
// and in 0 800 123, but not in 080 012.
func (n *number) headed(prefix string) bool {
	size := 0
	for i := 0; i < min(n.ngroups, len(n.groups)) && size < len(prefix); i++ {
		size += n.groups[i]
	}
	return size == len(prefix)
}

// ticket reports whether a word beside the number says that it is of an order, a ticket
// or something else that is counted. A number that is written as telephones are is one
// whatever stands before it.
func (s *scratch) ticket(n *number) bool {
	if s.topics&topicOrder == 0 || n.plus {
		return false
	}
	labelled := false
	for i := s.wordsFrom(n.from - 40); i < len(s.words) && int(s.words[i].from) <= n.to+labelReach; i++ {
		w := &s.words[i]
		if w.topics&topicOrder == 0 {
			continue
		}
		before := int(w.to) <= n.from && n.from-int(w.to) <= labelReach && s.leads(int(w.to), n.from)
		after := int(w.from) >= n.to && int(w.from)-n.to <= labelReach && s.leads(n.to, int(w.from))
		labelled = labelled || before || after
	}
	return labelled && (n.ngroups < 3 || n.national(s) < 0.8)
}

// labelReach is how many units may stand between a number and its label: a colon, "is",
// a particle.
const labelReach = 6

// leads reports whether units [from, to) lead from a label to its number.
func (s *scratch) leads(from, to int) bool {
	for i := from; i < to; i++ {
		if u := &s.norm.units[i]; u.class == classDigit || s.stop(i) && u.r != '.' || isOneOf(u.r, ",、，،") {
			return false
		}
	}
	return true
}
