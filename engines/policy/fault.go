package policy

import (
	"fmt"
	"strings"
)

// Fault is one thing that is wrong with settings or a list.
type Fault struct {
	// Pointer is the JSON pointer (RFC 6901) to it; "" is the whole document.
	Pointer string
	// Line is where it stands in what was read, 1 for the first; 0 when unknown.
	Line   int
	Reason string
}

// Faults is everything that is wrong with what was read or compiled, in the order
// of the text. As an error it has one line for each. Past maxFaults nobody reads on.
type Faults []Fault

const maxFaults = 1000

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

func (f Fault) String() string {
	s := f.Reason
	if f.Pointer != "" {
		s = f.Pointer + ": " + s
	}
	if f.Line > 0 {
		s = fmt.Sprintf("line %d: %s", f.Line, s)
	}
	return s
}

// add notes a fault.
func (f *Faults) add(pointer, format string, args ...any) {
	if len(*f) >= maxFaults {
		return
	}
	*f = append(*f, Fault{Pointer: pointer, Reason: fmt.Sprintf(format, args...)})
}

// err returns the faults as an error, nil when there are none.
func (f Faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// pointerTo appends a key to a JSON pointer.
func pointerTo(pointer, key string) string {
	return pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// pointerAt appends an index to a JSON pointer.
func pointerAt(pointer string, i int) string { return fmt.Sprintf("%s/%d", pointer, i) }
