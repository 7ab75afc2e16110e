package text

// Words are also veiled with what readers skip: marks of markup within a word, a
// bracket or quotation marks around one of its letters, one digit between letters.

// stripped reads the message without such veils.
func (r *readings) stripped(n *normaliser) bool {
	units := n.units
	first := veiledAt(units)
	if first == len(units) {
		return false
	}
	r.units = append(r.units, units[:first]...)
	veil := step(0)
	for i := first; i < len(units); {
		if size := markup(units, i); size > 0 {
			i += size
			veil = stepDecoded
			continue
		}
		u := units[i]
		switch {
		case bracketed(units, i):
			u = units[i+1]
			u.start, u.end = units[i].start, units[i+2].end
			u.steps |= stepDecoded
			i += 2
		case lonelyDigit(units, i) && !plainDigit(units, i):
			i++
			veil = stepDecoded | stepLeet
			continue
		}
		u.steps |= veil
		veil = 0
		r.units = append(r.units, u)
		i++
	}
	return true
}

// veiledAt is the first unit at which a veil begins.
func veiledAt(units []unit) int {
	for i := range units {
		if lonelyDigit(units, i) && !plainDigit(units, i) || bracketed(units, i) || markup(units, i) > 0 {
			return i
		}
	}
	return len(units)
}

// bracketed reports whether a letter in brackets of its own begins at unit i, within
// a word.
func bracketed(units []unit, i int) bool {
	if i+2 >= len(units) || !units[i+1].class.alphabetic() || units[i].class != classSep && units[i].r != '(' || closing(units[i].r) != units[i+2].r {
		return false
	}
	before := i > 0 && units[i-1].class.alphabetic()
	after := i+3 < len(units) && units[i+3].class.alphabetic()
	return after || before && i > 1 && units[i+1].r != 's' // "word(s)" is a plural
}

// closing is the sign that ends what r begins, 0 where it begins nothing.
func closing(r rune) rune {
	switch r {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	case '"', '|':
		return r
	}
	return 0
}

const (
	// longestMark is how many units a mark of markup takes, brackets included.
	longestMark = 16
	// mostInRow is how many marks in a row veil: more are no word's.
	mostInRow = 8
)

// markup returns how many units the marks of markup take that stand at unit i, within
// a word: <b>, [/color], <br/>; 0 for none.
func markup(units []unit, i int) int {
	if i == 0 || units[i].r != '<' && units[i].r != '[' || isSpace(units[i-1].r) {
		return 0
	}
	end := i
	for n := 0; end < len(units) && n < mostInRow; n++ {
		size := markAt(units[end:])
		if size == 0 {
			break
		}
		end += size
	}
	if end == i || end == len(units) || !units[end].class.letter() {
		return 0
	}
	return end - i
}

// markAt is the size of the mark that begins the units, 0 for none.
func markAt(units []unit) int {
	if units[0].r != '<' && units[0].r != '[' {
		return 0
	}
	last := closing(units[0].r)
	var name [8]byte
	n := 0
	named := false
	for i := 1; i < len(units) && i < longestMark; i++ {
		switch c := units[i].r; {
		case c == last:
			if n == 0 && i == 2 || markNames[string(name[:n])] {
				return i + 1
			}
			return 0
		case c == '/':
		case c == '=' || c == ' ' && n > 0:
			named = true
		case named:
		case c < 'a' || c > 'z' || n == len(name):
			return 0
		default:
			name[n] = byte(c)
			n++
		}
	}
	return 0
}

// markNames are marks of HTML, of forums and of games' own chats.
var markNames = map[string]bool{
	"b": true, "i": true, "u": true, "s": true, "p": true, "q": true, "br": true, "em": true, "tt": true, "del": true, "ins": true, "sub": true, "sup": true, "big": true,
	"wbr": true, "font": true, "span": true, "mark": true, "small": true, "strong": true, "color": true, "colour": true, "size": true, "nobr": true, "center": true, "code": true,
}

// lonelyDigit reports whether unit i is the one digit of a word of four letters and
// more, and stands between letters.
func lonelyDigit(units []unit, i int) bool {
	if units[i].class != classDigit || i == 0 || i+1 == len(units) || !units[i-1].class.alphabetic() || !units[i+1].class.alphabetic() {
		return false
	}
	letters := 0
	for _, way := range [...]int{-1, 1} {
		for k := i + way; k >= 0 && k < len(units) && units[k].class != classSep && !isSpace(units[k].r); k += way {
			if !units[k].class.alphabetic() || letters > longestGuess {
				return false
			}
			letters++
		}
	}
	return letters >= 4
}

// plainDigit reports whether the digit at unit i is the letter that it looks like in a
// word that everybody knows: what is read without it would be a chance part of that.
func plainDigit(units []unit, i int) bool {
	from, to := i, i+1
	for from > 0 && units[from-1].class.alphabetic() {
		from--
	}
	for to < len(units) && units[to].class.alphabetic() {
		to++
	}
	letter := leet
	if units[from].class == classCyril {
		letter = func(r rune, _ bool) rune { return cyrillic(r) }
	}
	h := uint64(0)
	for k := from; k < to; k++ {
		r := units[k].r
		if k == i {
			if r = letter(r, false); r == 0 {
				return false
			}
		}
		h = hashRune(h, r)
	}
	return ordinary().has(h)
}
