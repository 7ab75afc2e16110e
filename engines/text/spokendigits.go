package text

import "github.com/portcullis-gg/portcullis/engines"

// Digits of a telephone number that are written out, where a word says that one is
// told: "my number is five five five, one two three four", "电话 一三八 零零一三 八零零零".

// fewestSpoken is how many digits in a row are a number and not a count.
const fewestSpoken = 7

// spokenNumber finds a number in words.
func (s *scratch) spokenNumber(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	for i := 0; i < len(units); {
		if !units[i].class.letter() {
			i++
			continue
		}
		if i > 0 && units[i].class.alphabetic() && units[i-1].class.alphabetic() {
			i++
			continue
		}
		end, digits := spokenRun(units, i)
		if digits >= fewestSpoken && s.near(topicPhone|topicContact, i, end) {
			return s.tell(out, finding{"contact", "spoken-phone", 2, 0.8}, i, end)
		}
		i = max(end, i+1)
	}
	return out
}

// spokenRun counts the digits in words from unit i, with a sign or two between, and
// returns where they end.
func spokenRun(units []unit, i int) (end, digits int) {
	end = i
	for i < len(units) {
		n, to := spokenDigit(units, i)
		if n == 0 {
			break
		}
		digits += n
		end, i = to, to
		for i < len(units) && i-end < 2 && isOneOf(units[i].r, " ,.-") {
			i++
		}
	}
	return end, digits
}

// spokenDigit returns how many digits the word at unit i says, and where it ends.
func spokenDigit(units []unit, i int) (digits, end int) {
	if units[i].class.dense() {
		if isOneOf(units[i].r, "〇零一二三四五六七八九幺공영일이삼사오육칠팔구") {
			return 1, i + 1
		}
		return 0, i
	}
	if units[i].class == classDigit {
		return 1, i + 1
	}
	end = i
	for end < len(units) && units[end].class.alphabetic() {
		end++
	}
	var buf [24]byte
	switch word := spelling(buf[:0], units[i:end]); {
	case digitWords[string(word)]:
		return 1, end
	case string(word) == "double":
		return 1, end // with the digit that follows
	case string(word) == "triple":
		return 2, end
	}
	return 0, i
}

// digitWords are the digits in words, folded.
var digitWords = set(`zero oh nought one two three four five six seven eight nine
	cero uno dos tres cuatro cinco seis siete ocho nueve um dois quatro sete oito nove
	un deux trois quatre cinq sept huit neuf null eins zwei zwo drei vier funf fuenf sechs sieben acht neun
	ноль нуль один два три четыре пять шесть семь восемь девять
	sifir bir iki uc dort bes alti yedi sekiz dokuz nol satu dua tiga empat lima enam tujuh delapan sembilan
	khong mot hai ba bon nam sau bay tam chin shunya ek do teen char paanch chhe saat aath nau`)
