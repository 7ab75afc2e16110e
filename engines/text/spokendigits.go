package text

import (
	"strings"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// Digits of a telephone number that are written out, where a word says that one is
// told: "my number is five five five, one two three four", "电话 一三八 零零一三 八零零零".

// fewestSpoken is how many digits in a row are a number and not a count.
const fewestSpoken = 7

// unasked is how many are one where no word says so, and a zero stands among them or a
// plus before them: telephone numbers of nine digits and more seldom have none.
const unasked = 9

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
		if digits >= fewestSpoken {
			c := 0.0
			switch {
			case s.near(topicPhone|topicContact, i, end):
				c = 0.8
			case digits >= unasked && (s.wordEnd(topicZero, i) > 0 || s.abroad(i) || s.about(topicZero, i, end) != nil && !counting(units, i, end)):
				c = 0.7
			}
			if c > 0 {
				return s.tell(out, finding{"contact", "spoken-phone", 2, c}, i, end)
			}
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
		for i < len(units) && i-end < 3 && isOneOf(units[i].r, " ,.-のに에의~、，") {
			i++
		}
		i = andBetween(units, i)
	}
	return end, digits
}

// andBetween returns where the number goes on whose tens and ones a word joins at unit i:
// ochenta y uno, vinte e três; i where none does.
func andBetween(units []unit, i int) int {
	if i+2 >= len(units) || i == 0 || units[i-1].r != ' ' || units[i+1].r != ' ' || !isOneOf(units[i].r, "ye") {
		return i
	}
	if n, _ := spokenDigit(units, i+2); n == 0 {
		return i
	}
	return i + 2
}

// abroad reports whether a plus, as a sign or a word, stands before unit i.
func (s *scratch) abroad(i int) bool {
	units := s.norm.units
	for i > 0 && units[i-1].r == ' ' {
		i--
	}
	for _, w := range [...]string{"plus", "+", "плюс", "más", "mas", "mais", "artı", "arti", "زائد", "บวก", "プラス", "플러스", "加"} {
		p := []rune(w)
		if from := i - len(p); from >= 0 && runesAt(units, from, w) == i {
			return true
		}
	}
	return false
}

// counting reports whether the words of units [from, to) are all different, as those of a
// count to ten are: "ten nine eight ... one zero".
func counting(units []unit, from, to int) bool {
	seen := map[string]bool{}
	var buf [24]byte
	for i := from; i < to; {
		_, end := spokenDigit(units, i)
		if end <= i {
			i++
			continue
		}
		word := string(spelling(buf[:0], units[i:end]))
		if seen[word] {
			return false
		}
		seen[word] = true
		i = end
	}
	return true
}

// spokenDigit returns how many digits the word at unit i says, and where it ends.
func spokenDigit(units []unit, i int) (digits, end int) {
	if units[i].class.dense() {
		if isOneOf(units[i].r, "〇零一二三四五六七八九幺공영일이삼사오육칠팔구") {
			return 1, i + 1
		}
		for _, w := range denseDigits {
			if to := runesAt(units, i, w); to > 0 {
				return 1, to
			}
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
	case digitWords()[string(word)]:
		return 1, end
	case tensWords()[string(word)]:
		return 2, end
	case string(word) == "double":
		return 1, end // with the digit that follows
	case string(word) == "triple":
		return 2, end
	}
	return 0, i
}

// digitWords are the digits in words, folded.
var digitWords = foldedSet(`zero oh nought one two three four five six seven eight nine
	cero uno dos tres cuatro cinco seis siete ocho nueve um dois quatro sete oito nove
	un deux trois quatre cinq sept huit neuf null eins zwei zwo drei vier funf fuenf sechs sieben acht neun
	ноль нуль один два три четыре пять шесть семь восемь девять
	sifir bir iki uc dort bes alti yedi sekiz dokuz nol satu dua tiga empat lima enam tujuh delapan sembilan
	khong mot hai ba bon nam sau bay tam chin shunya ek do teen char paanch chhe saat aath nau
	jeden dwa trzy cztery pięć sześć siedem osiem dziewięć due tre quattro cinque sei sette otto nove een twee vier vijf zes zeven acht negen
	zéro صفر واحد اثنين اثنان ثلاثة تلاتة اربعة أربعة خمسة ستة سبعة ثمانية تمانية تسعة शून्य एक दो तीन चार पांच पाँच छह छः सात आठ नौ`)

// tensWords are numbers of two digits and more in words: "six, douze, trente-quatre".
//
//nolint:misspell // French and Portuguese
var tensWords = foldedSet(`ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
	dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante
	once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa dezenove vinte trinta quarenta cinquenta
	десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот
	veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve dieciseis diecisiete dieciocho diecinueve
	dezesseis dezessete dezoito dezasseis dezassete
	dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta
	dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn
	zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig yirmi otuz kırk elli altmış yetmiş seksen doksan on` + joinedTens())

// joinedTens are the tens and ones that German and Italian write as one word: zweiundachtzig, ottantadue.
func joinedTens() string {
	var b strings.Builder
	for ten := range strings.FieldsSeq("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig") {
		for one := range strings.FieldsSeq("ein zwei drei vier fünf sechs sieben acht neun") {
			b.WriteString(" " + one + "und" + ten)
		}
	}
	for ten := range strings.FieldsSeq("venti trenta quaranta cinquanta sessanta settanta ottanta novanta") {
		for one := range strings.FieldsSeq("uno due tre quattro cinque sei sette otto nove") {
			stem := ten
			if one == "uno" || one == "otto" { // ottantuno
				stem = ten[:len(ten)-1]
			}
			b.WriteString(" " + stem + one)
		}
	}
	return b.String()
}

// denseDigits are digits in words of scripts that are written without spaces.
var denseDigits = [...]string{"ศูนย์", "หนึ่ง", "สอง", "สาม", "สี่", "ห้า", "หก", "เจ็ด", "แปด", "เก้า", "ゼロ", "いち", "さん", "よん", "ろく", "なな", "はち", "きゅう"}

// foldedSet is the set of words as messages are folded, made when first asked.
func foldedSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			p := foldTerm(w)
			m[string(p.spelled())] = true
		}
		return m
	})
}
