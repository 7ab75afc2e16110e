package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestBargains(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"my whole stash needs a new owner, offers over 300", "bargain", ""},
		{"my whole stash, 70% of market by paypal", "bargain", ""},
		{"i play your placements, rates in dm", "bargain", ""},
		{"no recoil, weekly key 10 usd", "bargain", ""},
		{"ganzes inventar, siebzig prozent vom marktpreis per paypal", "bargain", ""},
		{"меняю: весь инвентарь, 70 % от рынка, за перевод, цены в лс", "bargain", ""},
		{"寝てる間に育てます、料金はdm", "bargain", ""},
		{"자는 동안 올려드림 가격은 디엠", "bargain", ""},
		{"my inventory is full", "", ""},
		{"guild bank has 900m, officers please count", "", ""},
		{"i quit for today", "", ""},
		{"half price in the shop", "", ""},
		{"open a ticket if the store ate your order", "", ""},
		{"per match we get 20 gold", "", ""},
	})
}

func TestDeedsInRoundaboutWords(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"something for the weekend, half a gram 40, i can bring it", "illegal-offer", ""},
		{"magic mushrooms restocked, menu in bio, i ship", "illegal-offer", ""},
		{"cards with pin, balance guaranteed", "illegal-offer", ""},
		{"lend me your account, 400 stays with you", "mule-account", ""},
		{"for 2 grand the shop burns, whoever you name, i pay cash", "killer-for-hire", ""},
		{"you sound like 12, i buy you skins", "grooming", ""},
		{"join the brothers, we train with rifles", "recruiting", ""},
		{"a strap with two mags, cash only", "unlicensed-weapon", ""},
		{"licence without leaving home, 150 euros", "forged-papers", ""},
		{"swallow everything in the cabinet, nobody will miss you", "told-to-die", ""},
		{"the shop burns, run out and heal", "", ""},
		{"cards with pin", "", ""},
		{"the strap of my backpack broke", "", ""},
		{"training with rifles gives 5 xp a kill", "", ""},
		{"half a gram of mana dust", "", ""},
		{"i buy you a potion", "", ""},
	})
}

// TestSurroundingsAreGatheredOnce has several rules ask for the same word.
func TestSurroundingsAreGatheredOnce(t *testing.T) {
	e := rulesOnly(t, LinkConfig{})
	s := newScratch()
	if _, err := e.find(t.Context(), s, &engines.Item{Kind: engines.KindText, Text: "my whole stash needs a new owner, offers over 300"}, nil); err != nil {
		t.Fatal(err)
	}
	if len(s.words) == 0 {
		t.Fatal("no words of a deal")
	}
	first := s.look(0)
	if again := s.look(0); again != first {
		t.Error("the second look gathered anew")
	}
	for i := range 3 * mostGathered { // never more than it is bounded to
		s.look(i % len(s.words))
	}
	if len(s.gathered) > mostGathered {
		t.Errorf("%d surroundings are remembered", len(s.gathered))
	}
}
