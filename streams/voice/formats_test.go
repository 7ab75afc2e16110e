package voice

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/pion/sdp/v3"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// A clip has the packets as they came, byte for byte, and as much time.
func TestClipHasThePacketsAsTheyCame(t *testing.T) {
	sent := read(t, "speech.opus")
	var a archive
	at := int64(0)
	for _, p := range sent {
		a.put(piece{at, int32(p.Samples / 3), p.Data})
		at += int64(p.Samples / 3)
	}
	file, mime := a.clip(2000, 4000)
	if mime != "audio/ogg" {
		t.Errorf("type %s", mime)
	}
	got, err := caller.ReadOgg(file)
	if err != nil {
		t.Fatal(err)
	}
	const before = 80 / 20 // packets for the decoder to converge, which players leave out
	if want := 2000/20 + before; len(got) != want {
		t.Fatalf("%d packets, want %d", len(got), want)
	}
	for i, p := range got {
		if !bytes.Equal(p.Data, sent[2000/20-before+i].Data) {
			t.Fatalf("packet %d is another one", i)
		}
	}
	if got := caller.Skip(file); got != 80*48 {
		t.Errorf("players leave out %d samples, want %d", got, 80*48)
	}
	if none, _ := a.clip(60_000, 61_000); none != nil {
		t.Error("there is a clip of what was never said")
	}
}

// Silence that was not sent takes its time in a clip.
func TestClipFillsPauses(t *testing.T) {
	sent := read(t, "speech.opus")[:100]
	var a archive
	at := int64(0)
	for i, p := range sent {
		if i == 50 {
			at += 16_000 // a second
		}
		a.put(piece{at, int32(p.Samples / 3), p.Data})
		at += int64(p.Samples / 3)
	}
	file, _ := a.clip(0, 3000)
	got, err := caller.ReadOgg(file)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, p := range got {
		total += p.Samples
	}
	if want := 3 * 48_000; total != want {
		t.Errorf("the clip has %d samples, want %d", total, want)
	}
	if !bytes.Equal(got[50].Data, silence) || !bytes.Equal(got[99].Data, silence) || bytes.Equal(got[100].Data, silence) {
		t.Error("the pause is not where it was")
	}
}

// The archive has what it is to keep, byte for byte, and forgets what is older, a page at
// a time. What it holds is not much more than the packets.
func TestArchiveForgets(t *testing.T) {
	var a archive
	const packets = 5000
	payload := func(i int64) []byte { return bytes.Repeat([]byte{byte(i)}, int(1+i%121)) }
	for i := range int64(packets) {
		a.put(piece{i * 320, 320, payload(i)})
	}
	list := a.between(0, packets*20)
	const page = pageSize / (60 + pieceHead) // of packets of the mean length
	if n := len(list); n < keptMS/20 || n > keptMS/20+2*page {
		t.Errorf("%d packets are kept", n)
	}
	for i, p := range list {
		if n := int64(packets - len(list) + i); p.at != n*320 || p.samples != 320 || !bytes.Equal(p.payload, payload(n)) {
			t.Fatalf("packet %d is at %d with %d bytes", n, p.at, len(p.payload))
		}
	}
	if some := a.between(99_000, 99_100); len(some) != 5 || some[0].at != 99_000*perMS {
		t.Errorf("a tenth of a second has %d packets", len(some))
	}
	room := 0
	for _, g := range a.pages {
		room += cap(g.data)
	}
	if most := (len(list) + 2*page) * (61 + pieceHead) * 11 / 10; room > most {
		t.Errorf("room for %d bytes, want %d at most", room, most)
	}
}

// Packets that are many for their time, and blocks longer than a page, are bounded too.
func TestArchiveIsBounded(t *testing.T) {
	var a archive
	for i := range int64(3 * mostKept) {
		a.put(piece{i * 40, 40, []byte{0xe0, 1}})
	}
	if n := len(a.between(0, 1<<40)); n > mostKept || n < mostKept-pageSize/(2+pieceHead) {
		t.Errorf("%d packets are kept", n)
	}
	long := archive{pcm: true}
	for i := range int64(100) {
		long.put(piece{i * 16_000, 16_000, bytes.Repeat([]byte{1, 0}, 16_000)})
	}
	if n := len(long.between(0, 1<<40)); n < keptMS/1000 || n > keptMS/1000+2 {
		t.Errorf("%d blocks are kept", n)
	}
}

func TestPCMClipIsAWaveFile(t *testing.T) {
	a := archive{pcm: true}
	for i := range int64(100) {
		if i != 50 { // one block is missing
			a.put(piece{i * 320, 320, bytes.Repeat([]byte{1, 0}, 320)})
		}
	}
	file, mime := a.clip(500, 1500)
	if mime != "audio/wav" || len(file) != 44+2*16_000 || string(file[:4]) != "RIFF" {
		t.Fatalf("%s of %d bytes", mime, len(file))
	}
	if gap := file[44+2*50*320-2*8000:][:640]; !bytes.Equal(gap, make([]byte, 640)) {
		t.Error("what is missing is no silence")
	}
}

