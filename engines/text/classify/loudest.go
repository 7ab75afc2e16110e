package classify

// loud is a word that speaks for a head, and how much; a sum of 0 is none.
type loud struct{ sum, word int32 }

// Range returns the positions, as given to Rune, of the word that speaks most for
// a head, and whether any does. Score must have been asked of in before.
func (m *Model) Range(in *Input, h Head) (first, last int32, ok bool) {
	best := in.loudest[h]
	if !in.heard {
		best = m.listen(in, h)
	}
	if best.sum == 0 {
		return 0, 0, false
	}
	w := &in.words[best.word]
	return w.first, w.last, true
}

// listen looks for the word that speaks most for a head, the first of those that say the same.
func (m *Model) listen(in *Input, h Head) (best loud) {
	for i := range in.words {
		sum := int32(0)
		for _, f := range in.features[in.words[i].begin:in.words[i].end] {
			sum += m.weight(f, h)
		}
		if sum > best.sum {
			best = loud{sum, int32(i)}
		}
	}
	return best
}

// wordSums adds the rows of a message from its first word to its last, and finds what
// listen would for every head on the way.
type wordSums struct {
	in      *Input
	word    int  // the one that is under way
	said    sums // by that, so far
	loudest [Heads]loud
}

// add sums the features [from, to), which begin where the last ones ended. Those of words
// lie side by side, behind what is common to the message.
func (w *wordSums) add(m *Model, from, to int) (out sums) {
	for from < to {
		end := int(w.in.words[w.word].end)
		var part sums
		part.add(m, w.in.features[from:min(end, to)])
		out, w.said = out.plus(part), w.said.plus(part)
		if from = min(end, to); from == end {
			w.close()
		}
	}
	return out
}

// close weighs the word that is under way and goes on to the next.
func (w *wordSums) close() {
	for h, total := range w.said.total {
		if sum := total - 128*w.said.n; sum > w.loudest[h].sum {
			w.loudest[h] = loud{sum, int32(w.word)}
		}
	}
	w.word, w.said = w.word+1, sums{}
}
