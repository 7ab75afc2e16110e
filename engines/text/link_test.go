package text

import "testing"

func TestLinkRules(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{Allow: []string{"cdn.example.com"}, Deny: []string{"bad.example"}, Invites: []string{"dsc.example"}}), []ruleCase{
		{"join https://discord.gg/abc123", "invite", "https://discord.gg/abc123"},
		{"join https://discord.gg/%61%62", "invite", "https://discord.gg/%61%62"},
		{"discord.com/invite/abcd1234 come", "invite", "discord.com/invite/abcd1234"},
		{"DISCORD.GG/ABC", "invite", "DISCORD.GG/ABC"},
		{"msg me:t.me/shop", "invite", "t.me/shop"},
		{"dsc.example/abcd is my place", "invite", "dsc.example/abcd"},
		{"see sub.bad.example/x", "denied-host", "sub.bad.example/x"},
		{"see hxxps://bad[.]example/x", "denied-host", ""},
		{"https://cdn.example.com.evil.test/a.png", "imitation", "https://cdn.example.com.evil.test/a.png"},
		{"https://cdn.example.com@evil.test/a.png", "link-user", "https://cdn.example.com@evil.test/a.png"},
		{"http://203.0.113.9/x", "ip-link", "http://203.0.113.9/x"},
		{"claim at dlscord-nitro.com/gift", "imitation", ""},
		{"https://steamcomunity.com/trade", "imitation", ""},
		{"visit goldshop dot com", "hidden-link", "goldshop dot com"},
		{"g o l d s h o p . c o m", "hidden-link", "g o l d s h o p . c o m"},
		{"g2g[.]com", "hidden-link", "g2g[.]com"},
		{"see https://discord.com/channels/1/2/3", "", ""},
		{"https://notdiscord.gg.example/abc", "", ""},
		{"https://cdn.example.com/a.png", "", ""},
		{"my clip is on youtube.com/watch?v=1", "", ""},
		{"ok.so we go", "", ""},
		{"joguei,com amigos", "", ""},
		{"just the .NET part", "", ""},
		{"wp.gg", "", ""},
	})
}

func TestEveryLinkDenied(t *testing.T) {
	checkRules(t, rulesOnly(t, LinkConfig{DenyAll: true, Allow: []string{"chat.example.org/our-guild"}}), []ruleCase{
		{"こんにちは ⭐️🔵\n🔸\nhttp://www.example.com", "link", "http://www.example.com"},
		{"our guild link is https://chat.example.org/our-guild", "", ""},
		{"https://chat.example.org/other", "link", "https://chat.example.org/other"},
	})
}

func TestPhonePlans(t *testing.T) {
	p := readPhones(phoneData)
	if len(p.lengths) < 90 {
		t.Errorf("%d countries, want at least 90", len(p.lengths))
	}
	for code, want := range p.lengths {
		if want[0] < 5 || want[0] > want[1] || len(code)+want[1] > 15 {
			t.Errorf("country code %s: %v digits", code, want)
		}
	}
}
