package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestDeedsOfRecruiting(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"comrades, the armed struggle starts soon, pm to join", "recruiting", ""},
		{"brothers, come to the jihad, we pay the journey, weapons provided", "recruiting", ""},
		{"szukamy bojowników, walka zbrojna już trwa, kto chce dołączyć pisać priv", "recruiting", ""},
		{"соратники, вооруженная борьба началась, вступайте, оружие дадим", "recruiting", ""},
		{"我们招募战士，武装斗争，提供武器，要的私聊", "recruiting", ""},
		{"our guild needs warriors to strike the invaders, pm to join", "", ""},
		{"horde fighters, take the country back by blood in the siege, join us", "", ""},
		{"the militia of the 19th century was a museum topic", "", ""},
	})
}

func TestDeedsOfGrooming(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"you're 11 right, camera on and delete the chat after", "grooming", ""},
		{"6th grade huh, mirror pic for me, i give you skins", "grooming", ""},
		{"du bist in klasse 5, mach die kamera an, das bleibt unter uns", "grooming", ""},
		{"ты в 4 классе? включи камеру, переписку потом удали", "grooming", ""},
		{"小六だよね、自撮り送って、内緒ね", "grooming", ""},
		{"초6이지? 셀카 찍어서 보내줘 우리 둘만 아는 거야", "grooming", ""},
		{"i'm 12 and my mom says selfies are boring", "", ""},
		{"never send a selfie to strangers, even if you're 12 and they say it stays between us", "", ""},
		{"we are 12 points behind, camera on the left", "", ""},
		{"i have played for 12 years, delete the chat please", "", ""},
	})
}

func TestDeedsOfTheStreet(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"szukam czystej klamki, klamka na lewo, gotówka czeka", "unlicensed-weapon", ""},
		{"wie kan me aan een blaffer helpen, cash klaar, geen vragen", "unlicensed-weapon", ""},
		{"谁能搞把真家伙，带子弹，现金", "unlicensed-weapon", ""},
		{"चोरी के क्रेडिट कार्ड, सीवीवी के साथ, ₹500", "stolen-cards", ""},
		{"i need a piece of cake", "", ""},
		{"the iron is clean, put it away", "", ""},
		{"my credit card was stolen yesterday", "", ""},
	})
}

func TestDeedsOfSubscriptions(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"1000 insta followers, $9, done in an hour", "followers", ""},
		{"1000 volgers op tiktok, 10 euro, binnen een uur", "followers", ""},
		{"aimbot, 18 a month, never banned", "bargain", ""},
		{"you don't play anymore? account bought, paypal, message me", "account-bought", ""},
		{"finally reached 1000 followers on tiktok, $5 for everyone lol", "", ""},
		{"my tiktok has 1000 likes", "", ""},
		{"he has an aimbot for a month now", "", ""},
	})
}

func TestNumbersBesideWords(t *testing.T) {
	s := newScratch()
	for _, c := range []struct {
		text         string
		at           int // the unit after which, or before which, a number is looked for
		before, next int
	}{
		{"12 years", 2, 12, -1},
		{"grade 5", 5, -1, 5},
		{"a 1234567 b", 10, -1, -1}, // too long to be anybody's age
		{"none", 2, -1, -1},
	} {
		s.begin(&engines.Item{Kind: engines.KindText, Text: c.text})
		if got := s.numberAt(c.at, -1, 3); got != c.before {
			t.Errorf("%q: %d before, want %d", c.text, got, c.before)
		}
		if got := s.numberAt(c.at, 1, 3); got != c.next {
			t.Errorf("%q: %d after, want %d", c.text, got, c.next)
		}
	}
	if isChild(15) || isChild(6) || !isChild(12) || isGrade(0) || isGrade(9) || !isGrade(5) {
		t.Error("a child is 7 to 14, in class 1 to 8")
	}
}
