package auth

import (
	"net/netip"
	"strings"
	"testing"
)

func TestClient(t *testing.T) {
	trusted := []string{"10.0.0.0/8", "2001:db8:1::/48", "192.0.2.1", "::ffff:172.16.0.0/108"}
	tests := []struct {
		name string
		peer string
		xff  []string
		want string
	}{
		{"no header", "10.0.0.2", nil, "10.0.0.2"},
		{"not a proxy of ours", "203.0.113.9", []string{"1.2.3.4"}, "203.0.113.9"},
		{"one hop", "10.0.0.2", []string{"198.51.100.7"}, "198.51.100.7"},
		{"two proxies", "10.0.0.2", []string{"198.51.100.7, 10.9.9.9"}, "198.51.100.7"},
		{"what the client wrote stays left", "10.0.0.2", []string{"6.6.6.6, 198.51.100.7, 192.0.2.1"}, "198.51.100.7"},
		{"several header lines", "10.0.0.2", []string{"6.6.6.6", "198.51.100.7", "10.1.1.1"}, "198.51.100.7"},
		{"client names a proxy of ours", "10.0.0.2", []string{"10.6.6.6, 198.51.100.7"}, "198.51.100.7"},
		{"all ours: the farthest", "10.0.0.2", []string{"10.0.0.4, 10.0.0.3"}, "10.0.0.4"},
		{"mapped peer is ours", "::ffff:10.0.0.2", []string{"198.51.100.7"}, "198.51.100.7"},
		{"mapped hop", "10.0.0.2", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"network written as mapped", "172.17.1.1", []string{"198.51.100.7"}, "198.51.100.7"},
		{"IPv6", "2001:db8:1::5", []string{"2001:db8:9::1"}, "2001:db8:9::1"},
		{"zone", "2001:db8:1::5", []string{"fe80::1%eth0"}, "fe80::1"},
		{"with port", "10.0.0.2", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"IPv6 with port", "10.0.0.2", []string{"[2001:db8:9::1]:4711"}, "2001:db8:9::1"},
		{"IPv6 in brackets", "10.0.0.2", []string{"[2001:db8:9::1]"}, "2001:db8:9::1"},
		{"rubbish: the last that is sure", "10.0.0.2", []string{"1.2.3.4, unknown, 10.0.0.3"}, "10.0.0.3"},
		{"empty hop", "10.0.0.2", []string{"1.2.3.4, , 10.0.0.3"}, "10.0.0.3"},
		{"empty header", "10.0.0.2", []string{""}, "10.0.0.2"},
		{"endless chain", "10.0.0.2", []string{"1.2.3.4" + strings.Repeat(",10.0.0.3", 1000)}, "10.0.0.3"},
	}
	proxies, err := ParseProxies(trusted)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		if got := proxies.Client(netip.MustParseAddr(test.peer), test.xff).String(); got != test.want {
			t.Errorf("%s: Client = %s, want %s", test.name, got, test.want)
		}
	}
	if got := (Proxies{}).Client(netip.Addr{}, []string{"1.2.3.4"}); got.IsValid() {
		t.Errorf("Client of a peer without address = %s, want none", got)
	}
}

func TestParseProxiesFaults(t *testing.T) {
	_, err := ParseProxies([]string{"10.0.0.0/8", "localhost", "10.0.0.0/33", "::ffff:0:0/80"})
	if err == nil {
		t.Fatal("ParseProxies accepts what is no network")
	}
	for _, want := range []string{`[1]: "localhost"`, `[2]: "10.0.0.0/33"`, `[3]: "::ffff:0.0.0.0/80"`} {
		if want = strings.ReplaceAll(want, "::ffff:0.0.0.0/80", "::ffff:0:0/80"); !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %s", err, want)
		}
	}
	if strings.Contains(err.Error(), "[0]") {
		t.Errorf("error %q names a good one", err)
	}
}

func TestLimitPrefix(t *testing.T) {
	for in, want := range map[string]string{
		"203.0.113.9":           "203.0.113.9/32",
		"::ffff:203.0.113.9":    "203.0.113.9/32",
		"2001:db8:1:2:3:4:5:6":  "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::1":  "2001:db8:1:2::/64",
		"fe80::1%eth0":          "fe80::/64",
		"2001:db8:1:3:3:4:5:60": "2001:db8:1:3::/64",
	} {
		if got := LimitPrefix(netip.MustParseAddr(in)).String(); got != want {
			t.Errorf("LimitPrefix(%s) = %s, want %s", in, got, want)
		}
	}
	if got := LimitPrefix(netip.Addr{}); got != (netip.Prefix{}) {
		t.Errorf("LimitPrefix of no address = %v, want the zero Prefix", got)
	}
}

func TestSameOrigin(t *testing.T) {
	const host = "console.example:8443"
	tests := []struct {
		name         string
		site, origin string
		write, want  bool
	}{
		{"a read needs nothing", "", "", false, true},
		{"a read across sites changes nothing", "cross-site", "https://evil.example", false, true},
		{"same origin", "same-origin", "https://console.example:8443", true, true},
		{"address bar", "none", "", true, true},
		{"same site is another origin", "same-site", "https://evil.example", true, false},
		{"across sites", "cross-site", "https://evil.example", true, false},
		{"across sites with a lying origin", "cross-site", "https://console.example:8443", true, false},
		{"unknown word", "SAME-ORIGIN", "", true, false},
		{"old browser", "", "https://console.example:8443", true, true},
		{"old browser across sites", "", "https://evil.example", true, false},
		{"neither header", "", "", true, false},
		{"opaque origin", "", "null", true, false},
	}
	for _, test := range tests {
		if got := SameOrigin(test.site, test.origin, host, test.write); got != test.want {
			t.Errorf("%s: SameOrigin = %v, want %v", test.name, got, test.want)
		}
	}
}

func TestOriginIsHost(t *testing.T) {
	tests := []struct {
		origin, host string
		want         bool
	}{
		{"https://a.example", "a.example", true},
		{"http://127.0.0.1:8080", "127.0.0.1:8080", true},
		{"http://[::1]:8080", "[::1]:8080", true},
		{"https://A.example", "a.EXAMPLE", true},
		{"https://a.example", "a.example:8080", false},
		{"https://a.example:8080", "a.example", false},
		{"https://a.example.evil", "a.example", false},
		{"https://evil@a.example", "a.example", false},
		{"https://a.example/x", "a.example", false},
		{"https://a.example?x", "a.example", false},
		{"ftp://a.example", "a.example", false},
		{"a.example", "a.example", false},
		{"null", "null", false},
		{"", "", false},
		{"https://", "", false},
		{"://", "a.example", false},
	}
	for _, test := range tests {
		if got := OriginIsHost(test.origin, test.host); got != test.want {
			t.Errorf("OriginIsHost(%q, %q) = %v, want %v", test.origin, test.host, got, test.want)
		}
	}
}
