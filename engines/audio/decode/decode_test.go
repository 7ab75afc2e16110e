package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		encoding, channels, rate, bits int
	}{
		{wavPCM, 1, 8000, 8},
		{wavPCM, 1, 16000, 16},
		{wavPCM, 2, 44100, 16},
		{wavPCM, 6, 48000, 24},
		{wavPCM, 1, 96000, 32},
		{wavFloat, 2, 22050, 32},
		{wavFloat, 1, 48000, 64},
		{wavALaw, 1, 8000, 8},
		{wavMuLaw, 2, 8000, 8},
	} {
		t.Run(fmt.Sprintf("0x%x, %d × %d bits at %d Hz", c.encoding, c.channels, c.bits, c.rate), func(t *testing.T) {
			f, pcm := heard(t, wavTones(c.encoding, c.channels, c.rate, c.bits))
			if f.Format != WAV || f.Channels != c.channels || f.SampleRate != c.rate || f.DurationMS != 1000 || f.Trailing != 0 {
				t.Errorf("facts %+v", f)
			}
			hasTones(t, pcm)
		})
	}
	f, pcm := heard(t, riffOf(extensible(wavPCM, 2, 48000, 16), chunk("data", wavData(2, 48000))))
	if f.Channels != 2 {
		t.Errorf("extensible: %d channels", f.Channels)
	}
	hasTones(t, pcm)
}

func wavData(channels, rate int) []byte { return pcm(tones(rate), wavPCM, channels, 16) }

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name, format   string
		channels, rate int
		from, to       int64 // ms
	}{
		{"mono32.mp3", MP3, 1, 32000, 1000, 1120},
		{"stereo44.mp3", MP3, 2, 44100, 1000, 1120},
		{"stereo16.mp3", MP3, 2, 16000, 1000, 1150},
		{"vbr22.mp3", MP3, 1, 22050, 1000, 1150},
		{"crc48.mp3", MP3, 1, 48000, 1000, 1120},
		{"mono.flac", FLAC, 1, 22050, 1000, 1000},
		{"stereo24.flac", FLAC, 2, 44100, 1000, 1000},
		{"mono.opus", OggOpus, 1, 48000, 1000, 1000},
		{"stereo.opus", OggOpus, 2, 48000, 1000, 1000},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := fixture(t, c.name)
			f, err := Read(data, "", Default())
			if err != nil {
				t.Fatal(err)
			}
			said := f.DurationMS
			pcm := all(t, f)
			if f.Format != c.format || f.Channels != c.channels || f.SampleRate != c.rate || f.DurationMS < c.from || f.DurationMS > c.to || f.DurationMS != said {
				t.Errorf("facts %+v; by the headers it lasts %d ms", f, said)
			}
			hasTones(t, pcm)
		})
	}
}

