package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// flagged is the confidence from which a policy of middling strictness has somebody look.
const flagged = 0.55

func TestOffersAndTheirInnocentTwins(t *testing.T) {
	e := shared(t)
	for _, c := range []struct {
		text     string
		category engines.Category
		flagged  bool
	}{
		{"прокачка персонажа до 60, 2к рублей", engines.Spam, true},
		{"boost diament za 40 zł, blik", engines.Spam, true},
		{"selling my account, 60 usd paypal", engines.Spam, true},
		{"verkaufe stahl im auktionshaus, 20 silber das stück", engines.Spam, false},
		{"buy gold ore from the quest npc", engines.Spam, false},
		{"ghost glock, no serial, 600 cash", engines.Illegal, true},
		{"pistol skin for 300 gold at my stall", engines.Illegal, false},
		{"brothers, the caliphate needs you", engines.Illegal, true},
		{"hermanos, unanse al gremio", engines.Illegal, false},
		{"du bist 12? treffen wir uns allein", engines.Illegal, true},
		{"how old is this game? send me a pic of the map", engines.Illegal, false},
		{"geklaute handys günstig abzugeben", engines.Illegal, true},
		{"режь глубже", engines.Illegal, true},
		{"jump off the roof, no fall damage", engines.Illegal, false},
	} {
		if got := most(look(t, e, c.text, ""), c.category) >= flagged; got != c.flagged {
			t.Errorf("%q as %s: flagged %v, want %v: %+v", c.text, c.category, got, c.flagged, look(t, e, c.text, ""))
		}
	}
}

func TestPersonalDataInWords(t *testing.T) {
	checkRules(t, shared(t), []ruleCase{
		{"โทรมา ศูนย์แปดเก้า หนึ่งสองสี่ ห้าหกเจ็ดแปด", "spoken-phone", ""},
		{"kuba17 골뱅이 지메일 닷컴", "email", "kuba17 골뱅이 지메일 닷컴"},
		{"пиши на kuba17 собака мейл точка ру", "email", "kuba17 собака мейл точка ру"},
		{"пароль мой у всех один zenit1999", "secret", "zenit1999"},
		{"пароль от комнаты дайте", "", ""},
		{"один два три, пошли", "", ""},
		{"주문번호 25418421 언제 와요", "", ""},
	})
}
