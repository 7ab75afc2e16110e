package hooks

import (
	"math/rand/v2"
	"time"
)

// waits is how long after each failed attempt the next one is made: 11 attempts
// over about 24 hours. The last wait repeats where more time is allowed.
var waits = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 8 * time.Hour,
}

// wait is how long to wait after so many attempts: up to a fifth more or less, so
// that what failed together does not come back together. What the endpoint asked for
// counts where it is longer, up to the longest of ours.
func wait(attempts int, asked time.Duration) time.Duration {
	d := waits[min(max(attempts, 1), len(waits))-1]
	d = time.Duration(float64(d) * (.8 + .4*rand.Float64())) //nolint:gosec // no secret
	return max(d, min(asked, waits[len(waits)-1]))
}
