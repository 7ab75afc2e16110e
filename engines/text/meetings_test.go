package text

import "testing"

func TestMeetings(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"fake passports made to order, paypal", "forged-papers", ""},
		{"pistol without papers, 300 euros", "unlicensed-weapon", ""},
		{"trading clips of minors, telegram", "minors-media", ""},
		{"send me a pic and dont tell your parents", "grooming", ""},
		{"jump off the roof, everyone would be happier", "told-to-die", ""},
		{"send me your items, i double them and give back", "doubling", ""},
		{"the fake door in the library", "", ""},
		{"jump off the bridge, there is a chest", "", ""},
		{"send me a pic of your base", "", ""},
		{"this ring gives double damage", "", ""},
		{"how old are you? i am 30", "", ""},
	})
}

func TestRulesReadTheLanguageOfTheMessage(t *testing.T) {
	e := rulesOnly(t, LinkConfig{})
	// "kat" is a storey in Turkish and "er" nothing in English.
	checkRules(t, e, []ruleCase{
		{"verkaufe 500k gold für 20 euro", "offer", ""},
		{"the bow of the wizard, for 300 gold", "", ""},
		{"house by the lake is for sale, 2m gold", "", ""},
	})
}

func TestPersonalDataInOtherForms(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"my phone number is five five five one two three four", "spoken-phone", "five five five one two three four"},
		{"Lindenallee 12, 10115 Berlin", "compound-street", "Lindenallee 12"},
		{"upi bob22@okaxis", "upi", "bob22@okaxis"},
		{"password of my bank is 266037", "secret", "266037"},
		{"мой номер 8(909)810-72-98", "phone", "8(909)810-72-98"},
		{"er wohnt im turm, stock 3", "", ""},
		{"Parkplatz 3 ist frei", "", ""},
		{"one two three go", "", ""},
	})
}

func TestLures(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"verify your account and password at https://log-in-here.xyz/a", "lure", ""},
		{"wts axe $80 skype trader_77", "offer", ""},
		{"the patch notes are at https://log-in-here.xyz/a", "", ""},
	})
}
