package text

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/portcullis-gg/portcullis/configs/lexicons"
	"github.com/portcullis-gg/portcullis/engines"
)

// rulesOnly is an engine with the vocabulary of rules and of deeds and no other list.
func rulesOnly(tb testing.TB, links LinkConfig) *Engine {
	tb.Helper()
	files := fstest.MapFS{}
	for _, name := range [...]string{"rules.yaml", "offers.yaml", "deeds.yaml", "bargains.yaml", "lured.yaml", "wares.yaml", "hired.yaml", "services.yaml", "roundabout.yaml"} {
		data, err := lexicons.Files.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	lists, err := readLists(files)
	if err != nil {
		tb.Fatal(err)
	}
	e := newEngine(lists, false)
	e.links = links.compile()
	return e
}

// ruleCase is a text, the rule that must speak with confidence of 0.55 and more,
// and where; rule "" means that none may.
type ruleCase struct{ text, rule, at string }

func checkRules(t *testing.T, e *Engine, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		runes := []rune(c.text)
		var sure []engines.Signal
		met := false
		for _, s := range look(t, e, c.text, "") {
			if s.Source != engines.SourceRule || s.Confidence < 0.55 {
				continue
			}
			sure = append(sure, s)
			met = met || s.Rule == "rule/"+c.rule && (c.at == "" || string(runes[s.Span.Start:s.Span.End]) == c.at)
		}
		if met != (c.rule != "") || c.rule == "" && len(sure) > 0 {
			t.Errorf("%q = %+v, want %q at %q", c.text, sure, c.rule, c.at)
		}
	}
}

func TestMailRule(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"write to anna.b+x@mail.example.co.uk.", "email", "anna.b+x@mail.example.co.uk"},
		{"ｂｏｂ＠ｅｘａｍｐｌｅ．ｃｏｍ", "email", "ｂｏｂ＠ｅｘａｍｐｌｅ．ｃｏｍ"},
		{"邮箱bob@example.com谢谢", "email", "bob@example.com"},
		{"bob77 at gmail dot com", "email", "bob77 at gmail dot com"},
		{"bob (at) gmail (dot) com", "email", "bob (at) gmail (dot) com"},
		{"bob @ example.com", "email", "bob @ example.com"},
		{"hey @bob. come here", "", ""},
		{"meet me at the gate. it is open", "", ""},
		{"look at that. it works", "", ""},
	})
}

func TestNumberRules(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"4111 1111 1111 1111 exp 12/27", "card", "4111 1111 1111 1111"},
		{"card 5500005555555559", "card", "5500005555555559"},
		{"٤١١١-١١١١-١١١١-١١١١", "card", "٤١١١-١١١١-١١١١-١١١١"},
		{"4111 1111 1111 1112", "", ""},
		{"4444444444444444444", "", ""},
		{"call 415-555-2671 now", "phone", "415-555-2671"},
		{"call (415) 555-2671", "phone", "(415) 555-2671"},
		{"+44 20 7946 0958", "phone", "+44 20 7946 0958"},
		{"電話は090-1234-5678です", "phone", "090-1234-5678"},
		{"번호 010-1234-5678", "phone", "010-1234-5678"},
		{"手机13812345678", "phone", "13812345678"},
		{"٠٩٠-١٢٣٤-٥٦٧٨", "phone", "٠٩٠-١٢٣٤-٥٦٧٨"},
		{"06 12 34 56 78", "phone", "06 12 34 56 78"},
		{"zap 11 98765-4321", "phone", "11 98765-4321"},
		{"мой номер 8 912 345-67-89", "phone", "8 912 345-67-89"},
		{"update 2022.07.31 build 3182 error 80070057", "", ""},
		{"+100 000 000 gold, 1,234,567,890 exp", "", ""},
		{"at 1764288000123 ms", "", ""},
		{"x 455,117 y 1200-3400", "", ""},
		{"go to 4150 555 2671", "", ""},
		{"base at -318 262 -7893", "", ""},
		{"2026-11-28 14:30", "", ""},
		{"123.456.789-09", "cpf", "123.456.789-09"},
		{"123.456.789-00", "", ""},
		{"주민번호 900101-1234568", "rrn", "900101-1234568"},
		{"11010519491231002X", "cn-id", "11010519491231002X"},
		{"my dni is 12345678Z", "dni", "12345678Z"},
		{"12345678A", "", ""},
		{"RSSMRA85T10A562S", "codice-fiscale", "RSSMRA85T10A562S"},
		{"S1234567D", "nric", "S1234567D"},
		{"my ssn is 219-09-9998", "ssn", "219-09-9998"},
		{"PESEL 44051401359", "pesel", "44051401359"},
		{"bsn 111222333", "bsn", "111222333"},
		{"tc kimlik 10000000146", "tckn", "10000000146"},
		{"СНИЛС 112-233-445 95", "snils", "112-233-445 95"},
		{"GB82 WEST 1234 5698 7654 32", "iban", "GB82 WEST 1234 5698 7654 32"},
		{"NL91ABNA0417164300", "iban", "NL91ABNA0417164300"},
		{"GB82 WEST 1234 5698 7654 33", "", ""},
		{"passport number X1234567", "identity", "X1234567"},
		{"replay code QX5H17PLM99", "", ""},
	})
}

