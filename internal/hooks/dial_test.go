package hooks

import (
	"net/netip"
	"testing"
)

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "::1": false, "::ffff:127.0.0.1": false, "0.0.0.0": false, "::": false,
		"10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "::ffff:10.0.0.1": false, "fd00::1": false,
		"169.254.169.254": false, "fe80::1": false, "fe80::1%eth0": false, "100.64.0.1": false, "198.18.0.1": false,
		"192.0.0.8": false, "192.0.2.1": false, "203.0.113.9": false, "224.0.0.1": false, "ff02::1": false, "255.255.255.255": false,
		"240.0.0.1": false, "64:ff9b::a00:1": false, "64:ff9b:1::1": false, "2002:a00:1::": false, "2001::1": false, "2001:db8::1": false,
		"::7f00:1": false, "fec0::1": false,
	} {
		if got := public(netip.MustParseAddr(address)); got != want {
			t.Errorf("public(%s) = %v, want %v", address, got, want)
		}
	}
}

func TestFault(t *testing.T) {
	strict, loose := Default(), Default()
	loose.AllowHTTP, loose.AllowPrivate = true, true
	for address, want := range map[string][2]bool{ // fine by strict, by loose
		"https://game.example.com/hook?x=1": {true, true},
		"http://game.example.com/hook":      {false, true},
		"https://127.0.0.1/":                {false, true},
		"https://[::1]:8443/":               {false, true},
		"https://8.8.8.8/":                  {true, true},
		"https://localhost/":                {true, true}, // its address is checked when it is dialled
		"https://user:pass@example.com/":    {false, false},
		"https://example.com/#part":         {false, false},
		"ftp://example.com/":                {false, false},
		"https:///path":                     {false, false},
		"https:example.com":                 {false, false},
		"example.com":                       {false, false},
		"":                                  {false, false},
		"https://exa mple.com/":             {false, false},
	} {
		if got := strict.Fault(address); (got == "") != want[0] {
			t.Errorf("Fault(%q) = %q", address, got)
		}
		if got := loose.Fault(address); (got == "") != want[1] {
			t.Errorf("Fault(%q) with all allowed = %q", address, got)
		}
	}
}
