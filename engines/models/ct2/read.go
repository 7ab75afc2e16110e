package ct2

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Bounds of a table. The largest Whisper has 1.5 G parameters in 1300 tensors.
const (
	maxTensors = 4096
	maxName    = 512
	maxRank    = 4
)

// Types of a tensor's items.
const (
	typeFloat = iota
	typeInt8
	typeInt16
	typeInt32
	typeHalf
)

var itemSize = [...]int{typeFloat: 4, typeInt8: 1, typeInt16: 2, typeInt32: 4, typeHalf: 2}

// tensor is one of the table; raw lies in the bytes that were read.
type tensor struct {
	shape []int
	kind  int
	raw   []byte
}

// table is a model as its file has it.
type table map[string]*tensor

// reader reads little-endian values; the first fault stays.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) take(n int) []byte {
	if r.err == nil && (n < 0 || n > len(r.b)-r.at) {
		r.err = fmt.Errorf("it ends at byte %d, where %d more are needed", len(r.b), n)
	}
	if r.err != nil {
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) byte() int {
	if b := r.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (r *reader) u32() int {
	if b := r.take(4); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// name is a string that ends in a zero byte, which its length counts.
func (r *reader) name() string {
	b := r.take(2)
	if b == nil {
		return ""
	}
	n := int(binary.LittleEndian.Uint16(b))
	if n == 0 || n > maxName {
		r.err = fmt.Errorf("at byte %d: a name of %d bytes", r.at, n)
		return ""
	}
	s := r.take(n)
	if s == nil || s[n-1] != 0 {
		r.err = errors.Join(r.err, fmt.Errorf("at byte %d: a name without its end", r.at))
		return ""
	}
	return string(s[:n-1])
}

// read takes a file apart.
func read(b []byte) (table, error) {
	r := &reader{b: b}
	if v := r.u32(); r.err == nil && v != 6 {
		return nil, fmt.Errorf("version %d of the table, not 6", v)
	}
	if spec := r.name(); r.err == nil && spec != "WhisperSpec" {
		return nil, fmt.Errorf("it is a %q, not a WhisperSpec", spec)
	}
	r.u32() // the revision says how the runtime of CTranslate2 reads options
	n := r.u32()
	if r.err == nil && n > maxTensors {
		return nil, fmt.Errorf("%d tensors, more than %d", n, maxTensors)
	}
	t := make(table, n)
	for range n {
		name, one := r.tensor()
		if r.err != nil {
			return nil, r.err
		}
		if t[name] != nil {
			return nil, fmt.Errorf("tensor %s stands twice", name)
		}
		t[name] = one
	}
	for aliases := r.u32(); aliases > 0 && r.err == nil; aliases-- {
		alias, name := r.name(), r.name()
		if r.err == nil && (t[alias] != nil || t[name] == nil) {
			return nil, fmt.Errorf("alias %s of %s: the one stands already, or the other does not", alias, name)
		}
		t[alias] = t[name]
	}
	if r.err == nil && r.at != len(b) {
		return nil, fmt.Errorf("%d bytes after its end", len(b)-r.at)
	}
	return t, r.err
}

func (r *reader) tensor() (string, *tensor) {
	name, rank := r.name(), r.byte()
	if r.err == nil && rank > maxRank {
		r.err = fmt.Errorf("tensor %s has %d dimensions", name, rank)
	}
	t, size := &tensor{}, 1
	for range rank {
		d := r.u32()
		if r.err != nil {
			return "", nil
		}
		if d <= 0 || size > math.MaxInt32/d {
			r.err = fmt.Errorf("tensor %s is too large, or empty", name)
			return "", nil
		}
		t.shape, size = append(t.shape, d), size*d
	}
	t.kind = r.byte()
	bytes := r.u32()
	if r.err == nil && (t.kind >= len(itemSize) || bytes != size*itemSize[t.kind]) {
		r.err = fmt.Errorf("tensor %s: %d bytes of type %d for shape %v", name, bytes, t.kind, t.shape)
	}
	t.raw = r.take(bytes)
	return name, t
}

// floats are the values, whatever type they have.
func (t *tensor) floats() []float32 {
	out := make([]float32, len(t.raw)/itemSize[t.kind])
	for i := range out {
		switch t.kind {
		case typeFloat:
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*i:]))
		case typeInt8:
			out[i] = float32(int8(t.raw[i])) //nolint:gosec // two's complement
		case typeInt16:
			out[i] = float32(int16(binary.LittleEndian.Uint16(t.raw[2*i:]))) //nolint:gosec // two's complement
		case typeInt32:
			out[i] = float32(int32(binary.LittleEndian.Uint32(t.raw[4*i:]))) //nolint:gosec // two's complement
		case typeHalf:
			out[i] = half(binary.LittleEndian.Uint16(t.raw[2*i:]))
		}
	}
	return out
}

// half is the value of a float16 (IEEE 754 binary16).
func half(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exp {
	case 0:
		v := float32(frac) / (1 << 24)
		if sign != 0 {
			v = -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 255<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// toHalf is the nearest float16, ties to even; what is too large is infinite.
func toHalf(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	exp := int(b>>23&255) - 112
	frac := b & (1<<23 - 1)
	switch {
	case exp >= 31:
		return sign | 31<<10
	case exp <= 0:
		if exp < -10 {
			return sign
		}
		frac |= 1 << 23
		return sign | rounded(frac, uint(14-exp)) //nolint:gosec // 14 to 24
	}
	return sign | (uint16(exp)<<10 + rounded(frac, 13)) //nolint:gosec // exp is 1 to 30; a carry raises it, as it should
}

func rounded(frac uint32, shift uint) uint16 {
	v, rest, tie := frac>>shift, frac&(1<<shift-1), uint32(1)<<(shift-1)
	if rest > tie || rest == tie && v&1 == 1 {
		v++
	}
	return uint16(v) //nolint:gosec // at most 1 << 11
}
