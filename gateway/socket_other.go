//go:build !linux

package gateway

import "syscall"

// direct says that a socket's reads and writes can go past the scheduler; where
// system calls have to go through libc they can't.
const direct = false

func rawRead(uintptr, []byte) (int, syscall.Errno)  { return 0, syscall.ENOSYS }
func rawWrite(uintptr, []byte) (int, syscall.Errno) { return 0, syscall.ENOSYS }
