package text

import "sync"

var latinLetters = sync.OnceValue(lookalikes)

// ReadAs is the Latin letter, in lower case, that a reader takes r for; loose where it
// is so only beside Latin letters. ok is false for what looks like none, and for the
// Latin letters themselves.
func ReadAs(r rune) (letter rune, loose, ok bool) {
	l, ok := latinLetters()[r]
	return rune(l.letter), l.loose, ok
}
