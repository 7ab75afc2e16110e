package limit

import (
	"fmt"
	"strconv"
	"time"
)

// Headers returns the values of RateLimit-Policy, RateLimit (the IETF httpapi
// draft's form) and, "" for an allowed request, Retry-After in whole seconds.
func Headers(d Decision, class Class) (policy, limit, retryAfter string) {
	policy = fmt.Sprintf("%q;q=%d;w=%d", string(class), d.Limit, int(period/time.Second))
	limit = fmt.Sprintf("%q;r=%d;t=%d", string(class), d.Remaining, seconds(d.Reset))
	if !d.Allowed {
		retryAfter = RetryAfter(d.RetryAfter)
	}
	return policy, limit, retryAfter
}

// RetryAfter returns a Retry-After value: whole seconds, at least one.
func RetryAfter(d time.Duration) string { return strconv.Itoa(max(1, seconds(d))) }

func seconds(d time.Duration) int {
	return int((max(0, d) + time.Second - 1) / time.Second)
}
