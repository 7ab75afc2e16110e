package limit

import (
	"net/netip"
	"time"
)

// addressesKept bounds how many addresses fail within one period and are told
// apart: about 8 MB at worst.
const addressesKept = 65536

// Failures limits failed authentications per address. Valid credentials cost
// nothing, so a game server behind one address is never in its own way.
type Failures struct {
	rate int
	gcra *gcra[netip.Prefix]
}

// NewFailures returns a Failures that allows rate failures a second, and as
// many at once. A nil now is time.Now.
func NewFailures(rate int, now func() time.Time) *Failures {
	return &Failures{rate: rate, gcra: newGCRA[netip.Prefix](addressesKept, orNow(now))}
}

// Blocked reports whether the address has failed too often, and for how long
// it has to wait. Ask before any cryptography.
func (f *Failures) Blocked(from netip.Prefix) (retry time.Duration, blocked bool) {
	d := f.gcra.look(from, f.rate)
	return d.RetryAfter, !d.Allowed
}

// Charge counts a failed authentication.
func (f *Failures) Charge(from netip.Prefix) { f.gcra.charge(from, f.rate) }

func orNow(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