// TestALie gives sizes that are not so.
func TestALie(t *testing.T) {
	good := wavTones(wavPCM, 1, 16000, 16)
	set := func(at int, v uint32) []byte {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	le := binary.LittleEndian
	ds64 := chunk("ds64", append(le.AppendUint64(le.AppendUint64(nil, 0), 32000), make([]byte, 12)...))
	rf64 := riffOf(ds64, fmtChunk(wavPCM, 1, 16000, 16), set(40, 0xffffffff)[36:])
	copy(rf64, "RF64")
	hole := bytes.Clone(rf64) // a size of 2^63
	le.PutUint64(hole[12+8+8:], 1<<63)
	for name, data := range map[string][]byte{
		"all ones":                set(40, 0xffffffff),
		"no size":                 set(40, 0),
		"more than there is":      set(40, 1<<31),
		"RIFF of 4 bytes":         set(4, 4),
		"RF64":                    rf64,
		"RF64 of half the world":  hole,
		"a chunk before fmt":      riffOf(chunk("JUNK", make([]byte, 28)), good[12:36], good[36:]),
		"an odd chunk, padded":    riffOf(good[12:36], chunk("bext", make([]byte, 603)), good[36:]),
		"an odd chunk, no pad":    riffOf(good[12:36], chunk("bext", make([]byte, 603))[:8+603], good[36:]),
		"tags behind":             append(bytes.Clone(good), chunk("LIST", []byte("INFOISFT"))...),
		"an odd byte at its end":  append(bytes.Clone(set(40, 0xffffffff)), 7),
		"a FLAC of no length":     unsaid(fixture(t, "mono.flac")),
		"an Opus file with noise": append(bytes.Clone(fixture(t, "mono.opus")), "not a page"...),
	} {
		t.Run(name, func(t *testing.T) {
			_, pcm := heard(t, data)
			hasTones(t, pcm)
		})
	}
}

// unsaid is a FLAC file that does not say how long it is.
func unsaid(b []byte) []byte {
	b = bytes.Clone(b)
	b[8+13] &= 0xf0
	clear(b[8+14 : 8+18])
	return b
}

func TestRefused(t *testing.T) {
	lim := Default()
	lim.Bytes = 64 << 20
	for _, c := range []struct {
		name  string
		data  []byte
		claim string
		kind  engines.RefusalKind
		says  string
	}{
		{"nothing", nil, "", engines.RefusedDamage, "empty"},
		{"a picture", []byte("\x89PNG\r\n\x1a\n0000"), "", engines.RefusedFormat, "PNG"},
		{"words", []byte("hello, this is text"), "", engines.RefusedFormat, Supported},
		{"Vorbis", fixture(t, "vorbis.ogg"), "", engines.RefusedFormat, "Vorbis in Ogg; " + Supported},
		{"FLAC in Ogg", fixture(t, "flac.ogg"), "", engines.RefusedFormat, "FLAC in Ogg"},
		{"six channels of Opus", oggPageOf(oggBegins, 0, 0, append(opusHeadOf(6, 0, 0)[:18], 1, 4, 2, 0, 4, 1, 2, 3, 5)), "", engines.RefusedFormat, "6 channels (mapping family 1)"},
		{"MPEG-2.5", fixture(t, "mpeg25.mp3"), "", engines.RefusedFormat, "MPEG-2.5"},
		{"layer II", []byte("\xff\xfd\x90\x00" + strings.Repeat("\x00", 600)), "", engines.RefusedFormat, "layer II;"},
		{"AAC", []byte("\xff\xf1\x50\x80\x02\x1f\xfc\x00\x00\x00"), "", engines.RefusedFormat, "AAC"},
		{"AAC in MP4", []byte("\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00"), "", engines.RefusedFormat, "AAC in MP4"},
		{"AMR", []byte("#!AMR\n\x3c\x00"), "", engines.RefusedFormat, "AMR"},
		{"MIDI", []byte("MThd\x00\x00\x00\x06\x00\x01"), "", engines.RefusedFormat, "MIDI"},
		{"RIFX", []byte("RIFX\x00\x00\x00\x04WAVEfmt "), "", engines.RefusedFormat, "RIFF that is no WAV"},
		{"another type", wavTones(wavPCM, 1, 8000, 16), "audio/mpeg", engines.RefusedFormat, `said to be "audio/mpeg", and is WAV`},
		{"no channels", riffOf(fmtChunk(wavPCM, 0, 8000, 16), chunk("data", make([]byte, 80))), "", engines.RefusedDamage, "0 channels"},
		{"256 channels", riffOf(fmtChunk(wavPCM, 256, 8000, 16), chunk("data", make([]byte, 5120))), "", engines.RefusedFormat, "256 channels; at most 8"},
		{"no rate", riffOf(fmtChunk(wavPCM, 1, 0, 16), chunk("data", make([]byte, 80))), "", engines.RefusedDamage, "0 Hz"},
		{"a rate of 4 GHz", riffOf(fmtChunk(wavPCM, 1, 0xffffffff, 16), chunk("data", make([]byte, 80))), "", engines.RefusedFormat, "4294967295 Hz"},
		{"ADPCM", riffOf(fmtChunk(0x11, 1, 8000, 4), chunk("data", make([]byte, 80))), "", engines.RefusedFormat, "IMA ADPCM"},
		{"a wrong row", riffOf(append(fmtChunk(wavPCM, 2, 8000, 16)[:20], 3, 0, 16, 0), chunk("data", make([]byte, 80))), "", engines.RefusedDamage, "3 bytes for 2 samples"},
		{"no fmt", riffOf(chunk("data", make([]byte, 80))), "", engines.RefusedDamage, "no fmt chunk before"},
		{"no data", riffOf(fmtChunk(wavPCM, 1, 8000, 16)), "", engines.RefusedDamage, "no data chunk"},
		{"eight hours of silence", eightHours(), "", engines.RefusedSize, "lasts 28800 s; at most 900"},
		{"eight hours of FLAC", longFLAC(t), "", engines.RefusedSize, "lasts 28800 s; at most 900"},
		{"eight hours of Opus", longOpus(), "", engines.RefusedSize, "lasts 28800 s; at most 900"},
		{"a sound and an archive", append(wavTones(wavPCM, 1, 8000, 16), zip()...), "", engines.RefusedFormat, "ZIP archive as well"},
		{"a sound and a page", append(bytes.Clone(fixture(t, "mono32.mp3")), "<script>alert(1)</script>"...), "", engines.RefusedFormat, "behind the sound's end"},
		{"tags alone", append([]byte("ID3\x04\x00\x00\x00\x00\x00\x0a"), make([]byte, 10)...), "", engines.RefusedDamage, "no whole MP3 frame"},
		{"a tag of 256 MB", []byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7f"), "", engines.RefusedDamage, "no whole MP3 frame"},
		{"FLAC, no frame", fixture(t, "mono.flac")[:42], "", engines.RefusedDamage, "metadata"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.data, c.claim, lim)
			r := (*engines.Refusal)(nil)
			if !errors.As(err, &r) {
				t.Fatalf("%v is no refusal", err)
			}
			if r.Kind != c.kind || !strings.Contains(r.Reason, c.says) {
				t.Errorf("refused as %v, want %v: %q", r, c.kind, c.says)
			}
		})
	}
}

