// Package giveway lets work in bulk run behind what somebody waits for: a group of log
// entries or a chunk of a batch takes milliseconds, and a verdict must not stand in line
// after it.
package giveway
