package text

import "strconv"

// nationalIDs are identity numbers of countries that are digits alone. Check
// digits follow the public rules of the authorities that give the numbers.
// Bare confidence is for a number without a word beside it: what the check digit
// and the grouping leave to chance.
var nationalIDs = [...]struct {
	rule   string
	digits int
	groups []int  // how it is written; nil for together
	seps   string // between the groups
	check  func(d []byte) bool
	bare   float64 // written together
	parted float64 // written in its groups
}{
	{"rrn", 13, []int{6, 7}, "-", rrn, 0.4, 0.95},
	{"cn-id", 18, nil, "", chineseID, 0.96, 0.96},
	{"cpf", 11, []int{3, 3, 3, 2}, "..-", cpf, 0.4, 0.96},
	{"cnpj", 14, []int{2, 3, 3, 4, 2}, "../-", cnpj, 0.5, 0.96},
	{"my-number", 12, []int{4, 4, 4}, "  ", myNumber, 0.1, 0.3},
	{"my-number", 12, []int{4, 4, 4}, "--", myNumber, 0.1, 0.45},
	{"nir", 15, []int{1, 2, 2, 2, 3, 3, 2}, "      ", nir, 0.8, 0.96},
	{"german-tax-id", 11, []int{2, 3, 3, 3}, "   ", germanTaxID, 0.2, 0.6},
	{"bsn", 9, nil, "", bsn, 0.1, 0.1},
	{"pesel", 11, nil, "", pesel, 0.4, 0.4},
	{"personnummer", 10, []int{6, 4}, "-", personnummer, 0.1, 0.88},
	{"personnummer", 12, []int{8, 4}, "-", personnummer, 0.4, 0.92},
	{"aadhaar", 12, []int{4, 4, 4}, "  ", aadhaar, 0.1, 0.5},
	{"aadhaar", 12, []int{4, 4, 4}, "--", aadhaar, 0.1, 0.5},
	{"thai-id", 13, []int{1, 4, 5, 2, 1}, "----", thaiID, 0.3, 0.96},
	{"tckn", 11, nil, "", tckn, 0.4, 0.4},
	{"snils", 11, []int{3, 3, 3, 2}, "-- ", snils, 0.3, 0.95},
	{"snils", 11, []int{3, 3, 3, 2}, "---", snils, 0.3, 0.9},
	{"inn", 12, nil, "", inn, 0.3, 0.3},
	{"nik", 16, nil, "", nik, 0.3, 0.3},
	{"mykad", 12, []int{6, 2, 4}, "--", birthFirst, 0.1, 0.88},
	{"ahv", 13, []int{3, 4, 4, 2}, "...", ahv, 0.6, 0.96},
	{"ahv", 13, []int{3, 4, 4, 2}, "   ", ahv, 0.6, 0.9},
	{"rijksregister", 11, []int{2, 2, 2, 3, 2}, "..-.", rijksregister, 0.3, 0.96},
	{"pis", 11, []int{3, 5, 2, 1}, "..-", pis, 0.3, 0.9},
	{"cbu", 22, nil, "", cbu, 0.9, 0.9},
	{"sin", 9, []int{3, 3, 3}, "   ", luhn, 0, 0.3},
	{"cedula", 10, []int{1, 3, 3, 3}, "...", anyDigits, 0, 0.4},
	{"emirates-id", 15, []int{3, 4, 7, 1}, "---", emiratesID, 0.9, 0.96},
	{"egyptian-id", 14, nil, "", egyptianID, 0.7, 0.7},
	{"ssn", 9, []int{3, 2, 4}, "--", ssn, 0, 0.8},
	{"ssn", 9, []int{3, 2, 4}, "  ", ssn, 0, 0.4},
}

// nationalNumber finds identity numbers.
func (s *scratch) nationalNumber(n *number) (finding, bool) {
	if n.n < 7 || n.plus {
		return finding{}, false
	}
	d := n.value()
	said := s.near(topicIdentity, n.from, n.to)
	best := finding{sub: "identity", rule: "identity", severity: 4}
	for i := range nationalIDs {
		x := &nationalIDs[i]
		if x.digits != n.n || n.ngroups > 1 && (!n.grouped(x.groups...) || !n.separated(x.seps)) || same(d) || !x.check(d) {
			continue
		}
		confidence := x.bare
		if n.ngroups > 1 {
			confidence = x.parted
		}
		if said {
			confidence = 0.96
		}
		if confidence > best.confidence {
			best.rule, best.confidence = x.rule, confidence
		}
	}
	if said && n.n <= 20 && !n.decimals() {
		best.confidence = max(best.confidence, 0.85)
	}
	return best, best.confidence >= 0.5
}

