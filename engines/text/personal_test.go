package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestPersonalDataAsCountriesSayIt(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"ich wohne ahornallee 17c in 04103 leipzig", "home", ""},
		{"Лиговский проспект 40, квартира 12", "address", ""},
		{"mina et gmail titik kom", "email", ""},
		{"pasaport no U12345678", "identity", ""},
		{"lui et moi, point de vue différent", "", ""},
		{"level 14b in 04103 steps", "", ""},
	})
}

func TestCountingIsNoNumber(t *testing.T) {
	for _, c := range []struct {
		text     string
		counting bool
	}{
		{"ten nine eight seven six five four three two one zero", true},
		{"five zero one two two three eight eight four", false},
	} {
		s := newScratch()
		s.norm.run(c.text)
		if got := counting(s.norm.units, 0, len(s.norm.units)); got != c.counting {
			t.Errorf("%q is a count: %v, want %v", c.text, got, c.counting)
		}
	}
}

func TestSignsByShape(t *testing.T) {
	for _, c := range []struct {
		text string
		word bool
	}{{"th@t", true}, {"w!th", true}, {"f*ck", false}, {"q@zzx", false}} {
		s := newScratch()
		s.norm.run(c.text)
		if got := byShape(s.norm.units); got != c.word {
			t.Errorf("%q is a word by the shape of its signs: %v, want %v", c.text, got, c.word)
		}
	}
}

func TestHostsInLettersOfACountry(t *testing.T) {
	e := rulesOnly(t, LinkConfig{})
	for _, text := range []string{"ของขวัญเกม จุด com", "礼物游戏 点 com"} {
		s := newScratch()
		if _, err := e.find(t.Context(), s, &engines.Item{Kind: engines.KindText, Text: text}, nil); err != nil {
			t.Fatal(err)
		}
		if len(s.links) != 1 {
			t.Errorf("%q has %d links, want 1", text, len(s.links))
		}
	}
}

func TestIdentityNumbersOfEgyptAndTheEmirates(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"784199031420682 khaled", "emirates-id", ""},
		{"784-1990-3142068-2", "emirates-id", ""},
		{"784199031420683 points", "", ""},
		{"29512260200194 mahmoud", "egyptian-id", ""},
		{"29513260200194 points", "", ""},
		{"29512265200194 points", "", ""},
	})
}