// eightHours is a WAV file of 8 hours with all its bytes.
func eightHours() []byte {
	return riffOf(fmtChunk(wavALaw, 1, 2000, 8), chunk("data", make([]byte, 8*3600*2000)))
}

// TestEndsEarly cuts files off: what is whole is heard.
func TestEndsEarly(t *testing.T) {
	for _, name := range []string{"mono.flac", "stereo44.mp3", "vbr22.mp3"} {
		data := fixture(t, name)
		_, pcm := heard(t, data[:len(data)*9/10])
		if len(pcm) < 9600 || len(pcm) > 16500 || level(pcm[2400:6400], 440) < 0.47 {
			t.Errorf("%s: %d samples, 440 Hz at %.3f", name, len(pcm), level(pcm[2400:6400], 440))
		}
	}
}

func longFLAC(t *testing.T) []byte {
	b := unsaid(fixture(t, "mono.flac"))
	n := uint64(8 * 3600 * 22050)
	b[8+13] |= byte(n >> 32)
	binary.BigEndian.PutUint32(b[8+14:], uint32(n))
	return b
}

func zip() []byte { return append([]byte("PK\x05\x06"), make([]byte, 18)...) }

// oggPageOf packs packets into a page.
func oggPageOf(flags byte, granule int64, seq int, packets ...[]byte) []byte {
	var lacing, body []byte
	for _, p := range packets {
		for n := len(p); ; n -= 255 {
			if n < 255 {
				lacing = append(lacing, byte(n))
				break
			}
			lacing = append(lacing, 255)
		}
		body = append(body, p...)
	}
	le := binary.LittleEndian
	b := append([]byte("OggS\x00"), flags)
	b = le.AppendUint64(b, uint64(granule))
	b = le.AppendUint32(b, 7)
	b = le.AppendUint32(b, uint32(seq))
	b = append(le.AppendUint32(b, 0), byte(len(lacing)))
	b = append(append(b, lacing...), body...)
	le.PutUint32(b[22:], oggSum(b))
	return b
}

func opusHeadOf(channels, skip, gain int) []byte {
	le := binary.LittleEndian
	b := append([]byte("OpusHead\x01"), byte(channels))
	b = le.AppendUint32(le.AppendUint16(b, uint16(skip)), 48000)
	return append(le.AppendUint16(b, uint16(int16(gain))), 0)
}

// longOpus is 8 hours in packets of 120 ms and 8 bytes.
func longOpus() []byte {
	packet := append([]byte{0x1b, 0x02}, make([]byte, 6)...) // SILK, 60 ms, two frames of one rate
	b := append(oggPageOf(oggBegins, 0, 0, opusHeadOf(1, 0, 0)), oggPageOf(0, 0, 1, []byte("OpusTags"))...)
	page := make([][]byte, 250)
	for i := range page {
		page[i] = packet
	}
	for n := 0; n < 8*3600*1000; n += 250 * 120 {
		b = append(b, oggPageOf(0, int64(n)*48, 2+n, page...)...)
	}
	return b
}

