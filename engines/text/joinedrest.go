package text

// Letters that somebody pulled apart stand in a run that is read as one word, whether it
// was one or several: "s h u t u p". What a run says beside a match tells which: other
// words, or the rest of a word that the match is a chance part of, as in "Abbott".

// Words beside a match have three letters and more, or are among those that are often
// said beside an insult: pairs of letters are words of some language nearly always. What
// is shorter than a sentence must be words to its end; in a longer rest the nearest is
// looked at alone, and has to be longer.
const (
	shortestRest = 3
	surestRest   = 4
	sentenceRest = 8
)

// leads reports whether words begin at symbol i, where a match in joined letters ended.
func (v *view) leads(l *lexicon, i int) bool {
	end := i
	for end < len(v.syms) && v.syms[end].class.alphabetic() && end-i <= longestGuess {
		end++
	}
	if end-i < sentenceRest {
		return v.sayable(l, i, end)
	}
	h := uint64(0)
	for k := i; k < end; k++ {
		if h = v.hashed(h, k); k-i+1 >= surestRest && wordOf(l, h) {
			return true
		}
	}
	return false
}

// closes reports whether words end at symbol i, after which a match in joined letters begins.
func (v *view) closes(l *lexicon, i int) bool {
	from := i + 1
	for from > 0 && v.syms[from-1].class.alphabetic() && i+1-from <= longestGuess {
		from--
	}
	if i+1-from < sentenceRest {
		return v.sayable(l, from, i+1)
	}
	for k := i + 1 - surestRest; k >= from; k-- {
		h := uint64(0)
		for n := k; n <= i; n++ {
			h = v.hashed(h, n)
		}
		if wordOf(l, h) {
			return true
		}
	}
	return false
}

// sayable reports whether symbols [from, to) are words side by side, or one letter that
// is a word: a, i, u, y, и.
func (v *view) sayable(l *lexicon, from, to int) bool {
	if from == to {
		return true
	}
	if y := &v.syms[from]; to == from+1 {
		return y.count == 1 && (vowel(y.r) || y.r == 'y')
	}
	h := uint64(0)
	var buf [2]byte
	for k := from; k < to; k++ {
		if h = v.hashed(h, k); k-from < len(buf) && v.syms[k].r < 0x80 && v.syms[k].count == 1 {
			buf[k-from] = byte(v.syms[k].r)
		}
		n := k - from + 1
		if (n >= shortestRest && wordOf(l, h) || n == len(buf) && (gluedWords[string(buf[:])] || briefWords[string(buf[:])])) && v.sayable(l, k+1, to) {
			return true
		}
	}
	return false
}

// briefWords are words of two letters that stand beside an insult.
var briefWords = map[string]bool{"it": true, "me": true, "go": true, "so": true, "up": true, "im": true, "is": true, "ya": true, "te": true, "oh": true, "no": true, "vc": true, "mi": true}

// hashed adds symbol i to the hash of a word; drawn-out letters stand once.
func (v *view) hashed(h uint64, i int) uint64 {
	n := v.syms[i].count
	if n > 2 {
		n = 1
	}
	for range n {
		h = hashRune(h, v.syms[i].r)
	}
	return h
}

// wordOf reports whether the word whose hash is h is ordinary or one of the lists.
func wordOf(l *lexicon, h uint64) bool {
	if ordinary().has(h) {
		return true
	}
	d, ok := l.masks.guesses.find(h)
	return ok && d.steps == 0
}

// spelt reports whether symbols start to last, each a word of one letter, are a part of a
// longer run of such words: somebody spelt a longer word, and what its letters are by
// themselves, or side by side, means nothing.
func (v *view) spelt(start, last int) bool {
	if !v.lone(start) || !v.lone(last) {
		return false
	}
	for i := start; i <= last; i++ {
		if v.syms[i].class == classSep && !v.parts(i) || v.syms[i].class != classSep && !v.lone(i) {
			return false
		}
	}
	return v.lone(start-2) && v.parts(start-1) || v.lone(last+2) && v.parts(last+1)
}

// lone reports whether symbol i is a letter, or two alike, without another beside it.
func (v *view) lone(i int) bool {
	return i >= 0 && i < len(v.syms) && v.syms[i].class.letter() &&
		(i == 0 || v.syms[i-1].class == classSep) && (i+1 == len(v.syms) || v.syms[i+1].class == classSep)
}

// parts reports whether symbol i parts the letters of a word: one space, or signs.
func (v *view) parts(i int) bool {
	return v.syms[i].count == 1 || v.syms[i].count == 2 && !isSpace(v.units[v.syms[i].first].r)
}