func TestAddressRules(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"my address is 742 evergreen terrace", "address", "742 evergreen terrace"},
		{"meet at 12 Oak Street", "address", "12 Oak Street"},
		{"住所は福岡市中央区天神1-4-2", "address", ""},
		{"我家在中山路12号3栋501室", "address", ""},
		{"서울 강남구 테헤란로 123", "address", ""},
		{"ich wohne in der Berliner Straße 14", "address", ""},
		{"я живу на ул. Ленина 12", "address", ""},
		{"中路2号塔倒了", "", ""},
		{"go 3 blocks down the road", "", ""},
		{"Route 119 is closed", "", ""},
		{"win 5 games in a row on the street map", "", ""},
		{"home is at 40.712776, -74.005974", "coordinates", "40.712776, -74.005974"},
		{"coords 120.5, 64.25", "", ""},
		{"his ip is 203.0.113.77", "ip", "203.0.113.77"},
		{"server 192.168.100.200", "", ""},
		{"connect 93.184.216.34:27015", "", ""},
		{"version 1.12.2.4", "", ""},
		{"2001:db8:85a3::8a2e:370:7334", "ip", ""},
		{"at 12:30:45:10", "", ""},
	})
}

func TestSecretRules(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"my password is hunter22", "secret", "hunter22"},
		{"пароль: qwerty123", "secret", "qwerty123"},
		{"otp 482911", "secret", "482911"},
		{"AKIAIOSFODNN7EXAMPLE", "api-key", "AKIAIOSFODNN7EXAMPLE"},
		{"lobby password is 1234", "", ""},
		{"what is the password", "", ""},
		{"i forgot my password again", "", ""},
	})
}

func TestDoxxingRule(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"here is her number 415-555-2671 spam her", "doxxing", ""},
		{"こいつの電話番号 090-1234-5678", "doxxing", ""},
		{"his real name is Jon Doe", "real-name", ""},
		{"his real name is unknown to me?", "real-name", ""},
		{"what is his real name", "", ""},
	})
	for _, s := range look(t, rulesOnly(t, LinkConfig{}), "my number is 415-555-2671", "") {
		if s.SubLabel == "doxxing" {
			t.Errorf("one's own number = %+v, want no doxxing", s)
		}
	}
}

func TestOfferRules(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"500k gold = $20, fast", "offer", "500k gold = $20"},
		{"1m coins for 5 usd", "offer", ""},
		{"500万金币 30元", "offer", ""},
		{"selling my account, paypal", "offer", ""},
		{"vendo conta nivel 100 por 50 reais", "offer", ""},
		{"продам акк, пишите в лс", "offer", ""},
		{"계정 팝니다 카톡 gold77", "offer", ""},
		{"vends or 50k pour 5 euros", "offer", ""},
		{"cheap gold at goldfast88.com", "offer", ""},
		{"レベル上げ代行 格安 LINE: rmt_77", "offer", ""},
		{"selling iron ore 40 silver each", "", ""},
		{"wts sword 500g pst", "", ""},
		{"selling 200 ingots, 3 silver each, message me on", "", ""},
		{"buying gold ore 10 coins each", "", ""},
		{"100 gold for 3 gems", "", ""},
		{"the game costs $20", "", ""},
		{"sell the boots or keep them", "", ""},
		{"vendo espada por 500 oro en el juego", "", ""},
		{"selling weed, discord: shop#2211", "illegal-offer", ""},
		{"大麻あります LINE: gshop88", "illegal-offer", ""},
		{"продам мефедрон, доставка", "illegal-offer", ""},
		{"fake passports for sale, telegram @papers_77", "illegal-offer", ""},
		{"drop the rifle and buy armor", "", ""},
		{"the doctor said no drugs", "", ""},
	})
}