// anyDigits is the check of numbers that have none.
func anyDigits([]byte) bool { return true }

// ahv: Switzerland, 756 and a check digit as on goods (EAN-13).
func ahv(d []byte) bool {
	return string(d[:3]) == "756" && int(d[12]-'0') == (10-weighted(d, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3)%10)%10
}

// rijksregister: Belgium, a date, then a key of 97; those born since 2000 have a 2 before the number.
func rijksregister(d []byte) bool {
	body, _ := strconv.Atoi(string(d[:9])) // digits
	key, _ := strconv.Atoi(string(d[9:]))
	return monthDay(d[2:4], d[4:6]) && (key == 97-body%97 || key == 97-(2_000_000_000+body)%97)
}

// pis: Brazil, the number of workers.
func pis(d []byte) bool {
	if r := weighted(d, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2) % 11; r >= 2 {
		return int(d[10]-'0') == 11-r
	}
	return d[10] == '0'
}

// cbu: Argentina, a bank account; bank and branch have a check digit, and so has the account.
func cbu(d []byte) bool {
	return int(d[7]-'0') == (10-weighted(d, 7, 1, 3, 9, 7, 1, 3)%10)%10 &&
		int(d[21]-'0') == (10-weighted(d[8:], 3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3)%10)%10
}

func monthDay(m, d []byte) bool {
	month, _ := strconv.Atoi(string(m)) // digits
	day, _ := strconv.Atoi(string(d))
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

func birthFirst(d []byte) bool { return monthDay(d[2:4], d[4:6]) }

// ssn: area, group and serial that the Social Security Administration never gives are out.
func ssn(d []byte) bool {
	area := string(d[:3])
	return area != "000" && area != "666" && d[0] != '9' && string(d[3:5]) != "00" && string(d[5:]) != "0000" && string(d) != "123456789"
}

// rrn: numbers given since October 2020 have no check digit, so the date decides.
func rrn(d []byte) bool { return birthFirst(d) && d[6] >= '1' && d[6] <= '8' }

// chineseID: GB 11643-1999, with ISO 7064 MOD 11-2; a last X counts ten.
func chineseID(d []byte) bool {
	return chineseBody(d) && chineseCheck(d) == d[17]
}

func chineseBody(d []byte) bool {
	return d[0] >= '1' && d[0] <= '8' && (string(d[6:8]) == "19" || string(d[6:8]) == "20") && monthDay(d[10:12], d[12:14])
}

func chineseCheck(d []byte) byte {
	return "10x98765432"[weighted(d, 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)%11]
}

func cpf(d []byte) bool {
	a := weighted(d, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	b := weighted(d, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	return int(d[9]-'0') == a && int(d[10]-'0') == b
}

func cnpj(d []byte) bool {
	check := func(sum int) int {
		if r := sum % 11; r >= 2 {
			return 11 - r
		}
		return 0
	}
	a := check(weighted(d, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2))
	b := check(weighted(d, 6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2))
	return int(d[12]-'0') == a && int(d[13]-'0') == b
}

func myNumber(d []byte) bool {
	r := weighted(d, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11
	if r <= 1 {
		return d[11] == '0'
	}
	return int(d[11]-'0') == 11-r
}

// nir: France, sex, year, month, then a key of 97.
func nir(d []byte) bool {
	month, _ := strconv.Atoi(string(d[3:5])) // digits
	body, _ := strconv.Atoi(string(d[:13]))
	key, _ := strconv.Atoi(string(d[13:]))
	return (d[0] == '1' || d[0] == '2') && (month >= 1 && month <= 12 || month >= 20 && month <= 42) && key == 97-body%97
}

// germanTaxID: ISO 7064 MOD 11,10.
func germanTaxID(d []byte) bool {
	p := 10
	for _, c := range d[:10] {
		s := (int(c-'0') + p) % 10
		if s == 0 {
			s = 10
		}
		p = s * 2 % 11
	}
	return d[0] != '0' && int(d[10]-'0') == (11-p)%10
}

// bsn: the eleven test of the Netherlands.
func bsn(d []byte) bool { return weighted(d, 9, 8, 7, 6, 5, 4, 3, 2, -1)%11 == 0 }

// pesel: centuries are told by what is added to the month.
func pesel(d []byte) bool {
	month := []byte{'0' + (d[2]-'0')%2, d[3]}
	return monthDay(month, d[4:6]) && int(d[10]-'0') == (10-weighted(d, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10
}

func personnummer(d []byte) bool {
	d = d[len(d)-10:]
	return birthFirst(d) && luhn(d)
}

func thaiID(d []byte) bool {
	return d[0] != '0' && int(d[12]-'0') == (11-weighted(d, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%10
}

func tckn(d []byte) bool {
	odd, even := weighted(d, 1, 0, 1, 0, 1, 0, 1, 0, 1), weighted(d, 0, 1, 0, 1, 0, 1, 0, 1)
	a := ((odd*7-even)%10 + 10) % 10
	return d[0] != '0' && int(d[9]-'0') == a && int(d[10]-'0') == (odd+even+a)%10
}

func snils(d []byte) bool {
	key, _ := strconv.Atoi(string(d[9:])) // digits
	return key == weighted(d, 9, 8, 7, 6, 5, 4, 3, 2, 1)%101%100
}

func inn(d []byte) bool {
	a := weighted(d, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8) % 11 % 10
	b := weighted(d, 3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8) % 11 % 10
	return int(d[10]-'0') == a && int(d[11]-'0') == b
}

// emiratesID: the country's 784, the year of birth, seven digits, one by Luhn.
func emiratesID(d []byte) bool {
	return string(d[:3]) == "784" && (string(d[3:5]) == "19" || string(d[3:5]) == "20") && luhn(d)
}

// egyptianID: the century (2 is the 20th, 3 the 21st), the date of birth, and a
// governorate, of which there are 01 to 04, 11 to 35 and 88 for who was born abroad.
func egyptianID(d []byte) bool {
	place, _ := strconv.Atoi(string(d[7:9])) // digits
	known := place >= 1 && place <= 4 || place >= 11 && place <= 35 || place == 88
	return (d[0] == '2' || d[0] == '3') && monthDay(d[3:5], d[5:7]) && known
}

// nik: Indonesia, province, day (women's plus 40), month.
func nik(d []byte) bool {
	day := []byte{'0' + (d[6]-'0')%4, d[7]}
	return d[0] >= '1' && d[0] <= '9' && monthDay(d[8:10], day)
}

// Verhoeff's dihedral tables (J. Verhoeff, Error Detecting Decimal Codes, 1969).
var (
	verhoeffMul = [10][10]uint8{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		{1, 2, 3, 4, 0, 6, 7, 8, 9, 5},
		{2, 3, 4, 0, 1, 7, 8, 9, 5, 6},
		{3, 4, 0, 1, 2, 8, 9, 5, 6, 7},
		{4, 0, 1, 2, 3, 9, 5, 6, 7, 8},
		{5, 9, 8, 7, 6, 0, 4, 3, 2, 1},
		{6, 5, 9, 8, 7, 1, 0, 4, 3, 2},
		{7, 6, 5, 9, 8, 2, 1, 0, 4, 3},
		{8, 7, 6, 5, 9, 3, 2, 1, 0, 4},
		{9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
	}
	verhoeffPerm = [8][10]uint8{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		{1, 5, 7, 6, 2, 8, 3, 0, 9, 4},
		{5, 8, 0, 3, 7, 9, 6, 1, 4, 2},
		{8, 9, 1, 6, 0, 4, 3, 5, 2, 7},
		{9, 4, 5, 3, 1, 2, 6, 8, 7, 0},
		{4, 2, 8, 6, 5, 7, 3, 9, 0, 1},
		{2, 7, 9, 3, 8, 0, 6, 4, 1, 5},
		{7, 0, 4, 6, 9, 1, 3, 2, 5, 8},
	}
)

func aadhaar(d []byte) bool {
	c := uint8(0)
	for i := range d {
		c = verhoeffMul[c][verhoeffPerm[i%8][d[len(d)-1-i]-'0']]
	}
	return d[0] >= '2' && c == 0
}
