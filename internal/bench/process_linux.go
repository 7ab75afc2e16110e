package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the CPU time, user and system, that a process has used. The clock
// of the process (clock_getcpuclockid(3)) is read, since /proc counts in steps
// of 10 ms.
func cpuTime(pid int) (time.Duration, error) {
	const schedClock = 2 // CPUCLOCK_SCHED
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &ts); err != nil {
		return 0, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return time.Duration(ts.Nano()), nil
}

// residentBytes is the resident memory of a process now (VmRSS).
func residentBytes(pid int) (int64, error) { return statusBytes(pid, "VmRSS") }

// peakBytes is the most resident memory that a process had (VmHWM).
func peakBytes(pid int) (int64, error) { return statusBytes(pid, "VmHWM") }

func statusBytes(pid int, name string) (int64, error) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	lines := bufio.NewScanner(bytes.NewReader(status))
	for lines.Scan() {
		var kb int64
		if n, err := fmt.Sscanf(lines.Text(), name+": %d kB", &kb); err == nil && n == 1 {
			return kb << 10, nil
		}
	}
	return 0, fmt.Errorf("memory of process %d: no %s", pid, name)
}

// fileLimit is how many descriptors this process may have open.
func fileLimit() (int, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("descriptor limit: %w", err)
	}
	return int(min(limit.Cur, 1<<30)), nil
}
