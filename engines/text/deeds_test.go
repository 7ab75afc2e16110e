package text

import (
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestDeeds(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"blue pills by courier, discord moro#5512", "pills", ""},
		{"diploma of any university, no exam, 80 euros", "forged-papers", ""},
		{"find me a guy who makes my ex disappear, i pay 5k", "killer-for-hire", ""},
		{"your bank account, we split what comes in", "mule-account", ""},
		{"i hack any instagram, $40", "crime-for-hire", ""},
		{"kidney wanted, i pay 20k", "organs", ""},
		{"roofies, no taste, in her drink", "sedatives", ""},
		{"a rope is the easy way, everyone would be better", "told-to-die", ""},
		{"i pick you up after school, dont tell your mom", "grooming", ""},
		{"fake twenties, passes the pen", "forged-money", ""},
		{"ehliyetini sınavsız ayarlarım, 300 tl", "forged-papers", ""},
		{"тому кто сломает ноги соседу заплачу 20к, нужен человек", "killer-for-hire", ""},
		{"パスポート作成します、試験不要 3万円", "forged-papers", ""},
		{"нужен ствол без документов, 40к", "unlicensed-weapon", ""},
		{"blue pills in the post, @nox.deals has them cheap", "pills", ""},
		{"blue pills restore stamina", "", ""},
		{"somebody make the ghost disappear with the lamp", "", ""},
		{"we split the loot after the raid", "", ""},
		{"fake twenties", "", ""}, // a word is no proof of itself
		{"take the rope on the left, the boss is down there", "", ""},
		{"the exam is in the system", "", ""},
	})
}

func TestPaidOutsideTheGame(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"gold against gift cards, cheap, paypal", "offer", ""},
		{"selling gold 1:400, message me", "offer", ""},
		{"can i buy gold with paypal here?", "", ""},
		{"we lost 1:400 in gold", "", ""},
		{"60 euros for gold is insane, who buys that", "", ""},
	})
}

func TestNumbersOfOffers(t *testing.T) {
	s := newScratch()
	for _, c := range []struct {
		text                    string
		ratio, alias, thousands bool
	}{
		{text: "gold 1:400", ratio: true},
		{text: "gold 1:4"},
		{text: "score 21:400"},
		{text: "ask mrkush420", alias: true},
		{text: "the ak47"},
		{text: "5 тыщ", thousands: true},
		{text: "5 milk"},
		{text: "3万", thousands: true},
	} {
		s.begin(&engines.Item{Kind: engines.KindText, Text: c.text})
		var ratio, alias, thousands bool
		for i, u := range s.norm.units {
			if u.class == classDigit {
				ratio, alias, thousands = ratio || s.ratio(i), alias || s.alias(i), thousands || s.thousands(i+1)
			}
		}
		if ratio != c.ratio || alias != c.alias || thousands != c.thousands {
			t.Errorf("%q: ratio %t, alias %t, thousands %t", c.text, ratio, alias, thousands)
		}
	}
}

func TestStems(t *testing.T) {
	ware, small := kind{t: topicPaper}, kind{t: topicNegate}
	for _, c := range []struct {
		term, language string
		about          kind
		want           string
	}{
		{"ehliyet", "tr", ware, "ehliyet*"},
		{"купюры", "ru", ware, "купюры"}, // купюр is short
		{"соседа", "ru", kind{f: facetPerson}, "сосед*"},
		{"таблетки", "ru", kind{f: facetPill}, "таблетк*"},
		{"passport", "en", ware, "passport"},
		{"prawo jazdy", "pl", ware, "prawo jazdy"},
		{"niemals", "de", small, "niemals"},
	} {
		if got := stem(c.term, c.language, c.about); got != c.want {
			t.Errorf("stem(%q, %s) = %q, want %q", c.term, c.language, got, c.want)
		}
	}
}

// TestSkeletonSpeaksNoLanguage: the classifier is told the same of an offer in any.
func TestSkeletonSpeaksNoLanguage(t *testing.T) {
	e := rulesOnly(t, LinkConfig{})
	traits := func(text, language string) []uint8 {
		s := newScratch()
		item := &engines.Item{Kind: engines.KindText, Text: text, Language: language}
		if _, err := e.find(t.Context(), s, item, nil); err != nil {
			t.Fatal(err)
		}
		return slices.Clone(s.traits)
	}
	english, german := traits("selling gold, 20 euro", "en"), traits("verkaufe gold, 20 euro", "de")
	if len(english) == 0 || !slices.Equal(english, german) {
		t.Errorf("of one offer in two languages: %v and %v", english, german)
	}
	if got := traits("where is the next shrine", "en"); len(got) > 0 {
		t.Errorf("of no deal: %v", got)
	}
}
