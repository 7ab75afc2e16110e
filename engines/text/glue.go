package text

// Limits of what may be glued to a word.
const (
	minGlued  = 5
	mostGlued = 14
)

// glued reports whether a match of a strong word stands in a word that other words
// were glued to: "stupidbitchgo". What is left on both sides must be words that
// stand beside one, and the whole none that is ordinary.
func (p *pattern) glued(l *lexicon, e *entry, v *view, start, last int) bool {
	if p.role != roleEntry || p.dense || p.length() < minGlued || e.severity < 2 || e.confidence < 0.7 || p.hasSpace() {
		return false
	}
	from, to := start, last
	for from > 0 && v.syms[from-1].class.alphabetic() && start-from <= mostGlued {
		from--
	}
	for to+1 < len(v.syms) && v.syms[to+1].class.alphabetic() && to-last <= mostGlued {
		to++
	}
	if start-from > mostGlued || to-last > mostGlued || v.ordinary(from, to) {
		return false
	}
	return v.segments(l, from, start-1) && v.segments(l, last+1, to)
}

// ordinary reports whether symbols from to to are an ordinary word.
func (v *view) ordinary(from, to int) bool {
	h := uint64(0)
	for i := from; i <= to; i++ {
		for range v.syms[i].count {
			h = hashRune(h, v.syms[i].r)
		}
	}
	return ordinary().has(h)
}

// segments reports whether symbols from to to are words that are often glued to an
// insult, side by side, or strong words themselves.
func (v *view) segments(l *lexicon, from, to int) bool {
	if from > to {
		return true
	}
	h := uint64(0)
	var buf [8]byte
	n := 0
	for end := from; end <= to; end++ {
		for range v.syms[end].count {
			h = hashRune(h, v.syms[end].r)
			if n < len(buf) && v.syms[end].r < 0x80 {
				buf[n] = byte(v.syms[end].r)
			}
			n++
		}
		strong := false
		if n >= 4 {
			d, ok := l.masks.guesses.word(h)
			strong = ok && d.steps == 0
		}
		if (strong || n <= len(buf) && gluedWords[string(buf[:n])]) && v.segments(l, end+1, to) {
			return true
		}
	}
	return false
}

// gluedWords are words that stand beside an insult in one breath.
var gluedWords = map[string]bool{
	"you": true, "your": true, "youre": true, "ur": true, "are": true, "the": true,
	"this": true, "that": true, "my": true, "she": true, "all": true, "such": true, "stupid": true, "dumb": true, "fat": true,
	"ugly": true, "dirty": true, "little": true, "old": true, "get": true, "off": true, "shut": true, "eat": true, "die": true, "kill": true, "self": true,
	"and": true, "area": true, "isa": true, "now": true, "here": true, "lol": true, "boy": true, "ass": true, "team": true, "noob": true, "noobs": true, "mods": true, "admin": true,
	"dasar": true, "lu": true, "lo": true, "kau": true, "kamu": true, "si": true, "du": true, "bist": true, "ein": true, "eine": true, "eres": true, "un": true, "una": true,
	"seu": true, "sua": true, "sale": true, "espece": true, "tu": true, "es": true, "toi": true, "feeder": true, "loser": true, "trash": true, "player": true, "with": true,
	"gay": true, "mother": true, "please": true, "face": true, "head": true, "fucking": true, "big": true, "what": true, "hate": true, "suck": true,
}