// What we ask of a client stands in the answer, whatever payload type and parameters it
// offered.
func TestAskFor(t *testing.T) {
	const head = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF %PT\r\nc=IN IP4 0.0.0.0\r\na=recvonly\r\na=rtpmap:%PT opus/48000/2\r\n"
	for name, c := range map[string]struct{ pt, fmtp, want string }{
		"chromium": {"111", "a=fmtp:111 minptime=10;useinbandfec=1\r\n", "minptime=10;useinbandfec=1;usedtx=1;stereo=0;maxaveragebitrate=24000;maxplaybackrate=16000"},
		"firefox":  {"109", "a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1\r\n", "useinbandfec=1;usedtx=1;stereo=0;maxaveragebitrate=24000;maxplaybackrate=16000"},
		"spaces":   {"96", "a=fmtp:96 stereo=1; sprop-stereo=1\r\n", " sprop-stereo=1;useinbandfec=1;usedtx=1;stereo=0;maxaveragebitrate=24000;maxplaybackrate=16000"},
		"none":     {"98", "", "useinbandfec=1;usedtx=1;stereo=0;maxaveragebitrate=24000;maxplaybackrate=16000"},
	} {
		got, err := askFor(strings.ReplaceAll(head, "%PT", c.pt)+c.fmtp, 24_000)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var d sdp.SessionDescription
		if err := d.UnmarshalString(got); err != nil {
			t.Fatal(err)
		}
		v, _ := d.MediaDescriptions[0].Attribute("fmtp")
		if want := c.pt + " " + c.want; v != want {
			t.Errorf("%s: %q, want %q", name, v, want)
		}
	}
}

