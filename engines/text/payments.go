package text

import "unicode/utf8"

// Some money is paid with in no game: who sells anything for it sells outside
// (the words under "paid" in the lists).

// unnamed is how likely something is sold for real money where no word tells what.
func (e *evidence) unnamed() float64 {
	switch {
	case e.paid && !e.long && e.has(topicSell|topicBoost|topicCheat|topicAccount):
		return 0.7 * e.doubt()
	case e.paid && !e.long && e.has(topicBuy) && (e.soft || e.contact || e.has(topicContact)):
		return 0.7 * e.doubt()
	case e.ratio && e.has(topicSell) && (e.soft || e.contact || e.has(topicContact)):
		return 0.75 * e.doubt()
	case !e.has(topicSell) || !e.price || e.long:
		return 0
	case e.handle && e.has(topicContact), e.paid:
		return 0.78 * e.doubt()
	}
	return 0
}

// glued reports whether the name of real money is written onto a number that ends
// at unit i: 75rb, 20eur.
func (s *scratch) glued(i int) bool {
	units := s.norm.units
	end := i
	for end < len(units) && end-i < 7 && units[end].class.alphabetic() {
		end++
	}
	if end == i {
		return false
	}
	for _, name := range gluedMoney {
		if end-i == utf8.RuneCountInString(name) && runesAt(units, i, name) == end {
			return true
		}
	}
	return false
}

var gluedMoney = [...]string{
	"eur", "euro", "euros", "usd", "gbp", "tl", "lira", "rb", "ribu", "rs", "inr", "rub", "р", "руб", "рублей", "грн", "zl", "php", "brl", "reais", "bucks", "baht", "thb", "myr", "vnd", "idr", "krw",
}

// coined reports whether the money of a game is written onto a number that ends at unit
// i: 15g each, 300gp. Where drugs are named g is a gram.
func (s *scratch) coined(i int) bool {
	units := s.norm.units
	end := i
	for end < len(units) && end-i < 7 && units[end].class.alphabetic() {
		end++
	}
	if end == i {
		return false
	}
	for _, name := range gluedCoins {
		if end-i == len(name) && runesAt(units, i, name) == end {
			return name != "g" || s.topics&topicDrug == 0
		}
	}
	return false
}

// gluedCoins are what games call their money on a number, of one byte a letter.
var gluedCoins = [...]string{
	"g", "gp", "sp", "gil", "gold", "silver", "plat", "platin", "kamas", "adena", "zeny", "zen", "meso", "mesos", "yang", "isk", "caps", "souls", "ecto", "chaos", "exalt", "divine", "credits", "coins",
}

// isPrice reports whether an amount of a game's money, units [from, ware), is what
// something else costs: "for 300 gold", "bow for sale, 2m gold".
func (s *scratch) isPrice(from, ware int) bool {
	units := s.norm.units
	for from > 0 && units[from].r == ' ' {
		from++
	}
	if from >= ware || units[from].class != classDigit || from < 3 || units[from-1].r != ' ' {
		return false
	}
	if isOneOf(units[from-2].r, ",?!.:=") {
		return true
	}
	start := from - 1
	for start > 0 && units[start-1].class.alphabetic() && from-start < 7 {
		start--
	}
	for _, p := range priceWords {
		if runesAt(units, start, p) == from-1 {
			return true
		}
	}
	return false
}

// priceWords stand before a price.
var priceWords = [...]string{"for", "por", "pour", "fur", "fuer", "za", "за", "a", "at", "per", "voor", "seharga", "gia", "costs"}
