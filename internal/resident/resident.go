// Package resident gives memory back to the system once a process has started: what the start
// left behind, and what it read of its own binary and hardly anybody will again.
package resident

import "runtime/debug"

// Rest collects garbage and gives it back, and has the system forget what lies in memory of the
// program's own file: code, lists, weights and pages of the console, of which a start reads most
// and the work little. What is used again comes back from the file, mostly from the system's
// cache, a fault for 16 pages.
func Rest() {
	debug.FreeOSMemory()
	forget()
}
