package text

// ibanLengths are the lengths of bank accounts by country, as the registry of ISO
// 13616 (SWIFT) lists them.
var ibanLengths = map[string]int{
	"ad": 24, "ae": 23, "al": 28, "at": 20, "az": 28, "ba": 20, "be": 16, "bg": 22, "bh": 22, "br": 29, "by": 28, "ch": 21, "cr": 22,
	"cy": 28, "cz": 24, "de": 22, "dk": 18, "do": 28, "ee": 20, "eg": 29, "es": 24, "fi": 18, "fo": 18, "fr": 27, "gb": 22, "ge": 22,
	"gi": 23, "gl": 18, "gr": 27, "gt": 28, "hr": 21, "hu": 28, "ie": 22, "il": 23, "iq": 23, "is": 26, "it": 27, "jo": 30, "kw": 30,
	"kz": 20, "lb": 28, "lc": 32, "li": 21, "lt": 20, "lu": 20, "lv": 21, "mc": 27, "md": 24, "me": 22, "mk": 19, "mr": 27, "mt": 31,
	"mu": 30, "nl": 18, "no": 15, "pk": 24, "pl": 28, "ps": 29, "pt": 25, "qa": 29, "ro": 24, "rs": 22, "sa": 24, "sc": 31, "se": 24,
	"si": 19, "sk": 24, "sm": 27, "st": 25, "sv": 28, "tl": 23, "tn": 24, "tr": 26, "ua": 29, "va": 22, "vg": 24, "xk": 20,
}

// account reads an international bank account that begins with the code, also in
// groups, and returns where it ends, or 0.
func (s *scratch) account(c *code) (finding, int) {
	if c.n < 4 || c.text[0] < 'a' || c.text[1] < 'a' || c.text[2] > '9' || c.text[3] > '9' {
		return finding{}, 0
	}
	want := ibanLengths[string(c.text[:2])]
	if want == 0 || c.n > want {
		return finding{}, 0
	}
	var buf [codeMax]byte
	n := copy(buf[:], c.value())
	units, i := s.norm.units, c.to
	for n < want && i+1 < len(units) {
		if isOneOf(units[i].r, " -.") {
			i++
		}
		if i >= len(units) || !isASCIIWord(&units[i]) {
			break
		}
		for ; i < len(units) && n < want && isASCIIWord(&units[i]); i++ {
			buf[n] = byte(units[i].r)
			n++
		}
	}
	if n != want || i < len(units) && isASCIIWord(&units[i]) || !mod97(buf[:n]) {
		return finding{}, 0
	}
	return finding{"payment", "iban", 4, 0.97}, i
}

// mod97 is the check of ISO 7064 MOD 97-10 over the number with its head at the end.
func mod97(b []byte) bool {
	r := 0
	for i := range b {
		c := b[(i+4)%len(b)]
		if c >= 'a' {
			r = (r*100 + int(c-'a') + 10) % 97
			continue
		}
		r = (r*10 + int(c-'0')) % 97
	}
	return r == 1
}
