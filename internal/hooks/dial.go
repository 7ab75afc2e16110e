package hooks

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

const (
	maxURL = 2048
	// idlePerEndpoint is how many connections to an endpoint are kept.
	idlePerEndpoint = laneWidth
)

// errRefused is of an address that endpoints may not have.
var errRefused = errors.New("the address is not a public one")

// Fault says what is wrong with an endpoint's URL, "" where nothing is. Its name is
// looked up when it is dialled, and the address checked then.
func (c *Config) Fault(address string) string {
	u, err := url.Parse(address)
	switch {
	case len(address) > maxURL:
		return fmt.Sprintf("must be %d bytes at most", maxURL)
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return "must be an absolute URL"
	case u.Scheme == "http" && !c.AllowHTTP:
		return "must be https"
	case u.Scheme != "https" && u.Scheme != "http":
		return "must be https"
	case u.User != nil || u.Fragment != "":
		return "must have neither a user nor a fragment"
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "must have a port from 1 to 65535"
		}
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !c.AllowPrivate && !public(ip) {
		return "must be at a public address"
	}
	return ""
}

// client posts to endpoints: no redirects, which would lead past the checks, no
// proxy, and no address that the configuration does not allow. The check is made of
// the address that is dialled, after the name was looked up.
func (c *Config) client() *http.Client {
	dialer := &net.Dialer{Timeout: c.ConnectTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		if c.AllowPrivate {
			return nil
		}
		to, err := netip.ParseAddrPort(address)
		if err != nil || !public(to.Addr()) {
			return errRefused
		}
		return nil
	}}
	return &http.Client{
		Timeout:       c.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, address)
			},
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: c.ConnectTimeout,
			ForceAttemptHTTP2: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConns: 256, MaxIdleConnsPerHost: idlePerEndpoint, IdleConnTimeout: 30 * time.Second,
		},
	}
}

// notPublic are the blocks, beside those that netip knows, that are not the open
// internet's (IANA special-purpose registries): shared address space, protocol
// assignments, documentation, benchmarks, reserved; and what embeds or translates
// IPv4, which would hide any of them.
var notPublic = func() (list []netip.Prefix) {
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
		"240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
	} {
		list = append(list, netip.MustParsePrefix(p))
	}
	return list
}()

// public reports whether an address is on the open internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}
