package text

import "slices"

// issuers are the ranges of payment cards: the first digits from and to, and the
// lengths in use (ISO/IEC 7812 issuer identification numbers as the networks
// publish them).
var issuers = [...]struct {
	from, to, digits int
	lengths          []int
}{
	{4, 4, 1, []int{13, 16, 19}},               // Visa
	{51, 55, 2, []int{16}},                     // Mastercard
	{2221, 2720, 4, []int{16}},                 // Mastercard
	{34, 34, 2, []int{15}},                     // American Express
	{37, 37, 2, []int{15}},                     // American Express
	{300, 305, 3, []int{14, 16}},               // Diners Club
	{36, 36, 2, []int{14}},                     // Diners Club
	{38, 39, 2, []int{14, 16}},                 // Diners Club
	{3528, 3589, 4, []int{16}},                 // JCB
	{6011, 6011, 4, []int{16, 19}},             // Discover
	{644, 659, 3, []int{16, 19}},               // Discover
	{62, 62, 2, []int{16, 17, 18, 19}},         // UnionPay
	{50, 50, 2, []int{13, 16, 19}},             // Maestro
	{56, 58, 2, []int{13, 14, 15, 16, 18, 19}}, // Maestro
	{60, 61, 2, []int{16}},                     // RuPay, Maestro
	{63, 63, 2, []int{16, 18, 19}},             // Maestro
	{67, 67, 2, []int{16, 18, 19}},             // Maestro
	{2200, 2204, 4, []int{16}},                 // Mir
	{9792, 9792, 4, []int{16}},                 // Troy
	{1800, 1800, 4, []int{15}},                 // JCB
	{2131, 2131, 4, []int{15}},                 // JCB
}

// card finds payment cards: issuer, length, check digit, and grouping.
func (s *scratch) card(n *number) (finding, bool) {
	d := n.value()
	if n.n < 13 || n.n > 19 || n.plus || same(d) || !luhn(d) || !issued(d) || n.seps[1] == '.' || n.seps[1] == '/' {
		return finding{}, false
	}
	if n.ngroups > 1 && n.groups[0] != 4 {
		return finding{}, false
	}
	confidence := 0.8
	switch {
	case n.ngroups > 2, s.near(topicBank|topicSecret|topicMoney, n.from, n.to):
		confidence = 0.96
	case n.n != 16 && n.n != 15:
		confidence = 0.55
	}
	return finding{"payment", "card", 4, confidence}, true
}

func issued(d []byte) bool {
	for i := range issuers {
		x := &issuers[i]
		first := 0
		for _, c := range d[:x.digits] {
			first = first*10 + int(c-'0')
		}
		if first < x.from || first > x.to {
			continue
		}
		if slices.Contains(x.lengths, len(d)) {
			return true
		}
	}
	return false
}