// TestLongerThanItSays decodes a sound whose header says nothing, to its limit.
func TestLongerThanItSays(t *testing.T) {
	lim := Default()
	lim.Duration = 600 * time.Millisecond
	f, err := Read(unsaid(fixture(t, "mono.flac")), "", lim)
	if err != nil {
		t.Fatal(err)
	}
	if f.DurationMS != 0 {
		t.Errorf("by its header it lasts %d ms, want 0, as it does not say", f.DurationMS)
	}
	err = f.Unpack(t.Context(), func([]float32) error { return nil })
	if r := (*engines.Refusal)(nil); !errors.As(err, &r) || r.Kind != engines.RefusedSize {
		t.Errorf("got %v, want a refusal for its length", err)
	}
}

// TestOpposites has two channels that are each other's opposite, as a listener hears
// them and a mean does not.
func TestOpposites(t *testing.T) {
	var data []byte
	for _, v := range tones(16000) {
		data = binary.LittleEndian.AppendUint16(data, uint16(int16(v*32767)))
		data = binary.LittleEndian.AppendUint16(data, uint16(int16(-v*32767)))
	}
	_, pcm := heard(t, riffOf(fmtChunk(wavPCM, 2, 16000, 16), chunk("data", data)))
	hasTones(t, pcm)
}

func TestNoNumbers(t *testing.T) {
	var data []byte
	for i := range 1600 {
		v := float32(math.NaN())
		if i%2 == 0 {
			v = float32(math.Inf(1 - i%4))
		}
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	_, pcm := heard(t, riffOf(fmtChunk(wavFloat, 1, 8000, 32), chunk("data", data)))
	for i, v := range pcm {
		if !(v >= -1 && v <= 1) {
			t.Fatalf("sample %d is %v", i, v)
		}
	}
}

// TestBadFrames breaks some frames of an MP3 file: what is around them is heard at its
// time.
func TestBadFrames(t *testing.T) {
	data := bytes.Clone(fixture(t, "crc48.mp3"))
	w := mpegWalk{data: data, at: skipID3(data)}
	w.first, _ = parseMPEG(data[w.at:])
	n := 0
	for frame := w.next(); frame != nil; frame = w.next() {
		if n++; n == 20 {
			for i := range frame[6:] {
				frame[6+i] = 0xff
			}
		}
	}
	f, pcm := heard(t, data)
	if f.DurationMS < 1000 || f.DurationMS > 1120 {
		t.Errorf("lasts %d ms", f.DurationMS)
	}
	if got := level(pcm[12000:15000], 1000); got < 0.45 {
		t.Errorf("behind the bad frame 1 kHz is at %.3f", got)
	}
}

func TestSkipAndGain(t *testing.T) {
	// The first packets of the fixture in a file of our own, twice: with 6 dB more, and
	// half a second skipped.
	var packets [][]byte
	w := opusWalk{data: fixture(t, "mono.opus")}
	for {
		p, _, err := w.step()
		if err != nil {
			t.Fatal(err)
		}
		if p != nil {
			packets = append(packets, bytes.Clone(p))
		} else if len(packets) > 0 {
			break
		}
	}
	one := func(skip, gain int) []byte {
		b := append(oggPageOf(oggBegins, 0, 0, opusHeadOf(1, skip, gain)), oggPageOf(0, 0, 1, []byte("OpusTags"))...)
		for i, p := range packets {
			b = append(b, oggPageOf(0, int64(i+1)*960, i+2, p)...)
		}
		return b
	}
	f, pcm := heard(t, append(one(24000, 0), one(24000, -6*256)...))
	want := int64(len(packets)*20-500) * 2
	if f.DurationMS != want || int64(len(pcm)) != want*16 {
		t.Fatalf("lasts %d ms, %d samples; want %d", f.DurationMS, len(pcm), want)
	}
	loud, soft := level(pcm[2400:6400], 1000), level(pcm[want*8+2400:want*8+6400], 1000)
	if math.Abs(loud-0.5) > 0.03 || math.Abs(soft-0.25) > 0.02 {
		t.Errorf("1 kHz at %.3f and, 6 dB lower, %.3f", loud, soft)
	}
}

func TestPeaks(t *testing.T) {
	quiet := make([]float32, 8000)
	loud := make([]float32, 8000)
	loud[100] = -0.5
	var p Peaks
	for range 3 {
		p.Push(quiet)
		p.Push(loud)
	}
	if got, want := p.Bytes(6), []byte{0, 128, 0, 128, 0, 128}; !bytes.Equal(got, want) {
		t.Errorf("peaks %v, want %v", got, want)
	}
	if got := len(p.Bytes(10000)); got != 600 {
		t.Errorf("%d parts of 3 s, want one for each 5 ms at most", got)
	}
}
