package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironmentSets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		variable string
		got      func(*config) any
		want     any
	}{
		"text":       {"PORTCULLIS_HTTP_LISTEN=127.0.0.1:1", func(c *config) any { return c.HTTP.Listen }, "127.0.0.1:1"},
		"nested":     {"PORTCULLIS_HTTP_TLS_CERT=a=b.pem", func(c *config) any { return c.HTTP.TLS.Cert }, "a=b.pem"},
		"empty text": {"PORTCULLIS_LOG_LEVEL=", func(c *config) any { return c.Log.Level }, ""},
		"own type":   {"PORTCULLIS_POLICY_MODE=monitor_only", func(c *config) any { return string(c.Policy.Mode) }, "monitor_only"},
		"duration":   {"PORTCULLIS_CHAT_HEARTBEAT=1m30s", func(c *config) any { return c.Chat.Heartbeat }, 90 * time.Second},
		"number":     {"PORTCULLIS_LIMITS_CHECK=7", func(c *config) any { return c.Limits.Check }, 7},
		"fraction":   {"PORTCULLIS_POLICY_SAMPLE_RATE=0.25", func(c *config) any { return c.Policy.SampleRate }, 0.25},
		"truth":      {"PORTCULLIS_HTTP_INSECURE_LISTEN=true", func(c *config) any { return c.HTTP.InsecureListen }, true},
		"list":       {"PORTCULLIS_HTTP_TRUSTED_PROXIES=10.0.0.1, 10.1.0.0/16", func(c *config) any { return c.HTTP.TrustedProxies }, []string{"10.0.0.1", "10.1.0.0/16"}},
		"empty list": {"PORTCULLIS_HTTP_ALLOWED_ORIGINS=", func(c *config) any { return c.HTTP.AllowedOrigins }, []string{}},
		"address":    {"PORTCULLIS_REDIS_URL=redis://h:1,h:2", func(c *config) any { return c.Redis.URL }, "redis://h:1,h:2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg, err := loadConfig("", []string{"HOME=/", c.variable})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, c.got(&cfg)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", c.variable, diff)
			}
		})
	}
}

func TestEnvironmentWinsOverTheFile(t *testing.T) {
	t.Parallel()
	cfg, err := loadConfig(documented, []string{"PORTCULLIS_CHAT_PLAYER_RATE=9"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cfg.Chat.PlayerRate, 9; got != want {
		t.Errorf("PlayerRate = %d, want %d", got, want)
	}
}

// Others set names with our prefix: Kubernetes for a service called portcullis.
func TestEnvironmentLetsOtherNamesBy(t *testing.T) {
	t.Parallel()
	got, err := loadConfig("", []string{
		"PORTCULLIS_PORT=tcp://10.0.0.1:8080", "PORTCULLIS_MASTER_KEY=x", "PORTCULLIS_HTTP=x", "PORTCULLIS_HTTP_DEMO=true",
		"PORTCULLIS_CHAT_NODE=x", "PORTCULLIS_=", "PORTCULLIS_DATA=x", "portcullis_log_level=debug",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaultConfig(), got, cmp.AllowUnexported(config{})); diff != "" {
		t.Errorf("loadConfig() differs from the defaults:\n%s", diff)
	}
}

func TestEnvironmentFaultsComeAtOnce(t *testing.T) {
	t.Parallel()
	faults := map[string]string{
		"PORTCULLIS_CHAT_DRAIN=5":                    "chat.drain (PORTCULLIS_CHAT_DRAIN): \"5\" is not a duration",
		"PORTCULLIS_LIMITS_LOG=1e3":                  "limits.log (PORTCULLIS_LIMITS_LOG): \"1e3\" is not a whole number",
		"PORTCULLIS_LIMITS_MINT=9999999999999999999": "limits.mint (PORTCULLIS_LIMITS_MINT): ",
		"PORTCULLIS_HTTP_INSECURE_LISTEN=maybe":      "http.insecure_listen (PORTCULLIS_HTTP_INSECURE_LISTEN): \"maybe\" is not true or false",
		"PORTCULLIS_POLICY_SAMPLE_RATE=half":         "policy.sample_rate (PORTCULLIS_POLICY_SAMPLE_RATE): \"half\" is not a number",
		"PORTCULLIS_POLICY_SCENES=a":                 "policy.scenes (PORTCULLIS_POLICY_SCENES): can be set in the file alone",
		"PORTCULLIS_POLICY_CATEGORIES=a":             "policy.categories (PORTCULLIS_POLICY_CATEGORIES): can be set in the file alone",
	}
	var environ []string
	for v := range faults {
		environ = append(environ, v)
	}
	_, err := loadConfig("", environ)
	if err == nil {
		t.Fatal("loadConfig() = nil, want faults")
	}
	for v, want := range faults {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: loadConfig() = %v, want %q in it", v, err, want)
		}
	}
}
