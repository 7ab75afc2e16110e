package sqlstore

import (
	"runtime"
	"syscall"
)

// behind is how much nicer the thread of a bulk writer is than the others: a tenth
// of their weight where the processors do not suffice for all.
const behind = 10

// giveWay puts the calling goroutine on a thread of its own that the kernel runs
// behind the others. A group of log entries takes milliseconds of work, and whoever
// waits for a verdict must not stand in line after it. The thread ends with the
// goroutine.
func giveWay() {
	runtime.LockOSThread()
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, behind) // where it may not, it goes without
}
