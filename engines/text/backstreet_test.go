package text

import "testing"

// Crime as a service in languages that few lists have, beside talk of the same things.
func TestBackstreet(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"przerzut ludzi do niemiec, 3000 euro", "illegal-offer", ""},
		{"geld lenen zonder bkr, morgen 800 euro", "illegal-offer", ""},
		{"займ под паспорт, до 20000 рублей", "illegal-offer", ""},
		{"icloud silinir, 400 tl", "illegal-offer", ""},
		{"viết luận văn trọn gói, 2 triệu", "illegal-offer", ""},
		{"bocoran utbk, 100 ribu", "illegal-offer", ""},
		{"pojechaliśmy przez granicę na narty, 300 euro poszło", "", ""},
		{"moet geld lenen voor mijn studie, 800 euro per maand", "", ""},
		{"договорились на матч в 20000 зрителей", "", ""},
		{"icloud şifremi unuttum, servis 400 tl istedi", "", ""},
		{"luận văn của em bị sửa 2 lần", "", ""},
		{"soal utbk 100 nomor, susah", "", ""},
	})
}

func TestBackstreetDeeds(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"hack wa mantan, sadap chat, hubungi admin", "break-in-for-hire", ""},
		{"ciężko mi się czyta, wejść na fb swojej byłej nie umiem", "", ""},
		{"bot die vist voor je, bot die voor je hakt, gratis uitproberen", "cheat-rented", ""},
		{"wij vissen samen op de boot, kom het uitproberen", "", ""},
	})
}

// Streets of the low countries, with the town behind them.
func TestCompoundStreetInTown(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"hij zit Kastanjelaan 14 in Assen", "compound-street", "Kastanjelaan 14"},
		{"Nieuwstraat 5 bus 3, 2000 Antwerpen", "compound-street", "Nieuwstraat 5"},
		{"Kastanjelaan 14 in de ochtend", "", ""},
		{"Kerkplein 12, Dorpsplein 13, wie doet mee", "", ""},
	})
}
