package text

// Pig Latin moves the consonants that a word begins with to its end and adds "ay":
// "igpay atinlay". How many of them were moved, the word doesn't tell.

// unpig reads a message of Pig Latin in which up to moved consonants went to the end.
func (r *readings) unpig(n *normaliser, moved int) bool {
	units := n.units
	words, changed := 0, 0
	for i := 0; i < len(units); {
		if !units[i].class.alphabetic() {
			r.units = append(r.units, units[i])
			i++
			continue
		}
		from := i
		for i < len(units) && units[i].class.alphabetic() {
			i++
		}
		words++
		if r.unpigWord(units[from:i], moved) {
			changed++
		}
	}
	return changed > 0 && changed*5 >= words*4
}

// unpigWord appends a word, moved back if it ends as Pig Latin does.
func (r *readings) unpigWord(word []unit, moved int) bool {
	end := len(word) - 2
	if end < 2 || !hasPrefix(word[end:], "ay") {
		r.units = append(r.units, word...)
		return false
	}
	start := end
	if word[end-1].r == 'w' && vowel(word[0].r) {
		end--
		start = end
	} else {
		for start > 0 && end-start < moved && !vowel(word[start-1].r) {
			start--
		}
	}
	for _, part := range [...][]unit{word[start:end], word[:start]} {
		for _, u := range part {
			u.steps |= stepDecoded
			u.upper = false
			r.units = append(r.units, u)
		}
	}
	return start < end || end < len(word)-2
}

func (r *readings) unpigOne(n *normaliser) bool {
	if !pigged(n.units) {
		return false
	}
	return r.unpig(n, 1)
}

func (r *readings) unpigTwo(n *normaliser) bool {
	if !pigged(n.units) {
		return false
	}
	return r.unpig(n, 2)
}

// pigged reports whether the message's last word of letters ends in "ay" after
// three others: a cheap look that nearly every message fails.
func pigged(units []unit) bool {
	end := len(units)
	for end > 0 && !units[end-1].class.alphabetic() {
		end--
	}
	return end >= 5 && units[end-1].r == 'y' && units[end-2].r == 'a' && units[end-3].class.alphabetic() && units[end-5].class.alphabetic()
}
