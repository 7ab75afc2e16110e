package giveway

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// behind is how much nicer the thread is than the others: a tenth of their weight
// where the processors do not suffice for all.
const behind = 10

// Now puts the calling goroutine on a thread of its own that the kernel runs behind the
// others. The thread ends with the goroutine.
func Now() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, behind) // where it may not, it goes without
}

// Spent is how long the calling goroutine's thread has run on a processor, after Now; 0
// where the system does not say.
func Spent() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0
	}
	return time.Duration(ts.Nano())
}
