package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// ownCPU is the processor time that this process has had. Under load it says what
// clocks on the wall can't.
func ownCPU() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
