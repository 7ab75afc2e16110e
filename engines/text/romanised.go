package text

import "strings"

// Cyrillic words are typed in Latin letters where no other keyboard is at hand, each
// writer by rules of his own: what all agree on, then what they differ in.
var romanCommon = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ж': "zh", 'з': "z", 'и': "i", 'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p",
	'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f", 'х': "h", 'ц': "c", 'ч': "ch", 'ш': "sh", 'щ': "sch", 'ы': "y", 'э': "e", 'ю': "yu", 'я': "ya", 'й': "y", 'ё': "e",
	'ь': "", 'ъ': "", 'і': "i", 'ї': "yi", 'є': "ye", 'ґ': "g",
}

// romanOthers are letters that some write so in place of the above, all at once.
var romanOthers = [...]map[rune]string{
	{'х': "kh", 'ц': "ts", 'й': "i", 'ы': "i", 'щ': "shch", 'ё': "yo"},
	{'х': "x", 'ж': "j", 'й': "j", 'ю': "u", 'я': "ia"},
}

// minRomanised is how many Latin letters a word must have: shorter ones are words of
// other languages.
const minRomanised = 6

// romanised adds a Cyrillic word in Latin letters.
func (d *disguiser) romanised(word []rune) {
	last := ""
	for i := -1; i < len(romanOthers); i++ {
		var b strings.Builder
		for _, r := range word {
			to, ok := romanCommon[r]
			if i >= 0 {
				if other, differs := romanOthers[i][r]; differs {
					to = other
				}
			}
			if !ok {
				return
			}
			b.WriteString(to)
		}
		if out := b.String(); len(out) >= minRomanised && out != last {
			d.put([]rune(out), stepLayout)
			last = out
		}
	}
}
