package name

import (
	"slices"
	"strings"
	"unicode"
)

// part is one word of a name: letters [from, to).
type part struct {
	from, to  int
	read      string // look-alikes and digits read as letters
	plain     string // as written
	core      string // read, without digits at its ends
	capitals  bool
	bracketed bool
	digits    bool // nothing else
}

// parts parts a name where its writing changes.
func parts(ls []letter) []part {
	var out []part
	inside := false
	for i := 0; i < len(ls); {
		if ls[i].sign && leetAt(ls, i) == 0 {
			inside = inside && !ls[i].shut || ls[i].open
			i++
			continue
		}
		j := i + 1
		for j < len(ls) && !border(ls, i, j) {
			j++
		}
		out = append(out, newPart(ls, i, j, inside))
		i = j
	}
	return join(out)
}

// words parts a name at its signs alone: a capital may stand for a letter that looks
// like it, AdmIn, GandaIf.
func words(ls []letter) []part {
	var out []part
	for i := 0; i < len(ls); {
		if ls[i].sign && leetAt(ls, i) == 0 {
			i++
			continue
		}
		j := i + 1
		for j < len(ls) && (!ls[j].sign || leetAt(ls, j) != 0) {
			j++
		}
		out = append(out, newPart(ls, i, j, false))
		i = j
	}
	return out
}

// border reports whether a new word begins at letter j of one that began at i.
func border(ls []letter, i, j int) bool {
	a, b := ls[j-1], ls[j]
	switch {
	case b.sign:
		return leetAt(ls, j) == 0
	case a.sign, a.digit || b.digit:
		return false
	case !a.upper && b.upper: // adminBob
		return true
	case a.upper && b.upper && j+1 < len(ls) && ls[j+1].isLower() && j-i >= 2: // GMKevin
		return true
	}
	return false
}

func (l letter) isLower() bool { return !l.sign && !l.digit && !l.upper && unicode.IsLower(l.plain) }

// leetAt is the letter that a sign between letters stands for, 0 for none.
func leetAt(ls []letter, i int) rune {
	as := leet[ls[i].plain]
	if as == 0 || i > 0 && ls[i-1].sign && leet[ls[i-1].plain] == 0 && i+1 >= len(ls) {
		return 0
	}
	before := i > 0 && !ls[i-1].sign
	after := i+1 < len(ls) && !ls[i+1].sign
	if ls[i].sign && (!after || !before && ls[i].plain != '@' && ls[i].plain != '$') {
		return 0
	}
	return as
}

func newPart(ls []letter, i, j int, bracketed bool) part {
	p := part{from: i, to: j, bracketed: bracketed, capitals: true, digits: true}
	var read, plain strings.Builder
	for k := i; k < j; k++ {
		l := ls[k]
		r := l.r
		if l.digit || l.sign {
			if as := leet[l.plain]; as != 0 {
				r = as
			}
		} else {
			p.capitals, p.digits = p.capitals && l.upper, false
		}
		read.WriteRune(r)
		plain.WriteRune(l.plain)
	}
	p.read, p.plain = read.String(), plain.String()
	a, b := i, j
	for a < b && ls[a].digit {
		a++
	}
	for b > a && ls[b-1].digit {
		b--
	}
	if a > i || b < j {
		p.core = newPart(ls, a, b, false).read
	} else {
		p.core = p.read
	}
	return p
}

// join makes letters that stand apart one word: A.d.m.i.n, G M.
func join(in []part) []part {
	var out []part
	for i := 0; i < len(in); {
		j := i
		for j < len(in) && in[j].to-in[j].from == 1 && !in[j].digits {
			j++
		}
		if j-i < 2 {
			out = append(out, in[i])
			i++
			continue
		}
		whole := part{from: in[i].from, to: in[j-1].to, capitals: true, bracketed: in[i].bracketed}
		for _, p := range in[i:j] {
			whole.read, whole.plain, whole.core = whole.read+p.read, whole.plain+p.plain, whole.core+p.core
			whole.capitals = whole.capitals && p.capitals
		}
		out = append(out, whole)
		i = j
	}
	return out
}

// rankOf is what a part claims, and whether it was written to look like the word.
func rankOf(p *part) (r rank, disguised bool) {
	for i, s := range [...]string{p.plain, p.core, p.read} {
		if r := staff[s]; r > 0 {
			return r, i > 0 && s != strings.Trim(p.plain, "0123456789")
		}
	}
	if len(p.core) >= 5 {
		once := squeeze(shape(p.core))
		if r, ok := shapes[once]; ok {
			return r, true
		}
	}
	return 0, false
}

// shape makes letters one that are drawn alike when written small.
func shape(s string) string {
	return strings.NewReplacer("rn", "m", "vv", "w", "cl", "d", "l", "i").Replace(s)
}

