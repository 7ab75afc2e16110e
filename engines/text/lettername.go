package text

// Words can be told letter by letter, by the names of the letters ("bee eye") or by
// those of the radio alphabet ("foxtrot uniform").

// letterNames are the English names of letters as they are written out, and the
// words of the ICAO alphabet (ICAO Annex 10, volume II).
var letterNames = map[string]byte{
	"alpha": 'a', "alfa": 'a', "bravo": 'b', "charlie": 'c', "delta": 'd', "echo": 'e', "foxtrot": 'f', "golf": 'g', "hotel": 'h', "india": 'i',
	"juliet": 'j', "juliett": 'j', "kilo": 'k', "lima": 'l', "mike": 'm', "november": 'n', "oscar": 'o', "papa": 'p', "quebec": 'q', "romeo": 'r',
	"sierra": 's', "tango": 't', "uniform": 'u', "victor": 'v', "whiskey": 'w', "xray": 'x', "yankee": 'y', "zulu": 'z',
	"ay": 'a', "eh": 'a', "bee": 'b', "be": 'b', "see": 'c', "cee": 'c', "sea": 'c', "dee": 'd', "ee": 'e', "eff": 'f', "ef": 'f', "gee": 'g',
	"aitch": 'h', "haitch": 'h', "eye": 'i', "jay": 'j', "kay": 'k', "cay": 'k', "el": 'l', "ell": 'l', "em": 'm', "en": 'n', "oh": 'o', "pee": 'p',
	"pea": 'p', "cue": 'q', "queue": 'q', "are": 'r', "ar": 'r', "ess": 's', "es": 's', "tee": 't', "tea": 't', "you": 'u', "yu": 'u', "vee": 'v',
	"ex": 'x', "why": 'y', "wye": 'y', "zee": 'z', "zed": 'z',
}

// toldInNames reads a message that is told letter by letter.
func (r *readings) toldInNames(n *normaliser) bool { return namesLetters(n.units) && r.spelledOut(n) }

// spelledOut reads three and more names of letters in a row as these letters.
func (r *readings) spelledOut(n *normaliser) bool {
	units := n.units
	changed := false
	for i := 0; i < len(units); {
		end, count := nameRun(units, i)
		if count < 3 {
			r.units = append(r.units, units[i])
			i++
			for i < len(units) && units[i-1].class.alphabetic() && units[i].class.alphabetic() { // on to the next word
				r.units = append(r.units, units[i])
				i++
			}
			continue
		}
		changed = true
		for i < end {
			letter, to := letterName(units, i)
			r.units = append(r.units, unit{
				r: rune(letter), class: classLatin, start: units[i].start, end: units[to-1].end, steps: stepDecoded,
			})
			i = to
			for i < end && !units[i].class.alphabetic() {
				i++
			}
		}
	}
	return changed
}

// nameRun counts the names of letters that follow each other from unit i with one
// sign between, and returns where they end.
func nameRun(units []unit, i int) (end, count int) {
	end = i
	for i < len(units) {
		letter, to := letterName(units, i)
		if letter == 0 {
			return end, count
		}
		count++
		end, i = to, to
		if i < len(units) && !units[i].class.alphabetic() {
			i++
		}
	}
	return end, count
}

// letterName returns the letter whose name stands at unit i, and where it ends.
func letterName(units []unit, i int) (letter byte, end int) {
	var buf [8]byte
	n := 0
	for end = i; end < len(units) && isASCIIWord(&units[end]); end++ {
		if n == len(buf) {
			return 0, i
		}
		buf[n] = byte(units[end].r)
		n++
	}
	return letterNames[string(buf[:n])], end
}

// namesLetters reports whether the message may be told in names of letters: three
// of them in a row. Most messages end at their first words.
func namesLetters(units []unit) bool {
	if len(units) > 400 {
		return false
	}
	count := 0
	for i := 0; i < len(units); {
		if units[i].class != classLatin {
			i++
			continue
		}
		end := i
		for end < len(units) && units[end].class.alphabetic() {
			end++
		}
		count++
		if end-i < 2 || end-i > 8 {
			count = 0
		} else if letter, to := letterName(units, i); letter == 0 || to != end {
			count = 0
		}
		if count == 3 {
			return true
		}
		i = end
	}
	return false
}
