package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"testing"
)

// fixture reads a file of testdata: half a second of 440 Hz, then half a second of 1 kHz,
// both at -6 dBFS, as LAME, flac and opusenc write it.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tones is what the fixtures hold, at a rate.
func tones(rate int) []float64 {
	s := make([]float64, rate)
	for i := range s {
		hz := 440.0
		if i >= rate/2 {
			hz = 1000
		}
		s[i] = 0.5 * math.Sin(2*math.Pi*hz*float64(i)/float64(rate))
	}
	return s
}

func chunk(id string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body)))
	b = append(b, body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// fmtChunk is a plain header's.
func fmtChunk(encoding, channels, rate, bits int) []byte {
	le := binary.LittleEndian
	width := (bits + 7) / 8
	b := le.AppendUint16(nil, uint16(encoding))
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*channels*width))
	b = le.AppendUint16(b, uint16(channels*width))
	return chunk("fmt ", le.AppendUint16(b, uint16(bits)))
}

// extensible is the same in an extensible header.
func extensible(encoding, channels, rate, bits int) []byte {
	b := fmtChunk(wavExtensible, channels, rate, bits)[8:]
	b = binary.LittleEndian.AppendUint16(b, 22)
	b = append(b, byte(bits), 0, 0, 0, 0, 0)
	b = append(binary.LittleEndian.AppendUint16(b, uint16(encoding)), wavGUID...)
	return chunk("fmt ", b)
}

func riffOf(chunks ...[]byte) []byte {
	body := append([]byte("WAVE"), bytes.Join(chunks, nil)...)
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body)))
	return append(b, body...)
}

// pcm packs samples of -1 to 1, the same in all channels.
func pcm(samples []float64, encoding, channels, bits int) []byte {
	var b []byte
	le := binary.LittleEndian
	for _, v := range samples {
		for range channels {
			switch {
			case encoding == wavFloat && bits == 64:
				b = le.AppendUint64(b, math.Float64bits(v))
			case encoding == wavFloat:
				b = le.AppendUint32(b, math.Float32bits(float32(v)))
			case encoding == wavALaw, encoding == wavMuLaw:
				b = append(b, nearest(v, encoding))
			case bits == 8:
				b = append(b, byte(math.Round(v*127)+128))
			case bits == 16:
				b = le.AppendUint16(b, uint16(int16(math.Round(v*32767))))
			case bits == 24:
				n := int32(math.Round(v * 8388607))
				b = append(b, byte(n), byte(n>>8), byte(n>>16))
			default:
				b = le.AppendUint32(b, uint32(int32(math.Round(v*2147483647))))
			}
		}
	}
	return b
}

// nearest is the byte of a companded scale that comes next to a value.
func nearest(v float64, encoding int) byte {
	scale := &aLaw
	if encoding == wavMuLaw {
		scale = &muLaw
	}
	best := 0
	for i := range scale {
		if math.Abs(float64(scale[i])-v) < math.Abs(float64(scale[best])-v) {
			best = i
		}
	}
	return byte(best)
}

// wavTones is the fixtures' sound in WAV.
func wavTones(encoding, channels, rate, bits int) []byte {
	return riffOf(fmtChunk(encoding, channels, rate, bits), chunk("data", pcm(tones(rate), encoding, channels, bits)))
}

// heard reads and unpacks a file.
func heard(t testing.TB, data []byte) (*File, []float32) {
	t.Helper()
	f, err := Read(data, "", Default())
	if err != nil {
		t.Fatal(err)
	}
	return f, all(t, f)
}

func all(t testing.TB, f *File) (pcm []float32) {
	t.Helper()
	if err := f.Unpack(context.Background(), func(block []float32) error { pcm = append(pcm, block...); return nil }); err != nil {
		t.Fatal(err)
	}
	return pcm
}

// level is how strong a tone is in a sound, by the Goertzel algorithm: 0.5 for one at
// -6 dBFS.
func level(pcm []float32, hz float64) float64 {
	var re, im float64
	for i, v := range pcm {
		s, c := math.Sincos(2 * math.Pi * hz * float64(i) / 16000)
		re, im = re+float64(v)*c, im+float64(v)*s
	}
	return 2 * math.Hypot(re, im) / float64(len(pcm))
}

// hasTones fails unless the sound is the fixtures'.
func hasTones(t testing.TB, pcm []float32) {
	t.Helper()
	if len(pcm) < 15900 || len(pcm) > 18400 { // MP3 is longer: an encoder's delay, whole frames
		t.Fatalf("%d samples at 16 kHz of a second", len(pcm))
	}
	a, b := pcm[2400:6400], pcm[10400:14400]
	for _, c := range []struct {
		name       string
		part       []float32
		hz, not    float64
		want, most float64
	}{{"the first half", a, 440, 1000, 0.5, 0.02}, {"the second half", b, 1000, 440, 0.5, 0.02}} {
		if got := level(c.part, c.hz); math.Abs(got-c.want) > 0.03 {
			t.Errorf("%s has %v Hz at %.3f, want %.3f", c.name, c.hz, got, c.want)
		}
		if got := level(c.part, c.not); got > c.most {
			t.Errorf("%s has %v Hz at %.3f, want none", c.name, c.not, got)
		}
	}
}
