package bench

import (
	"bytes"
	"errors"
	"testing"
)

func TestFrameRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 125, 126, 127, 65535, 65536, 100_000} {
		want := bytes.Repeat([]byte("äb"), n)[:n]
		b := appendFrame(nil, opText, want, 0xA1B2C3D4)
		if n > 4 && bytes.Contains(b, want) {
			t.Errorf("%d bytes: payload is not masked", n)
		}
		whole := append(bytes.Clone(b), "next"...)
		for _, cut := range []int{0, 1, 2, 5, len(b) - 1} {
			if _, _, size, err := readFrame(bytes.Clone(b[:min(cut, len(b)-1)])); size != 0 || err != nil {
				t.Errorf("%d bytes, %d of them here: size, err = %d, %v, want 0, nil", n, cut, size, err)
			}
		}
		op, got, size, err := readFrame(whole)
		if err != nil || op != opText || size != len(b) || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: readFrame = %d, %d bytes, %d, %v, want them back", n, op, len(got), size, err)
		}
	}
}

func TestFrameFaults(t *testing.T) {
	tests := []struct {
		name string
		in   []byte
		want error
	}{
		{"not final", []byte{0x01, 0}, errFragmented},
		{"continuation", []byte{0x80, 0}, errFragmented},
		{"oversize", []byte{0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0}, errOversize},
	}
	for _, tt := range tests {
		if _, _, _, err := readFrame(tt.in); !errors.Is(err, tt.want) {
			t.Errorf("%s: err = %v, want %v", tt.name, err, tt.want)
		}
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add(appendFrame(nil, opText, []byte(`{"type":"ok"}`), 7))
	f.Add([]byte{0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, in []byte) {
		_, payload, size, err := readFrame(in)
		if size < 0 || size > len(in) || len(payload) > size || err != nil && size != 0 {
			t.Errorf("readFrame(%x) = %d bytes of payload, size %d, %v", in, len(payload), size, err)
		}
	})
}
