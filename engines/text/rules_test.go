package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, text, rule, at string // rule "" means that no rule speaks
	}{
		{"mail", "write to anna.b+x@mail.example.co.uk.", "rule/email", "anna.b+x@mail.example.co.uk"},
		{"mail in full width", "ｂｏｂ＠ｅｘａｍｐｌｅ．ｃｏｍ", "rule/email", "ｂｏｂ＠ｅｘａｍｐｌｅ．ｃｏｍ"},
		{"mail beside han", "邮箱bob@example.com谢谢", "rule/email", "bob@example.com"},
		{"a mention", "hey @bob. come here", "", ""},
		{"user part of an address", "https://cdn.example.com@evil.test/a", "", ""},
		{"card", "4111 1111 1111 1111 exp 12/27", "rule/card", "4111 1111 1111 1111"},
		{"card without groups", "card 5500005555555559", "rule/card", "5500005555555559"},
		{"wrong check digit", "4111 1111 1111 1112", "", ""},
		{"all the same", "4444444444444444444", "", ""},
		{"us phone", "call 415-555-2671 now", "rule/phone", "415-555-2671"},
		{"us phone in brackets", "call (415) 555-2671", "rule/phone", "(415) 555-2671"},
		{"international", "+44 20 7946 0958", "rule/phone", "+44 20 7946 0958"},
		{"japanese", "電話は090-1234-5678です", "rule/phone", "090-1234-5678"},
		{"korean", "번호 010-1234-5678", "rule/phone", "010-1234-5678"},
		{"chinese", "手机13812345678", "rule/phone", "13812345678"},
		{"arabic digits", "٠٩٠-١٢٣٤-٥٦٧٨", "rule/phone", "٠٩٠-١٢٣٤-٥٦٧٨"},
		{"version and errors", "update 2022.07.31 build 3182 error 80070057", "", ""},
		{"score with thousands", "+100 000 000 gold, 1,234,567,890 exp", "", ""},
		{"timestamp", "at 1764288000123 ms", "", ""},
		{"coordinates", "x 455,117 y 1200-3400", "", ""},
		{"ip", "server 192.168.100.200", "", ""},
		{"invitation", "join https://discord.gg/abc123", "rule/invite", "https://discord.gg/abc123"},
		{"encoded invitation", "join https://discord.gg/%61%62", "rule/invite", "https://discord.gg/%61%62"},
		{"the other host", "discord.com/invite/abcd1234 come", "rule/invite", "discord.com/invite/abcd1234"},
		{"upper case", "DISCORD.GG/ABC", "rule/invite", "DISCORD.GG/ABC"},
		{"telegram", "msg me:t.me/shop", "rule/invite", "t.me/shop"},
		{"link to a message", "see https://discord.com/channels/1/2/3", "", ""},
		{"host in another host", "https://notdiscord.gg.example/abc", "", ""},
		{"offer", "500k gold = $20, fast", "rule/offer", "500k gold = $20"},
		{"offer in words", "1m coins for 5 usd", "rule/offer", "1m coins for 5 usd"},
		{"offer in chinese", "500万金币 30元", "rule/offer", "500万金币 30元"},
		{"trade in the game", "100 gold for 3 gems", "", ""},
		{"price alone", "the game costs $20", "", ""},
	} {
		got := look(t, shared(t), c.text, "")
		runes := []rune(c.text)
		var rules []engines.Signal
		for _, s := range got {
			if s.Source == engines.SourceRule {
				rules = append(rules, s)
			}
		}
		if c.rule == "" {
			if len(rules) > 0 {
				t.Errorf("%s: %q = %+v, want no rule", c.name, c.text, rules)
			}
			continue
		}
		if len(rules) != 1 || rules[0].Rule != c.rule || string(runes[rules[0].Span.Start:rules[0].Span.End]) != c.at {
			t.Errorf("%s: %q = %+v, want %s at %q", c.name, c.text, rules, c.rule, c.at)
		}
	}
}
