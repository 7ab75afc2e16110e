package risk

import (
	"encoding/binary"
	"io"
	"unsafe"
)

// saver writes; after an error it writes nothing.
type saver struct {
	w   io.Writer
	err error
}

func (s *saver) bytes(b []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(b)
	}
}

func (s *saver) number(n int64) {
	s.bytes(binary.LittleEndian.AppendUint64(make([]byte, 0, 8), uint64(n)))
}

func (s *saver) text(t string) {
	s.number(int64(len(t)))
	s.bytes(unsafe.Slice(unsafe.StringData(t), len(t)))
}

// loader reads; after an error what it returns is empty.
type loader struct {
	r   io.Reader
	sum interface {
		io.Writer
		Sum64() uint64
	}
	err error
}

func (l *loader) bytes(b []byte) {
	if l.err == nil {
		_, l.err = io.ReadFull(l.r, b)
	}
	if l.err == nil {
		_, _ = l.sum.Write(b) // a hash takes all
	}
}

func (l *loader) number() int64 {
	var b [8]byte
	l.bytes(b[:])
	if l.err != nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(b[:]))
}

// readAtOnce is how much is made room for before it is there: a damaged length is
// found out by the end of the file.
const readAtOnce = 1 << 16

func (l *loader) text() string {
	return string(getBytes(l, l.number()))
}

func getBytes(l *loader, n int64) (b []byte) {
	for l.err == nil && n > 0 {
		part := make([]byte, min(n, readAtOnce))
		l.bytes(part)
		b = append(b, part...)
		n -= int64(len(part))
	}
	return b
}

// raw is the memory of records without pointers.
func raw[T any](list []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(one)))
}

func putRaw[T any](s *saver, list []T)  { s.bytes(raw(list)) }
func getRaw[T any](l *loader, list []T) { l.bytes(raw(list)) }

func putList[T any](s *saver, list []T) {
	s.number(int64(len(list)))
	putRaw(s, list)
}

func getList[T any](l *loader) (list []T) {
	for n := l.number(); l.err == nil && n > 0; {
		part := make([]T, min(n, readAtOnce))
		getRaw(l, part)
		list = append(list, part...)
		n -= int64(len(part))
	}
	if l.err != nil {
		return nil
	}
	return list
}
