package auth

import (
	"slices"
	"strings"
)

// The scopes that a bearer token can have. A token never raises what its app
// may do.
const (
	ScopeCheck  = "check"  // content checks and their results
	ScopeStream = "stream" // the stream in the role of a game server
	ScopeFeed   = "feed"   // the live feed of the app's own verdicts
)

// ParseScopes reads a space-separated list. An empty one asks for what a game
// server needs to play: check and stream. "text:check" is an older name of check.
func ParseScopes(s string) ([]string, error) {
	fields := strings.Fields(s)
	if len(fields) == 0 {
		return []string{ScopeCheck, ScopeStream}, nil
	}
	var scopes []string
	for _, f := range fields {
		if f == "text:check" {
			f = ScopeCheck
		}
		if f != ScopeCheck && f != ScopeStream && f != ScopeFeed {
			return nil, invalid("unknown scope; the scopes are check, stream and feed")
		}
		if !slices.Contains(scopes, f) {
			scopes = append(scopes, f)
		}
	}
	slices.Sort(scopes)
	return scopes, nil
}
