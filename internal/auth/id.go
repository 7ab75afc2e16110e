package auth

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

const maxID = 128

// validID reports whether s is an id of the wire contract: 1 to 128 bytes, no
// control characters. U+FFFD is refused too: it is what invalid UTF-8 and lone
// surrogates decode to, and two players must not become one.
func validID(s string) bool {
	return s != "" && len(s) <= maxID && !strings.ContainsRune(s, utf8.RuneError) &&
		strings.IndexFunc(s, unicode.IsControl) < 0
}

// ValidApp reports whether s is an app id: 1 to 64 of A-Z a-z 0-9 . _ -
func ValidApp(s engines.AppID) bool {
	return len(s) >= 1 && len(s) <= 64 && all(string(s), func(c byte) bool {
		return alphanumeric(c) || c == '.' || c == '_' || c == '-'
	})
}

func all(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func lowerHex(c byte) bool { return digit(c) || 'a' <= c && c <= 'f' }

func alphanumeric(c byte) bool {
	return digit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func urlSafe(c byte) bool { return alphanumeric(c) || c == '-' || c == '_' }

// clock returns now, or time.Now for nil: the zero option works.
func clock(now func() time.Time) func() time.Time {
	if now == nil {
		return time.Now
	}
	return now
}
