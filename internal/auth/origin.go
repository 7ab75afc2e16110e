package auth

import (
	"net/url"
	"strings"
)

// SameOrigin reports whether a request may have the force of the cookie that it
// carries. It is the rule of net/http's CrossOriginProtection and stricter: a
// write that has neither header is refused, since a browser of today sends one.
// Pass the headers as sent ("" when absent) and cookieAuthenticatedWrite as
// false for GET, HEAD and OPTIONS, which must change nothing.
func SameOrigin(secFetchSite, origin, host string, cookieAuthenticatedWrite bool) bool {
	if !cookieAuthenticatedWrite {
		return true
	}
	switch secFetchSite {
	case "same-origin", "none":
		return true
	case "":
		return OriginIsHost(origin, host)
	}
	return false
}

// OriginIsHost reports whether an Origin header names the host that was asked.
// WebSocket upgrades that rest on a cookie need it: browsers send them across
// origins freely, and always with Origin.
func OriginIsHost(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	// An origin has a scheme and a host; anything more is no origin.
	return strings.EqualFold(origin, u.Scheme+"://"+u.Host) && strings.EqualFold(u.Host, host)
}
