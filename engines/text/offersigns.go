package text

// phrase reports whether a word is several: "message me" is said in a game too.
func (s *scratch) phrase(w *word) bool {
	for _, u := range s.norm.units[w.from:w.to] {
		if u.r == ' ' {
			return true
		}
	}
	return false
}

// digitBefore reports whether a digit, or its k or m, stands right before unit i.
func (s *scratch) digitBefore(i int) bool {
	units := s.norm.units
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		switch {
		case units[k].class == classDigit:
			return true
		case isOneOf(units[k].r, " .,kmwx万千百만천百ribuкмт"):
		default:
			return false
		}
	}
	return false
}

// amount returns where the number begins that ends at unit i and where the one ends
// that begins after it; i and i+1 where there is none.
func (s *scratch) amount(i int) (from, to int) {
	units := s.norm.units
	from, to = i, min(i+1, len(units))
	if s.digitBefore(i) {
		for from > 0 && i-from < 16 && (units[from-1].class == classDigit || isOneOf(units[from-1].r, ".,кмтkmwb万千百만천") || units[from-1].r == ' ' && from == i) {
			from--
		}
	}
	for k := to; k < len(units) && k-i < 16 && (units[k].class == classDigit || isOneOf(units[k].r, " .,") && k+1 < len(units) && units[k+1].class == classDigit); k++ {
		to = k + 1
	}
	return from, to
}

// handleAfter reports whether a name in a network stands after unit i: with a
// digit, an underscore, an at or number sign in it, or after a colon.
func (s *scratch) handleAfter(i int) bool {
	units := s.norm.units
	colon, size, odd, digits, letters := false, 0, false, 0, 0
	for i < len(units) && isOneOf(units[i].r, " :：-=>+@.") {
		colon = colon || units[i].r == ':' || units[i].r == '@'
		i++
	}
	if hasPrefix(units[i:], "id") && i+2 < len(units) && isOneOf(units[i+2].r, " :") {
		for i += 2; i < len(units) && isOneOf(units[i].r, " :@"); i++ {
			colon = true
		}
	}
	for ; i < len(units) && size < 32 && (isASCIIWord(&units[i]) || isOneOf(units[i].r, "_#+.-") && size > 0 || units[i].r == '+'); i++ {
		switch units[i].class {
		case classDigit:
			digits++
		case classLatin:
			letters++
		default:
			odd = odd || units[i].r == '_' || units[i].r == '#'
		}
		size++
	}
	return size >= 4 && (odd || colon || digits >= 5 || digits > 0 && letters >= 2)
}

// signs looks for amounts, prices in signs, handles and links in units [low, high).
func (s *scratch) signs(e *evidence, low, high int) {
	low, high = max(low, 0), min(high, len(s.norm.units))
	for i := low; i < high && s.digits+s.at > 0; i++ {
		switch s.signAt(i) {
		case tellsPrice:
			e.price = true
			e.span(s.amount(i))
		case tellsCoins:
			e.coins = true
		case tellsBulk:
			e.amount, e.sum = true, true
		case tellsSum:
			e.sum = true
		case tellsRatio:
			e.ratio = true
		case tellsAlias:
			e.alias = true
		case tellsAt:
			e.contact = true
			e.span(i, i+1)
		case tellsNumber:
			e.contact, e.handle = true, true
			e.span(i, i+1)
		}
	}
	s.reached(e, low, high)
}

// priced reports whether a number stands beside the currency sign at unit i.
func (s *scratch) priced(i int) bool {
	units := s.norm.units
	digit := func(k int) bool { return k >= 0 && k < len(units) && units[k].class == classDigit }
	space := func(k int) bool { return k >= 0 && k < len(units) && units[k].r == ' ' }
	if units[i].r == '$' && digit(i-1) && i+1 < len(units) && units[i+1].class.alphabetic() { // 4$h is a word in disguise
		return false
	}
	return digit(i+1) || digit(i-1) || space(i+1) && digit(i+2) || space(i-1) && digit(i-2)
}

// bulk reports whether thousands or millions are told at unit i: k, m, 万.
func (s *scratch) bulk(i int) bool {
	units := s.norm.units
	if i < len(units) && isOneOf(units[i].r, "kкm") {
		for _, w := range [...]string{"kk", "кк", "mio", "mln", "mil"} {
			if to := runesAt(units, i, w); to > 0 && (to == len(units) || !units[to].class.alphabetic()) {
				return true
			}
		}
	}
	return i < len(units) && isOneOf(units[i].r, "кмтkmbw万亿億萬만억") && (i+1 == len(units) || !units[i+1].class.alphabetic() || units[i].class.dense())
}

func isInvite(k *link) bool { return k.to > k.path+1 }

// handleAt reports whether a sign is part of a handle: name#1234, @name_7.
func (s *scratch) handleAt(i int) bool {
	units := s.norm.units
	if units[i].r == '#' {
		return i > 0 && isASCIIWord(&units[i-1]) && i+4 < len(units) && units[i+1].class == classDigit && units[i+2].class == classDigit && units[i+3].class == classDigit
	}
	n := 0
	for k := i + 1; k < len(units) && (isASCIIWord(&units[k]) || units[k].r == '_' || units[k].r == '.' && k+1 < len(units) && isASCIIWord(&units[k+1])); k++ {
		n++
	}
	return n >= 4 && (i == 0 || units[i-1].r == ' ')
}

// currencySign reports whether r is the sign of money that is real.
func currencySign(r rune) bool {
	switch r { // it is asked of every unit of every message
	case '$', '€', '£', '¥', '₩', '₽', '₹', '₫', '₱', '฿', '₴', '₺', '₦', '₪':
		return true
	}
	return false
}
