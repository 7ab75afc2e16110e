package bench

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// generatorAhead is the priority of a load generator's threads: those who send it in
// earnest have processors of their own, and don't stand in line behind the gateway.
const generatorAhead = -10

// ahead puts the threads of this process before those of others, as far as the system
// lets it. Processes that it has started stay where they are; new ones would come along.
func ahead() error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("threads of the generator: %w", err)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		err = unix.Setpriority(unix.PRIO_PROCESS, id, generatorAhead)
		switch {
		case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
			return nil // how late it is then, is in the report
		case err != nil && !errors.Is(err, unix.ESRCH): // it has ended
			return fmt.Errorf("priority of the generator: %w", err)
		}
	}
	return nil
}

// sleepUntil blocks the calling thread until a time. Go's timers round up to a
// millisecond while the process rests.
func sleepUntil(due time.Time) {
	for {
		left := time.Until(due)
		if left <= 0 {
			return
		}
		ts := unix.NsecToTimespec(int64(left))
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &ts, nil) // woken early, it looks at the clock again
	}
}
