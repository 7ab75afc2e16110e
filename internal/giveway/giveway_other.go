//go:build !linux

package giveway

import "time"

// Now does nothing: other systems know no priority of a single thread.
func Now() {}

// Spent is 0: see Now.
func Spent() time.Duration { return 0 }
