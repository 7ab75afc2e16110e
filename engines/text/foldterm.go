package text

import (
	"slices"
	"sync"
)

// folder is what folding a term needs; lists hold tens of thousands.
type folder struct {
	norm   normaliser
	view   view
	counts []uint16
	tones  []tones
}

var folders = sync.Pool{New: func() any { return &folder{norm: normaliser{folds: theFolds()}} }}

// foldTerm folds a term as the text is folded.
func foldTerm(term string) pattern { return foldWith(term, everySign) }

// foldWith folds a term in which the symbols of an alphabet count.
func foldWith(term string, known *alphabet) pattern {
	if smallLatin(term) {
		return foldSmall(term)
	}
	return foldAny(term, known)
}

// smallLatin reports whether a term is small letters of Latin script and spaces inside:
// half of all are, and fold to themselves.
func smallLatin(term string) bool {
	if term == "" || term[0] == ' ' || term[len(term)-1] == ' ' || len(term) > longestSmall {
		return false
	}
	for i := range len(term) {
		if c := term[i]; (c < 'a' || c > 'z') && c != ' ' {
			return false
		}
	}
	return true
}

// longestSmall keeps what is folded so below what a count of letters holds.
const longestSmall = 256

// foldSmall is foldAny for terms that smallLatin takes.
func foldSmall(term string) pattern {
	p := pattern{runes: make([]rune, 0, len(term))}
	doubled := false
	for i := range len(term) {
		if i > 0 && term[i] == term[i-1] {
			doubled = doubled || term[i] != ' '
			continue
		}
		p.runes = append(p.runes, rune(term[i]))
	}
	if !doubled {
		return p
	}
	p.more = &more{counts: make([]uint16, 0, len(p.runes))}
	for i := range len(term) {
		switch last := len(p.more.counts) - 1; {
		case i == 0 || term[i] != term[i-1]:
			p.more.counts = append(p.more.counts, 1)
		case term[i] != ' ':
			p.more.counts[last]++
		}
	}
	return p
}

// foldAny folds any term.
func foldAny(term string, known *alphabet) pattern {
	f := folders.Get().(*folder) //nolint:errcheck // the pool holds nothing else
	defer folders.Put(f)
	n, v := &f.norm, &f.view
	n.run(term)
	buildPlain(v, n.units, known)
	syms := v.syms
	for len(syms) > 1 && syms[0].r == ' ' {
		syms = syms[1:]
	}
	for len(syms) > 1 && syms[len(syms)-1].r == ' ' {
		syms = syms[:len(syms)-1]
	}
	p := pattern{han: true, runes: make([]rune, 0, len(syms))}
	f.counts, f.tones = f.counts[:0], f.tones[:0]
	var doubled, toned bool
	for _, s := range syms {
		count := s.count
		if s.r == ' ' {
			count = 1
		}
		p.runes, f.counts = append(p.runes, s.r), append(f.counts, count)
		doubled = doubled || count != 1
		var t tones
		for u := s.first; u <= s.last; u++ {
			t |= n.units[u].tones
		}
		f.tones, toned = append(f.tones, t), toned || t != 0
		p.marked = p.marked || s.steps&stepMark != 0 && s.r != 'е' // see accents
		p.dense = p.dense || s.class.dense()
		p.han = p.han && s.class == classHan
	}
	if doubled || toned {
		p.more = &more{}
	}
	if doubled {
		p.more.counts = slices.Clone(f.counts)
	}
	if toned {
		p.more.tones = slices.Clone(f.tones)
	}
	return p
}

// everySign keeps symbols that entries are made of, such as emoji, apart from separators.
var everySign = signs()

// signs returns the alphabet of the symbols that a term may hold.
func signs() *alphabet {
	var a alphabet
	for _, r := range "🖕💊🔫🍆🍑💦🔞💣🔪❄🍁🌿卐卍₽" {
		a.add(r)
	}
	return &a
}
