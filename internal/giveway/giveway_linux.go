package giveway

import (
	"runtime"
	"syscall"
)

// behind is how much nicer the thread is than the others: a tenth of their weight
// where the processors do not suffice for all.
const behind = 10

// Now puts the calling goroutine on a thread of its own that the kernel runs behind the
// others. The thread ends with the goroutine.
func Now() {
	runtime.LockOSThread()
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, behind) // where it may not, it goes without
}
