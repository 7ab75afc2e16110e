package text

// What numbers say in offers, beside amounts and prices in signs.

// cents reports whether unit i is the last digit of a number of two and more with the e of
// euro on it: 20e.
func (s *scratch) cents(i int) bool {
	units := s.norm.units
	return i > 0 && units[i-1].class == classDigit && i+1 < len(units) && units[i+1].r == 'e' && (i+2 == len(units) || !units[i+2].class.letter())
}

// thousands reports whether a word for thousands stands after the number that ends at unit i.
func (s *scratch) thousands(i int) bool {
	units := s.norm.units
	if i < len(units) && units[i].r == ' ' {
		i++
	}
	if i == len(units) || units[i].class == classDigit || units[i].class == classSep {
		return false
	}
	for _, w := range [...]string{"mil", "mila", "bin", "tys", "тыс", "тыщ", "тыщи", "тысяч", "тысячи", "тысячу", "тыщу", "rebu", "ribu", "rb", "jt", "juta", "nghin", "ngan", "trieu", "الف", "آلاف", "الاف", "हजार", "hazar", "hazaar", "lakh", "grand", "万", "千", "만", "천", "หมื่น", "พัน", "แสน"} {
		if to := runesAt(units, i, w); to > 0 && (to == len(units) || !units[to].class.alphabetic() || units[to].class.dense()) {
			return true
		}
	}
	return false
}

// digitAfter reports whether a number stands after unit i, with a sign or a word's space between.
func (s *scratch) digitAfter(i int) bool {
	units := s.norm.units
	for k := i; k < len(units) && k < i+4; k++ {
		if units[k].class == classDigit {
			return true
		}
		if units[k].class.letter() {
			return false
		}
	}
	return false
}

// alias reports whether unit i is the last of two digits and more at the end of a name with
// four letters and more before them, as names in networks are.
func (s *scratch) alias(i int) bool {
	units := s.norm.units
	if i < 4 || units[i-1].class != classDigit || i+1 < len(units) && (units[i+1].class.alphabetic() || units[i+1].class == classDigit) {
		return false
	}
	letters := 0
	for k := i - 2; k >= 0 && (units[k].class == classLatin || units[k].class == classDigit || units[k].r == '_'); k-- {
		if units[k].class == classLatin {
			letters++
		}
	}
	return letters >= 4
}

// ratio reports whether one is set against a larger number at unit i, as who sells a
// game's money by the unit of real money writes: 1:350, 1=2000.
func (s *scratch) ratio(i int) bool {
	units := s.norm.units
	if units[i].r != '1' || i > 0 && units[i-1].class == classDigit || i+3 >= len(units) || !isOneOf(units[i+1].r, ":：=") {
		return false
	}
	k := i + 2
	for k < len(units) && units[k].class == classDigit {
		k++
	}
	return k-i-2 >= 3
}
