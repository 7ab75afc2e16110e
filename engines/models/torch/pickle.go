package torch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// reader takes pickles from the front of a file.
type reader struct {
	b     []byte
	stack []any
	marks []int
	memo  map[int]any
}

// What a pickle can hold besides numbers, strings and nil.
type (
	list   struct{ items []any }
	tuple  []any
	dict   struct{ keys, values []any }
	global string
	// persistent is a reference to a storage: its kind, key and number of values.
	persistent tuple
	// made is what a function of Python would be called to make.
	made struct {
		by   global
		args tuple
	}
)

// get is the value of a key, nil for none.
func (d *dict) get(key string) any {
	for i, k := range d.keys {
		if k == key {
			return d.values[i]
		}
	}
	return nil
}

var errCut = errors.New("the file is cut off")

func (r *reader) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.b) {
		return nil, errCut
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b, nil
}

// line takes text up to a line feed.
func (r *reader) line() (string, error) {
	i := strings.IndexByte(string(r.b[:min(len(r.b), 256)]), '\n')
	if i < 0 {
		return "", errCut
	}
	s := string(r.b[:i])
	r.b = r.b[i+1:]
	return s, nil
}

// pickle reads the next one.
func (r *reader) pickle() (any, error) {
	r.stack, r.marks, r.memo = nil, nil, map[int]any{}
	for {
		op, err := r.take(1)
		if err != nil {
			return nil, err
		}
		if op[0] == '.' {
			return r.pop()
		}
		if err := r.op(op[0]); err != nil {
			return nil, fmt.Errorf("opcode %q: %w", op[0], err)
		}
	}
}

func (r *reader) push(v any) { r.stack = append(r.stack, v) }

func (r *reader) pop() (any, error) {
	if len(r.stack) == 0 {
		return nil, errors.New("nothing is on the stack")
	}
	v := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	return v, nil
}

// marked takes what lies above the last mark.
func (r *reader) marked() ([]any, error) {
	if len(r.marks) == 0 {
		return nil, errors.New("no mark")
	}
	at := r.marks[len(r.marks)-1]
	r.marks = r.marks[:len(r.marks)-1]
	if at > len(r.stack) {
		return nil, errors.New("the mark is above the stack")
	}
	items := append([]any(nil), r.stack[at:]...)
	r.stack = r.stack[:at]
	return items, nil
}

// op does one operation; the letters are those of Lib/pickle.py.
func (r *reader) op(op byte) error {
	switch op {
	case 0x80: // PROTO
		_, err := r.take(1)
		return err
	case '(':
		r.marks = append(r.marks, len(r.stack))
	case '}':
		r.push(&dict{})
	case ']':
		r.push(&list{})
	case ')':
		r.push(tuple{})
	case 'N':
		r.push(nil)
	case 0x88, 0x89: // NEWTRUE, NEWFALSE
		r.push(op == 0x88)
	case 'K', 'M', 'J', 0x8a, 'G', 'X':
		return r.scalar(op)
	case 'q', 'r', 'h', 'j':
		return r.remember(op)
	case 't', 0x85, 0x86, 0x87:
		return r.tuple(op)
	default:
		return r.build(op)
	}
	return nil
}

// scalar pushes a number or a string.
func (r *reader) scalar(op byte) error {
	size := map[byte]int{'K': 1, 'M': 2, 'J': 4, 0x8a: 1, 'G': 8, 'X': 4}[op]
	b, err := r.take(size)
	if err != nil {
		return err
	}
	switch op {
	case 'K':
		r.push(int(b[0]))
	case 'M':
		r.push(int(binary.LittleEndian.Uint16(b)))
	case 'J':
		r.push(int(int32(binary.LittleEndian.Uint32(b)))) //nolint:gosec // its two's complement
	case 'G':
		r.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
	case 'X':
		s, err := r.take(int(binary.LittleEndian.Uint32(b)))
		if err != nil {
			return err
		}
		r.push(string(s))
	default: // a long; the magic number has ten bytes, which are kept as they are
		s, err := r.take(int(b[0]))
		if err != nil {
			return err
		}
		r.push(string(s))
	}
	return nil
}

// remember puts into the memo or gets from it.
func (r *reader) remember(op byte) error {
	size := 1
	if op == 'r' || op == 'j' {
		size = 4
	}
	b, err := r.take(size)
	if err != nil {
		return err
	}
	at := int(b[0])
	if size == 4 {
		at = int(binary.LittleEndian.Uint32(b))
	}
	if op == 'q' || op == 'r' {
		v, err := r.pop()
		if err != nil {
			return err
		}
		r.memo[at] = v
		r.push(v)
		return nil
	}
	v, ok := r.memo[at]
	if !ok {
		return fmt.Errorf("the memo has no %d", at)
	}
	r.push(v)
	return nil
}

func (r *reader) tuple(op byte) error {
	if op == 't' {
		items, err := r.marked()
		r.push(tuple(items))
		return err
	}
	n := int(op) - 0x84
	if len(r.stack) < n {
		return errors.New("too little is on the stack")
	}
	items := append(tuple(nil), r.stack[len(r.stack)-n:]...)
	r.stack = r.stack[:len(r.stack)-n]
	r.push(items)
	return nil
}

// build makes what is made of others.
func (r *reader) build(op byte) error {
	switch op {
	case 'c':
		module, err := r.line()
		if err != nil {
			return err
		}
		name, err := r.line()
		r.push(global(module + "." + name))
		return err
	case 'Q':
		v, err := r.pop()
		t, ok := v.(tuple)
		if !ok {
			return errors.Join(err, errors.New("a storage is no tuple"))
		}
		r.push(persistent(t))
		return nil
	case 'R':
		return r.reduce()
	case 'b': // what an object would be given; ours need nothing
		_, err := r.pop()
		return err
	case 'a', 'e', 's', 'u':
		return r.fill(op)
	}
	return errors.New("not known")
}

func (r *reader) reduce() error {
	args, err := r.pop()
	if err != nil {
		return err
	}
	f, err := r.pop()
	if err != nil {
		return err
	}
	name, isGlobal := f.(global)
	t, isTuple := args.(tuple)
	switch {
	case !isGlobal || !isTuple:
		return errors.New("what is to be called is no function")
	case name == "collections.OrderedDict":
		r.push(&dict{})
	default:
		r.push(made{name, t})
	}
	return nil
}

// fill adds to the list or dictionary below.
func (r *reader) fill(op byte) error {
	var items []any
	var err error
	switch op {
	case 'e', 'u':
		items, err = r.marked()
	case 'a', 's':
		n := map[byte]int{'a': 1, 's': 2}[op]
		if len(r.stack) < n {
			return errors.New("too little is on the stack")
		}
		items = append(items, r.stack[len(r.stack)-n:]...)
		r.stack = r.stack[:len(r.stack)-n]
	}
	if err != nil {
		return err
	}
	if len(r.stack) == 0 {
		return errors.New("nothing to fill")
	}
	switch to := r.stack[len(r.stack)-1].(type) {
	case *list:
		to.items = append(to.items, items...)
	case *dict:
		if len(items)%2 != 0 {
			return errors.New("a key without a value")
		}
		for i := 0; i < len(items); i += 2 {
			to.keys, to.values = append(to.keys, items[i]), append(to.values, items[i+1])
		}
	default:
		return errors.New("neither a list nor a dictionary is to be filled")
	}
	return nil
}
