package main

import (
	"os"
	"runtime"
)

// processors is how many there are for Go code: what computes is run on so many at once,
// whatever threads are spared.
var processors = runtime.GOMAXPROCS(0)

// spareThreads is how many threads run Go code beside one for each processor.
//
// Go's scheduler lets a goroutine run for 10 ms before the next one of its line gets
// a turn, and looks at the network when a thread has nothing to do. A parser or a
// snapshot on every processor would hold up a verdict for that long; with threads
// to spare there is one that sees the request, and the kernel runs it at once. Four may
// be taken for long at one time: by both writers of logs, a snapshot and the collector.
const spareThreads = 4

// spare adds the threads, unless the environment says how many there are to be.
func spare() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + spareThreads)
	}
}
