package decode

import (
	"bytes"
	"context"
	"runtime"
	"testing"
)

// long repeats the sound of a fixture, whose own begins at a byte.
func long(t *testing.T, name string, begin, times int) []byte {
	t.Helper()
	b := fixture(t, name)
	return append(bytes.Clone(b[:begin]), bytes.Repeat(b[begin:], times)...)
}

// TestMemory unpacks long sounds: what that takes does not grow with them.
func TestMemory(t *testing.T) {
	flac := unsaid(long(t, "stereo24.flac", flacBegin(t, "stereo24.flac"), 60))
	const most = 64 << 20
	for name, data := range map[string][]byte{
		"WAV of 8 channels": riffOf(fmtChunk(wavPCM, 8, 48000, 24), chunk("data", make([]byte, 48<<20))),
		"FLAC":              flac,
		"MP3":               long(t, "stereo44.mp3", 0, 20),
		"Opus":              longOpus()[:64<<10],
	} {
		t.Run(name, func(t *testing.T) {
			lim := Default()
			lim.Duration = 10 * lim.Duration
			f, err := Read(data, "", lim)
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			base, top, n := m.HeapInuse, m.HeapInuse, 0
			err = f.Unpack(context.Background(), func([]float32) error {
				if n++; n%500 == 0 {
					runtime.ReadMemStats(&m)
					top = max(top, m.HeapInuse)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d s of %d MiB: %d KiB", f.DurationMS/1000, len(data)>>20, (top-base)>>10)
			if top-base > most {
				t.Errorf("%d MiB over what the file takes; at most 64", (top-base)>>20)
			}
		})
	}
}

// flacBegin is where the first frame stands.
func flacBegin(t *testing.T, name string) int {
	t.Helper()
	b := fixture(t, name)
	at := 4
	for last := false; !last; {
		last = b[at]&0x80 != 0
		at += 4 + int(b[at+1])<<16 + int(b[at+2])<<8 + int(b[at+3])
	}
	return at
}
