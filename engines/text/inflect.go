package text

// endings are those that an English entry marked inflect may take, without repeats.
var endings = map[string]bool{
	"s": true, "z": true, "es": true, "ed": true, "er": true, "ers": true, "ing": true, "ings": true,
	"in": true, "y": true, "ies": true, "d": true, "r": true, "rs": true, "n": true,
}

const longestEnding = 4

// inflected returns the last symbol of the word that begins with a match ending
// at symbol end, where what follows is an ending; else end.
func inflected(v *view, end int) int {
	var buf [longestEnding]byte
	n := 0
	for i := end + 1; i < len(v.syms) && v.syms[i].class.alphabetic(); i++ {
		if n == len(buf) || v.syms[i].r >= 0x80 {
			return end
		}
		buf[n] = byte(v.syms[i].r)
		n++
	}
	if n == 0 || !endings[string(buf[:n])] {
		return end
	}
	return end + n
}
