package gateway

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Config is what the doors are told by the operator.
type Config struct {
	// Listen is the public address. Anything but loopback asks for TLS, or for
	// InsecureListen where TLS ends before us.
	Listen string `yaml:"listen"`
	// Admin is the address of metrics, profiles and detailed health; loopback.
	Admin          string `yaml:"admin"`
	InsecureListen bool   `yaml:"insecure_listen"`
	TLS            TLS    `yaml:"tls"`
	// TrustedProxies are addresses or networks whose X-Forwarded-For is believed.
	TrustedProxies []string `yaml:"trusted_proxies"`
	// AllowedOrigins are the web origins, besides our own, from which browsers may
	// open a stream with a ticket ("https://play.example.com"); "*" is any.
	AllowedOrigins []string `yaml:"allowed_origins"`
	// ReadTimeout is how long a request may take to arrive, head and body.
	ReadTimeout  time.Duration `yaml:"read_timeout"`
	WriteTimeout time.Duration `yaml:"write_timeout"`
	IdleTimeout  time.Duration `yaml:"idle_timeout"`
	// Scheme is the scheme word of signatures.
	Scheme string `yaml:"signature_scheme"`
	// Demo serves the demo page and its sessions; development only.
	Demo bool `yaml:"-"`
	// UploadTimeout is how long a batch may take to arrive, and its results to leave.
	UploadTimeout time.Duration `yaml:"-"`
	// ImageBanks bounds what goes into banks of known pictures.
	ImageBanks ImageBankLimits `yaml:"-"`
	// Uploads is how many pictures may be on their way at once, half of them of one app; a
	// sound counts as the pictures of its size. Full-rule: 2002.
	Uploads int `yaml:"uploads"`
	// Limits are the request limits of all doors.
	Limits wire.Limits `yaml:"-"`
}

// TLS names a certificate; a new one on disk is used without a restart.
type TLS struct {
	Cert string `yaml:"cert"`
	Key  string `yaml:"key"`
}

// DefaultConfig is what serve uses when the configuration says nothing.
func DefaultConfig() Config {
	return Config{
		Listen: "127.0.0.1:8080", Admin: "127.0.0.1:9090", Scheme: "SVC",
		ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: 60 * time.Second, Uploads: 32,
	}
}

// Validate returns every problem, each naming its key.
func (c *Config) Validate() error {
	var errs []error
	fault := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("http.%s: "+format, append([]any{key}, args...)...))
	}
	for _, k := range []struct{ key, addr string }{{"listen", c.Listen}, {"admin", c.Admin}} {
		if _, _, err := net.SplitHostPort(k.addr); err != nil {
			fault(k.key, "%q is not host:port", k.addr)
		}
	}
	if !loopback(c.Listen) && c.TLS.Cert == "" && !c.InsecureListen {
		fault("listen", "%s is reachable from outside: set http.tls, or http.insecure_listen where TLS ends before us", c.Listen)
	}
	if (c.TLS.Cert == "") != (c.TLS.Key == "") {
		fault("tls", "cert and key go together")
	}
	if c.Uploads <= 0 {
		fault("uploads", "must be positive")
	}
	if c.Scheme == "" {
		fault("signature_scheme", "must not be empty")
	}
	for _, k := range []struct {
		key string
		d   time.Duration
	}{{"read_timeout", c.ReadTimeout}, {"write_timeout", c.WriteTimeout}, {"idle_timeout", c.IdleTimeout}} {
		if k.d <= 0 {
			fault(k.key, "must be positive")
		}
	}
	if _, err := auth.ParseProxies(c.TrustedProxies); err != nil {
		fault("trusted_proxies", "%w", err)
	}
	return errors.Join(errs...)
}

func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
