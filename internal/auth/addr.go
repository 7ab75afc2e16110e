package auth

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

// maxHops bounds how far back a chain of trusted proxies is followed.
const maxHops = 16

// Proxies are the networks whose X-Forwarded-For is believed. The zero value
// believes nobody.
type Proxies struct{ trusted []netip.Prefix }

// ParseProxies reads addresses and networks ("10.0.0.2", "10.0.0.0/8"). It
// reports every fault at once, by index.
func ParseProxies(list []string) (Proxies, error) {
	var (
		p    Proxies
		errs []error
	)
	for i, s := range list {
		prefix, err := netip.ParsePrefix(s)
		if addr, aerr := netip.ParseAddr(s); aerr == nil {
			prefix, err = netip.PrefixFrom(addr.WithZone(""), addr.BitLen()), nil
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("[%d]: %q is no address and no network", i, s))
			continue
		}
		if prefix.Addr().Is4In6() {
			if prefix.Bits() < 96 {
				errs = append(errs, fmt.Errorf("[%d]: %q holds more than mapped addresses", i, s))
				continue
			}
			prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-96)
		}
		p.trusted = append(p.trusted, prefix.Masked())
	}
	return p, errors.Join(errs...)
}

// Client returns the client's address: the peer, or behind a trusted proxy the
// right-most hop that is not one. forwardedFor has every X-Forwarded-For line in
// order. What stands left of that hop, and every other header, is the client's
// own invention and is not looked at. IPv4 in its mapped form is IPv4.
func (p Proxies) Client(peer netip.Addr, forwardedFor []string) netip.Addr {
	client := plain(peer)
	rest := strings.Join(forwardedFor, ",")
	for range maxHops {
		if rest == "" || !p.trusts(client) {
			return client
		}
		i := strings.LastIndexByte(rest, ',')
		hop, ok := parseHop(rest[i+1:])
		if !ok {
			// A proxy of ours wrote this? It is the last that we know for sure.
			return client
		}
		client, rest = hop, rest[:max(i, 0)]
	}
	return client
}

func (p Proxies) trusts(addr netip.Addr) bool {
	for _, prefix := range p.trusted {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// parseHop reads an address, with a port as some proxies write it.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if addr, err := netip.ParseAddr(s); err == nil {
		return plain(addr), true
	}
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return plain(ap.Addr()), true
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		if addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]")); err == nil {
			return plain(addr), true
		}
	}
	return netip.Addr{}, false
}

func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }

// LimitPrefix returns what limits count as one client: an IPv4 address, or the
// /64 that one IPv6 customer has at least. Every address that is none (a Unix
// socket's) is one client too.
func LimitPrefix(addr netip.Addr) netip.Prefix {
	addr = plain(addr)
	if addr.Is6() {
		return netip.PrefixFrom(addr, 64).Masked()
	}
	return netip.PrefixFrom(addr, addr.BitLen())
}