// squeeze drops repeats: Addmiin.
func squeeze(s string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range s {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// shapes are the titles by what squeeze and shape leave of them. Short ones have too
// many neighbours.
var shapes = func() map[string]rank {
	out := map[string]rank{}
	for w, r := range staff {
		if r == title && len(w) >= 5 {
			out[squeeze(shape(w))] = r
		}
	}
	return out
}()

// impersonates looks for a claim to be staff. The confidence is 0 for none; the place
// is in letters.
func impersonates(ls []letter) (confidence float64, from, to int) {
	ps := parts(ls)
	if slices.ContainsFunc(ps, func(p part) bool { return denials[p.read] || denials[p.core] }) {
		return 0, 0, 0
	}
	if c, from, to := ranked(ps); c > 0 {
		return c, from, to
	}
	for _, w := range words(ls) {
		if r, _ := rankOf(&w); r == title {
			return 0.95, w.from, w.to
		}
	}
	if at, n := twoWords(ps); n > 0 {
		return 0.95, ps[at].from, ps[at+n-1].to
	}
	for i := range ps {
		if glued(&ps[i]) {
			return 0.62, ps[i].from, ps[i].to
		}
	}
	return denseClaim(ls, ps)
}

// ranked looks for words that are a rank by themselves, or are nothing but ranks.
func ranked(ps []part) (confidence float64, from, to int) {
	all, first := len(ps) > 0, -1
	for i := range ps {
		if ps[i].digits {
			continue
		}
		r, _ := rankOf(&ps[i])
		all = all && r > 0
		if r > 0 && first < 0 {
			first = i
		}
	}
	for i := range ps {
		p := &ps[i]
		r, disguised := rankOf(p)
		switch {
		case r == title && disguised:
			return 0.97, p.from, p.to
		case r == title:
			return 0.95, p.from, p.to
		case r != office:
		case all && claims(ps):
			return 0.9, ps[first].from, ps[len(ps)-1].to
		case len(ps) < 2 || !tag(p.core):
		case p.bracketed:
			return 0.88, p.from, p.to
		case i == 0 && p.capitals:
			return 0.6, p.from, p.to
		}
	}
	return 0, 0, 0
}

// claims reports whether words of office together name staff: Support, Dev Team,
// Official Support; not Master, Game, Team, which are anybody's.
func claims(ps []part) bool {
	for i := range ps {
		switch ps[i].core {
		case "game", "team", "master", "service", "customer", "community", "manager", "help", "center", "desk", "account", "billing", "security", "root", "owner", "server", "operator", "cm", "mod", "dev", "equipo", "equipe", "resmi", "":
		default:
			return true
		}
	}
	return tagged(ps)
}

// tagged reports pairs of common words that only staff are: game master, mod team.
func tagged(ps []part) bool {
	var words []string
	for i := range ps {
		if !ps[i].digits {
			words = append(words, ps[i].core)
		}
	}
	if len(words) == 1 {
		return words[0] == "mod" || words[0] == "dev" || words[0] == "cm" || words[0] == "root" || words[0] == "server" || words[0] == "operator"
	}
	return len(words) == 2 && pairs[words[0]+" "+words[1]]
}

var pairs = map[string]bool{
	"game master": true, "community manager": true, "customer service": true, "mod team": true, "dev team": true, "help desk": true, "help center": true, "account security": true,
	"security team": true, "game team": true, "game service": true, "billing team": true, "account service": true, "service center": true, "server owner": true, "server operator": true, "game operator": true,
}

// tag reports the words that are put before a name to say what its bearer is.
func tag(word string) bool {
	switch word {
	case "mod", "dev", "staff", "support", "official", "system", "cm", "developer", "owner":
		return true
	}
	return false
}

// twoWords finds titles of two words inside a longer name.
func twoWords(ps []part) (at, n int) {
	for i := 0; i+1 < len(ps); i++ {
		switch ps[i].core + " " + ps[i+1].core {
		case "game master", "community manager", "customer service", "quan tri", "ad min", "mode rator":
			return i, 2
		}
	}
	return 0, 0
}

// glued reports a part that begins or ends with a long title and has more letters,
// adminbob, and is no word of the title's own family.
func glued(p *part) bool {
	for _, w := range [...]string{"administrator", "gamemaster", "moderator", "sysadmin", "admin"} {
		rest, begins := strings.CutPrefix(p.core, w)
		if !begins {
			if rest, begins = strings.CutSuffix(p.core, w); !begins {
				continue
			}
		}
		if len(rest) < 2 || denials[rest] {
			return false
		}
		for _, f := range family {
			if strings.HasPrefix(p.core, f) && !strings.HasPrefix(p.core, "administrator") && !strings.HasPrefix(p.core, "moderator") {
				return false
			}
		}
		return true
	}
	return false
}

// denseClaim looks for words of scripts without spaces.
func denseClaim(ls []letter, ps []part) (confidence float64, from, to int) {
	var b strings.Builder
	var at []int
	for i, l := range ls {
		if l.sign || l.digit {
			continue
		}
		for range len(string(l.plain)) {
			at = append(at, i)
		}
		b.WriteRune(l.plain)
	}
	// Marks of Hangul and kana were taken apart; the words are looked for as they were.
	whole := b.String()
	if slices.ContainsFunc(denseDenialsFolded, func(d string) bool { return strings.Contains(whole, d) }) {
		return 0, 0, 0
	}
	for w, r := range denseWords {
		i := strings.Index(whole, w)
		if i < 0 {
			continue
		}
		c := 0.93
		if r == office {
			// Alone, or a tag before the rest.
			rest := len([]rune(whole)) - len([]rune(w))
			bracketed := len(ps) > 0 && ps[0].bracketed && i == 0
			if rest > 0 && !bracketed {
				continue
			}
			c = 0.9
		}
		if c > confidence {
			confidence, from, to = c, at[i], at[i+len(w)-1]+1
		}
	}
	return confidence, from, to
}

// denseWords are the dense words as fold reads them.
var denseWords = func() map[string]rank {
	out := make(map[string]rank, len(dense))
	for w, r := range dense {
		out[unfolded(w)] = r
	}
	return out
}()

var denseDenialsFolded = func() (out []string) {
	for _, d := range denseDenials {
		out = append(out, unfolded(d))
	}
	return out
}()

// unfolded is what is left of a word by fold, look-alikes as written.
func unfolded(w string) string {
	var b strings.Builder
	for _, l := range fold(w) {
		if !l.sign && !l.digit {
			b.WriteRune(l.plain)
		}
	}
	return b.String()
}