func TestScamRules(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"free nitro for everyone https://gifts-4u.xyz/claim", "gift", ""},
		{"doubling money, trade me 5m gold", "easy-money", ""},
		{"admin needs your password to fix the bug", "impersonation", ""},
		{"admins never ask for your password", "", ""},
		{"send this to 10 people or you will have bad luck", "chain", ""},
		{"この文を10人に送らないと不幸になる", "chain", ""},
		{"please send this item to the guild", "", ""},
	})
}

func TestFloodRules(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{}), []ruleCase{
		{"buy buy buy buy", "repeated-word", ""},
		{strings.Repeat("spam ", 12), "repeated-word", ""},
		{strings.Repeat("buy now ", 8), "repeated-word", ""},
		{strings.Repeat("q", 60), "repeated-sign", ""},
		{strings.Repeat("😂🎉", 20), "emoji-wall", ""},
		{strings.Join(strings.Split("zalgo", ""), strings.Repeat("\u0302", 9)) + strings.Repeat("\u0302", 9), "zalgo", ""},
		{strings.Repeat("ha", 40), "", ""},
		{strings.Repeat("ㅋ", 60), "", ""},
		{"n" + strings.Repeat("o", 50), "", ""},
		{"g" + strings.Repeat("o", 45) + "l", "", ""},
		{strings.Repeat("5", 50), "", ""},
		{strings.Repeat("ха", 30), "", ""},
		{strings.Repeat("-", 60), "", ""},
		{"go go go go go", "", ""},
		{strings.Repeat("lol ", 14), "", ""},
	})
}

func TestRulesAreLinear(t *testing.T) {
	e := rulesOnly(t, LinkConfig{})
	for _, unit := range []string{"sell gold $5 ", "1 2 ", "a.com ", "at . com ", "https://a.b@c/ ", "free ", "1-1 st ", "password: ", "地址1号", "a,b", "+1", "GB82 ", "1.2.3.4 "} {
		s := newScratch()
		s.begin(&engines.Item{Text: strings.Repeat(unit, 10000/len([]rune(unit)))})
		if err := e.views(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if out := e.rules(s, nil); len(out) > 10000 {
			t.Errorf("%q: %d signals", unit, len(out))
		}
	}
}

func BenchmarkRules(b *testing.B) {
	e := rulesOnly(b, LinkConfig{})
	for name, text := range map[string]string{
		"clean":    "gg well played everyone, see you tomorrow at the gate",
		"trade":    "wts iron sword 500g pst, also buying 20 gold ore at 3 silver each",
		"offer":    "selling gold 500k = $5 fast delivery goldfast88.com discord: shop#2211",
		"numbers":  strings.Repeat("415-555-2671 ", 770),
		"words":    strings.Repeat("sell gold $5 ", 770),
		"links":    strings.Repeat("a-b1.com/x ", 900),
		"dots":     strings.Repeat(".", 10000),
		"singles":  strings.Repeat("a . ", 2500),
		"password": strings.Repeat("password: ", 1000),
		"street":   strings.Repeat("12 oak street ", 700),
	} {
		b.Run(name, func(b *testing.B) {
			s := newScratch()
			s.begin(&engines.Item{Text: text})
			if err := e.views(b.Context(), s); err != nil {
				b.Fatal(err)
			}
			words, found := append([]word(nil), s.words...), s.topics
			var out []engines.Signal
			b.ReportAllocs()
			for b.Loop() {
				s.ruleScratch.reset()
				s.words, s.topics = append(s.words, words...), found
				out = e.rules(s, out[:0])
			}
		})
	}
}
