package redisstore

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Config says where Redis is.
type Config struct {
	// URL is redis://, rediss:// (TLS), redis+sentinel://…/master, or redis:// with
	// several hosts divided by commas (a cluster). "" selects the embedded engine.
	URL string
	// Node names this gateway. It is unique among those that share the Redis.
	Node string
	// Wait is how long a call, a probe or a write behind waits for the server, connecting
	// included; 250 ms or less is 250 ms. A test's machine stands still for longer at times.
	Wait time.Duration
}

// Validate returns every fault of the configuration, each naming its key.
func (c Config) Validate() error {
	var errs []error
	if c.URL != "" {
		if _, err := options(c.URL); err != nil {
			errs = append(errs, err)
		}
	}
	if c.Node == "" || strings.ContainsAny(c.Node, "\n\r") {
		errs = append(errs, errors.New("node: must be set, on one line"))
	}
	return errors.Join(errs...)
}

const (
	dialTimeout = 250 * time.Millisecond
	ioTimeout   = 250 * time.Millisecond
	poolSize    = 32
)

// baseOptions holds what every kind of server is used with. Without
// ContextTimeoutEnabled a hung server held a call with a 10 ms context for 5 s.
// Nothing is retried: a write whose answer was lost may have been done.
func baseOptions() *redis.UniversalOptions {
	return &redis.UniversalOptions{
		ContextTimeoutEnabled:    true,
		MaxRetries:               -1,
		DialTimeout:              dialTimeout,
		DialerRetries:            1,
		ReadTimeout:              ioTimeout,
		WriteTimeout:             ioTimeout,
		PoolTimeout:              ioTimeout,
		PoolSize:                 poolSize,
		Protocol:                 2,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
}

// options reads an address. Its errors never hold the password.
func options(address string) (*redis.UniversalOptions, error) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return nil, errors.New("redis.url: must start with redis://, rediss:// or redis+sentinel://")
	}
	o := baseOptions()
	secure := false
	switch scheme {
	case "redis":
	case "rediss":
		secure = true
	case "redis+sentinel", "rediss+sentinel":
		secure = scheme[5] == 's'
	default:
		return nil, fmt.Errorf("redis.url: scheme %q is not known", scheme)
	}
	sentinel := strings.HasSuffix(scheme, "+sentinel")
	rest, query, _ := strings.Cut(rest, "?")
	if query != "" {
		return nil, errors.New("redis.url: must have no query")
	}
	hosts, path, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(hosts, '@'); at >= 0 {
		user, err := url.Parse("redis://" + hosts[:at] + "@host")
		if err != nil || user.User == nil {
			return nil, errors.New("redis.url: user and password must be URL-encoded")
		}
		o.Username = user.User.Username()
		o.Password, _ = user.User.Password()
		hosts = hosts[at+1:]
	}
	port := "6379"
	if sentinel {
		port = "26379"
	}
	for host := range strings.SplitSeq(hosts, ",") {
		addr, err := hostPort(host, port)
		if err != nil {
			return nil, err
		}
		o.Addrs = append(o.Addrs, addr)
	}
	if err := setPath(o, path, sentinel); err != nil {
		return nil, err
	}
	if secure {
		host, _, _ := net.SplitHostPort(o.Addrs[0])
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host}
	}
	return o, nil
}

func hostPort(host, port string) (string, error) {
	u, err := url.Parse("redis://" + host)
	if err != nil || u.Hostname() == "" || u.Host != host {
		return "", fmt.Errorf("redis.url: host %q is not valid", host)
	}
	if p := u.Port(); p != "" {
		port = p
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}

// setPath reads what follows the hosts: "db", or "master" and "master/db".
func setPath(o *redis.UniversalOptions, path string, sentinel bool) error {
	if sentinel {
		o.MasterName, path, _ = strings.Cut(path, "/")
		if o.MasterName == "" {
			return errors.New("redis.url: redis+sentinel://hosts/master needs the master's name")
		}
	}
	if path == "" {
		return nil
	}
	db, err := strconv.ParseUint(path, 10, 16)
	if err != nil {
		return fmt.Errorf("redis.url: database %q is not a number", path)
	}
	if db != 0 && len(o.Addrs) > 1 && !sentinel {
		return errors.New("redis.url: a cluster has database 0 alone")
	}
	o.DB = int(db)
	return nil
}
