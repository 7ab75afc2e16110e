package text

// mostLooks is how many words of one kind are looked around in a message. There are no
// more in one that somebody reads; where one word is repeated, the next place tells what the last did.
const mostLooks = 256

// looks counts around how many words of each kind was looked.
type looks struct {
	kinds []looked
	words int
}

type looked struct {
	kind
	times int
}

// begin forgets what was looked at, before a look at that many words.
func (l *looks) begin(words int) { l.kinds, l.words = l.kinds[:0], words }

// enough reports whether no more words of the kind of w are to be looked around, and counts it.
func (l *looks) enough(w *word) bool {
	if l.words <= mostLooks {
		return false
	}
	k := kind{w.topics, w.facets}
	for i := range l.kinds {
		if l.kinds[i].kind == k {
			l.kinds[i].times++
			return l.kinds[i].times > mostLooks
		}
	}
	l.kinds = append(l.kinds, looked{k, 1})
	return false
}
