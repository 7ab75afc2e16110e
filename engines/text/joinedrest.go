package text

// Letters that somebody pulled apart stand in a run that is read as one word, whether it
// was one or several: "s h u t u p". What a run says beside a match tells which: other
// words, or the rest of a word that the match is a chance part of, as in "Abbott".

// shortestRest is the length from which words beside a match are words by themselves:
// pairs of letters are words of some language nearly always.
const shortestRest = 3

// leads reports whether a word begins at symbol i, where a match in joined letters ended.
func (v *view) leads(l *lexicon, i int) bool {
	h := uint64(0)
	for n := 1; i < len(v.syms) && v.syms[i].class.alphabetic() && n <= longestGuess; i, n = i+1, n+1 {
		h = v.hashed(h, i)
		end := i+1 >= len(v.syms) || !v.syms[i+1].class.alphabetic()
		if n >= shortestRest && v.wordOf(l, h) || end && n == shortestRest-1 && ordinary().has(h) {
			return true
		}
	}
	return false
}

// closes reports whether a word ends at symbol i, after which a match in joined letters begins.
func (v *view) closes(l *lexicon, i int) bool {
	if (i == 0 || !v.syms[i-1].class.alphabetic()) && v.syms[i].count == 1 && (vowel(v.syms[i].r) || v.syms[i].r == 'y') {
		return true // a, i, u, y, и: words of one letter
	}
	first := i
	for n := 1; first >= 0 && v.syms[first].class.alphabetic() && n <= longestGuess; first, n = first-1, n+1 {
		if n < shortestRest-1 {
			continue
		}
		h := uint64(0)
		for k := first; k <= i; k++ {
			h = v.hashed(h, k)
		}
		begin := first == 0 || !v.syms[first-1].class.alphabetic()
		if n >= shortestRest && v.wordOf(l, h) || begin && n == shortestRest-1 && ordinary().has(h) {
			return true
		}
	}
	return false
}

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
func (v *view) wordOf(l *lexicon, h uint64) bool {
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
	for i := start; i <= last; i++ {
		if c := v.syms[i].class; c != classSep && !v.lone(i) || c == classSep && v.syms[i].count > 1 {
			return false
		}
	}
	return v.lone(start-2) && v.syms[start-1].count == 1 || v.lone(last+2) && v.syms[last+1].count == 1
}

// lone reports whether symbol i is a letter, or two alike, without another beside it.
func (v *view) lone(i int) bool {
	return i >= 0 && i < len(v.syms) && v.syms[i].class.letter() &&
		(i == 0 || v.syms[i-1].class == classSep) && (i+1 == len(v.syms) || v.syms[i+1].class == classSep)
}
