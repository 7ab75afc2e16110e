package decode

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// tight are limits that a fuzzer reaches.
func tight() Limits {
	return Limits{Bytes: 1 << 16, Duration: 20 * time.Second, Channels: 8, Samples: 2_000_000}
}

// unpackAny unpacks whatever it is given: it ends, stays within its limits and refuses
// in our words.
func unpackAny(t *testing.T, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	lim := tight()
	f, err := Read(data, "", lim)
	got := 0
	if err == nil {
		if f.Channels < 1 || f.Channels > lim.Channels || f.SampleRate < minRate || f.DurationMS > lim.Duration.Milliseconds()+1 || f.Trailing < 0 || f.Trailing > len(data) {
			t.Fatalf("over the limits: %+v", f)
		}
		err = f.Unpack(ctx, func(pcm []float32) error {
			for i, v := range pcm {
				if !(v >= -1 && v <= 1) {
					t.Fatalf("sample %d is %v", got+i, v)
				}
			}
			got += len(pcm)
			return nil
		})
	}
	if err != nil && !errors.As(err, new(*engines.Refusal)) {
		t.Fatalf("%v is no refusal", err)
	}
	if got > int(lim.Duration.Seconds()+1)*engines.SoundRate {
		t.Fatalf("%d samples came", got)
	}
}

func seeds(f *testing.F, more ...[]byte) {
	f.Helper()
	for _, b := range more {
		f.Add(b)
	}
	f.Fuzz(unpackAny)
}

func FuzzWAV(f *testing.F) {
	seeds(f, wavTones(wavPCM, 1, 4000, 16), wavTones(wavALaw, 2, 4000, 8), wavTones(wavFloat, 1, 2000, 32),
		riffOf(extensible(wavPCM, 2, 4000, 16), chunk("data", wavData(2, 2000))), fixture(f, "wav-chunk-size-4gib.bin"))
}

func FuzzMP3(f *testing.F) {
	seeds(f, fixture(f, "stereo16.mp3"), fixture(f, "vbr22.mp3"), fixture(f, "crc48.mp3"),
		fixture(f, "mp3-mpeg2-panic-2.bin"), fixture(f, "mp3-mpeg2-scalefactors-panic.bin"))
}

func FuzzFLAC(f *testing.F) { seeds(f, fixture(f, "mono.flac"), unsaid(fixture(f, "stereo24.flac"))) }

// FuzzOgg mends the checksums, so that what it changes is looked at.
func FuzzOgg(f *testing.F) {
	for _, name := range []string{"mono.opus", "stereo.opus", "vorbis.ogg"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		unpackAny(t, data)
		unpackAny(t, mended(data))
	})
}

func mended(data []byte) []byte {
	data = append([]byte{}, data...)
	for at := 0; at+27 < len(data); at++ {
		if string(data[at:at+4]) != "OggS" {
			continue
		}
		head := 27 + int(data[at+26])
		if at+head > len(data) {
			break
		}
		size := head
		for _, n := range data[at+27 : at+head] {
			size += int(n)
		}
		if at+size > len(data) {
			break
		}
		sum := oggSum(data[at : at+size])
		for i := range 4 {
			data[at+22+i] = byte(sum >> (8 * i))
		}
	}
	return data
}
