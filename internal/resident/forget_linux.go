package resident

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// area is a part of the process's memory.
type area struct {
	from, to uintptr
	// constant is set where it holds a file that may only be read or run, own where that is the program.
	constant, own bool
	// changed is set where some of it is no longer what the file says.
	changed bool
}

// forget advises the system to drop constant pages of the program. Areas with a changed page, as
// the tables are that the loader fills in, are left alone: what they hold is nowhere else. It is
// advice, so that where it fails nothing is lost.
func forget() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }() // read only: nothing to lose
	for _, a := range areas(bufio.NewScanner(maps), program) {
		if a.constant && a.own && !a.changed {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, a.from, a.to-a.from, syscall.MADV_DONTNEED)
		}
	}
}

// areas reads smaps (proc_pid_smaps(5)). A page that was changed is one without a file, in memory or
// swapped out; "dirty" are those too that the file itself was not written back for yet.
func areas(lines *bufio.Scanner, program string) []area {
	var all []area
	for lines.Scan() {
		line := lines.Text()
		if a, ok := header(line, program); ok {
			all = append(all, a)
			continue
		}
		name, rest, _ := strings.Cut(line, ":")
		if n := len(all); n > 0 && (name == "Anonymous" || name == "Swap") && strings.Fields(rest)[0] != "0" {
			all[n-1].changed = true
		}
	}
	return all
}

// header reads the line that begins an area: addresses, permissions, offset, device, number and
// path.
func header(line, program string) (a area, ok bool) {
	f := strings.Fields(line)
	if len(f) < 5 {
		return a, false
	}
	from, to, ok := strings.Cut(f[0], "-")
	if !ok {
		return a, false
	}
	first, err1 := strconv.ParseUint(from, 16, 64)
	last, err2 := strconv.ParseUint(to, 16, 64)
	if err1 != nil || err2 != nil || last < first {
		return a, false
	}
	a.from, a.to = uintptr(first), uintptr(last)
	a.constant = f[1] == "r--p" || f[1] == "r-xp"
	a.own = len(f) > 5 && strings.Join(f[5:], " ") == program
	return a, true
}
