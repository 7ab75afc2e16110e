package engines

import "errors"

// Errors that every room understands. Packages wrap them with what they were
// doing; the wire translates them once.
var (
	// ErrUnavailable: an engine or a store can't be reached, is full, or did not
	// answer in its time. Nothing was acknowledged; the caller may try again.
	ErrUnavailable = errors.New("not available")
	// ErrOverloaded: there is no room for it now, and it was not begun.
	ErrOverloaded = errors.New("overloaded")
	// ErrClosing: the process is going down and takes nothing new.
	ErrClosing = errors.New("closing")
)