func TestCheckOffer(t *testing.T) {
	const head = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
	const audio = "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\n"
	for name, c := range map[string]struct {
		sdp, want string // "" is taken
	}{
		"opus":            {head + audio, ""},
		"with video":      {head + audio + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\n", ""},
		"nothing":         {"", "no audio that is Opus"},
		"noise":           {"\x00\xff", "can be read"},
		"no media":        {head, "no audio that is Opus"},
		"video alone":     {head + "m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\n", "no audio that is Opus"},
		"another codec":   {head + "m=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=rtpmap:0 PCMU/8000\r\n", "no audio that is Opus"},
		"switched off":    {head + strings.Replace(audio, "m=audio 9", "m=audio 0", 1), "no audio that is Opus"},
		"listens alone":   {head + audio + "a=recvonly\r\n", "does not send"},
		"inactive":        {head + audio + "a=inactive\r\n", "does not send"},
		"many sections":   {head + strings.Repeat(audio, 17), "more than 16 media sections"},
		"many candidates": {head + audio + strings.Repeat("a=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n", 33), "more than 32 candidates"},
		"long":            {head + strings.Repeat("a=x\r\n", 20_000), "at most"},
	} {
		err := checkOffer(c.sdp, false)
		e, _ := errors.AsType[*wire.Error](err)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (e == nil || !strings.Contains(e.Message+reasons(e), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// No offer makes a reader fail, what is refused is told as a client's fault, and what is
// taken can be asked for our way.
func FuzzOffer(f *testing.F) {
	const head = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
	f.Add(head + "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\na=fmtp:111 stereo=1; x\r\n")
	f.Add(head + "m=audio 9 UDP/TLS/RTP/SAVPF 0 96\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:96 OPUS/48000\r\na=fmtp:96 ;;=;\r\nm=video 0 x 1\r\n")
	f.Add("m=audio")
	f.Fuzz(func(t *testing.T, offer string) {
		for _, relayed := range []bool{false, true} {
			err := checkOffer(offer, relayed)
			if _, ok := errors.AsType[*wire.Error](err); err != nil && !ok {
				t.Fatalf("%v is nobody's fault", err)
			}
			if err != nil {
				continue
			}
			if asked, err := askFor(offer, 24_000); err != nil || !strings.Contains(asked, "maxaveragebitrate=24000") {
				t.Errorf("%q is asked for as %q, %v", offer, asked, err)
			}
		}
	})
}

func reasons(e *wire.Error) string {
	var all strings.Builder
	for _, f := range e.Fields {
		all.WriteString(" " + f.Reason)
	}
	return all.String()
}

func TestReadFrame(t *testing.T) {
	f := Frame{Track: 7, Seq: 0xfffe, Time: 0xdeadbeef, Payload: []byte{1, 2, 3}}
	b := AppendFrame(nil, &f)
	if want := []byte{1, 7, 0xff, 0xfe, 0xde, 0xad, 0xbe, 0xef, 1, 2, 3}; !bytes.Equal(b, want) {
		t.Fatalf("% x, want % x", b, want)
	}
	got, err := ReadFrame(b)
	if err != nil || got.Track != f.Track || got.Seq != f.Seq || got.Time != f.Time || !bytes.Equal(got.Payload, f.Payload) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, b := range map[string][]byte{"empty": nil, "short": b[:7], "version 2": append([]byte{2}, b[1:]...), "long": make([]byte, mostFrame+9)} {
		if len(b) > 100 {
			b[0] = 1
		}
		if _, err := ReadFrame(b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzFrame: what comes over a socket is read or refused, and heard without harm.
func FuzzFrame(f *testing.F) {
	f.Add([]byte{1, 0, 0, 1, 0, 0, 0, 1, 0xf8, 0xff, 0xfe})
	f.Add([]byte{1, 0, 0, 1, 0, 0, 0, 1})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, err := ReadFrame(b)
		if err != nil {
			return
		}
		if !bytes.Equal(AppendFrame(nil, &frame), b) {
			t.Fatalf("% x is written another way", b)
		}
		if n := opusSamples(frame.Payload); n < 0 || n > 5760 {
			t.Fatalf("%d samples", n)
		}
	})
}

// FuzzEar: packets of any bytes, numbers and times end no process and take no time.
func FuzzEar(f *testing.F) {
	b, err := os.ReadFile("testdata/tone.opus")
	if err != nil {
		f.Fatal(err)
	}
	list, err := caller.ReadOgg(b)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(list[0].Data, uint64(1))
	f.Add([]byte{0xf8, 0xff, 0xfe}, uint64(2))
	f.Add([]byte{3}, uint64(3))
	cfg := Default()
	cfg.Listen = Off
	h, err := New(cfg, "", Deps{Desk: &desk{}, Meter: func(*engines.Item) Meter { return &loudness{} }, Resampler: func(int, int) Resampler { return same{3} }}, nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, payload []byte, seed uint64) {
		sound, err := newOpus()
		if err != nil {
			t.Fatal(err)
		}
		c := h.newCall(speaker("x"), sound)
		rnd := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test's
		for range 20 {
			p := packet{source: rnd.Uint32N(2), seq: uint16(rnd.UintN(64)), ts: rnd.Uint32N(100_000), payload: bytes.Clone(payload)}
			if len(p.payload) > 0 && rnd.IntN(2) == 0 {
				p.payload[rnd.IntN(len(p.payload))] = byte(rnd.Uint32())
			}
			c.ring.put(p)
			c.ear.hear()
		}
		if file, _ := c.archive.clip(c.archive.start(0, 1<<40), 1<<40); file != nil {
			if _, err := caller.ReadOgg(file); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// What a call was flagged for is not flagged again, but for what is graver, surer,
// elsewhere, or another noise.
func TestSift(t *testing.T) {
	c := &Call{}
	at := func(from, to int64) *engines.Place { return &engines.Place{AtMS: from, EndMS: to} }
	first := sifter{call: c, window: &window{fromMS: 0, toMS: 1000}}
	threat := engines.Signal{Category: engines.Violence, SubLabel: "threat", Severity: 3, Confidence: .6, Place: at(400, 900)}
	loud := engines.Signal{Category: engines.Acoustic, SubLabel: "loud", Severity: 1, Confidence: 1, Place: at(0, 1000)}
	weak := engines.Signal{Category: engines.Spam, Severity: 1, Confidence: .1}
	if got := first.sift([]engines.Signal{threat, loud, weak}); len(got) != 3 {
		t.Fatalf("the first window has %d signals left, want 3", len(got))
	}
	first.flagged(&engines.Finding{Labels: []engines.Label{{Category: engines.Violence, SubLabel: "threat"}, {Category: engines.Acoustic, SubLabel: "loud"}}})
	change := func(s engines.Signal, f func(*engines.Signal)) engines.Signal { f(&s); return s }
	for name, c2 := range map[string]struct {
		s    engines.Signal
		left int
	}{
		"again":                {threat, 0},
		"a little elsewhere":   {change(threat, func(s *engines.Signal) { s.Place = at(350, 1000) }), 0},
		"another sub-label":    {change(threat, func(s *engines.Signal) { s.SubLabel = "" }), 0},
		"surer":                {change(threat, func(s *engines.Signal) { s.Confidence = .9 }), 1},
		"graver":               {change(threat, func(s *engines.Signal) { s.Severity = 4 }), 1},
		"later":                {change(threat, func(s *engines.Signal) { s.Place = at(2000, 2500) }), 1},
		"another category":     {change(threat, func(s *engines.Signal) { s.Category = engines.Hate }), 1},
		"loud again":           {loud, 0},
		"another noise":        {change(loud, func(s *engines.Signal) { s.SubLabel = "tone" }), 1},
		"what was not flagged": {weak, 1},
	} {
		s := sifter{call: c, window: &window{fromMS: 0, toMS: 1400}}
		if got := s.sift([]engines.Signal{c2.s}); len(got) != c2.left {
			t.Errorf("%s: %d left, want %d", name, len(got), c2.left)
		}
	}
}
