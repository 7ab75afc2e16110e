package gateway

import (
	"syscall"
	"unsafe"
)

// direct says that a socket's reads and writes can go past the scheduler.
const direct = true

func rawRead(fd uintptr, p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	return count(n, errno), errno
}

func rawWrite(fd uintptr, p []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	return count(n, errno), errno
}

// count is what a call moved: on an error its result is -1.
func count(n uintptr, errno syscall.Errno) int {
	if errno != 0 {
		return 0
	}
	return int(n)
}
