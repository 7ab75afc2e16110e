package voice

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pion/rtp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// count is a meter that counts what it hears.
type count struct{ samples, loud *atomic.Int64 }

func (c count) Push(pcm []float32) {
	c.samples.Add(int64(len(pcm)))
	for _, v := range pcm {
		if math.Abs(float64(v)) > 0.05 {
			c.loud.Add(1)
		}
	}
}
func (c count) Drain(dst []engines.Anomaly) []engines.Anomaly { return dst }

func counting() (count, Deps) {
	c := count{new(atomic.Int64), new(atomic.Int64)}
	return c, Deps{Meter: func(*engines.Item) Meter { return c }}
}

// more speaks until some 200 ms of the tone are heard beyond what was before.
func (c count) more(t *testing.T, from *caller.Client, before int64, what string) {
	t.Helper()
	eventually(t, what, func() bool {
		if err := from.Speak(t.Context(), read(t, "tone.opus")[:5], nil); err != nil {
			t.Fatal(err)
		}
		return c.loud.Load() > before+3000
	})
}

// begin sends silence until the first of it is heard: what comes before anybody listens
// is lost.
func begin(t *testing.T, c *caller.Client, heard count) {
	t.Helper()
	eventually(t, "the beginning", func() bool {
		if err := c.Send(caller.Packet{Data: silence, Samples: 960}); err != nil {
			t.Fatal(err)
		}
		return heard.samples.Load() > 0
	})
}

func value(t *testing.T, c prometheus.Collector) float64 {
	t.Helper()
	reg := prometheus.NewRegistry()
	reg.MustRegister(c)
	all, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	return all[0].GetMetric()[0].GetCounter().GetValue()
}

// Whatever a client calls Opus and however it wants it: it is heard, and asked for what
// we want.
func TestOffersOfAllKinds(t *testing.T) {
	for name, o := range map[string]caller.Options{
		"chromium":      {},
		"firefox":       {Type: 109, Format: "maxplaybackrate=48000;stereo=1;useinbandfec=1"},
		"type 96":       {Type: 96, Format: "minptime=10"},
		"no parameters": {Type: 120, Format: "x-none=1"},
	} {
		t.Run(name, func(t *testing.T) {
			heard, deps := counting()
			h := start(t, Default(), deps)
			o.Loopback = true
			c, err := caller.New(o)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			answer := negotiate(t, h, speaker("ann"), c)
			if !strings.Contains(answer, "usedtx=1") || !strings.Contains(answer, "maxaveragebitrate=24000") {
				t.Errorf("the answer asks for nothing:\n%s", answer)
			}
			connected(t, c)
			if err := c.Speak(t.Context(), read(t, "tone.opus")[:50], nil); err != nil {
				t.Fatal(err)
			}
			eventually(t, "a second of tone", func() bool { return heard.loud.Load() > 10_000 })
		})
	}
}

func TestOffersThatAreRefused(t *testing.T) {
	h := start(t, Default(), Deps{})
	for name, o := range map[string]caller.Options{"no audio": {Silent: true}, "listens alone": {Unheard: true}} {
		c, err := caller.New(o)
		if err != nil {
			t.Fatal(err)
		}
		offer, err := c.Offer()
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = h.Offer(t.Context(), speaker("ann"), offer)
		if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.InvalidParameter {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := h.Calls(); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// Packets that are lost and swapped on their way leave a sound as long as it was.
func TestLossAndReordering(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	c := dial(t, h, speaker("ann"))
	rnd := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // a test's
	list := read(t, "tone.opus")[:140]
	var held *rtp.Packet
	for i, p := range list {
		out := &rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: uint16(65_500 + i), Timestamp: uint32(i * 960)}, Payload: p.Data}
		switch {
		case i > 5 && i < 135 && rnd.IntN(20) == 0: // lost
		case held == nil && rnd.IntN(10) == 0:
			held = out
			continue
		default:
			if err := c.Write(out); err != nil {
				t.Fatal(err)
			}
		}
		if held != nil {
			if err := c.Write(held); err != nil {
				t.Fatal(err)
			}
			held = nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	want := int64(100 * 320) // the first may have come before anybody listened
	eventually(t, "all of it", func() bool { return heard.samples.Load() >= want })
	eventually(t, "a loss that was noticed", func() bool { return value(t, h.m.lost) > 0 })
	if loud, all := heard.loud.Load(), heard.samples.Load(); float64(loud) < .7*float64(all) {
		t.Errorf("%d of %d samples are loud", loud, all)
	}
}

// A pause that was not sent is time all the same; a packet of one byte and an empty one
// are no harm.
func TestPausesAndTinyPackets(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	c := dial(t, h, speaker("ann"))
	list := read(t, "tone.opus")
	begin(t, c, heard)
	before := heard.samples.Load()
	send := func(list []caller.Packet) {
		t.Helper()
		if err := c.Speak(t.Context(), list, nil); err != nil {
			t.Fatal(err)
		}
	}
	send(list[:20])
	c.Pause(48_000)
	send(list[20:40])
	for _, b := range [][]byte{{0xf8}, {0x78}, {}, {3}, {0xff, 0xff}} {
		if err := c.Send(caller.Packet{Data: b, Samples: 960}); err != nil {
			t.Fatal(err)
		}
	}
	send(list[40:60])
	eventually(t, "all of it", func() bool { return heard.samples.Load()-before >= 55*320+16_000 })
}

// Bytes of no meaning and a flood of them are survived; the call goes on.
func TestHostilePackets(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	c := dial(t, h, speaker("ann"))
	rnd := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // a test's
	seq := uint16(0)
	for i := range 3000 {
		// SRTP guesses the high half of the packet index from the numbers that arrive (RFC
		// 3711 §3.3.1): of a flood that leaps about, one lost packet would make the sender's
		// own key useless to it. So these go on by a little, with leaps that are new starts.
		if seq++; i%500 == 250 {
			seq += jump + 100
		}
		p := &rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: seq - uint16(rnd.IntN(20)), Timestamp: rnd.Uint32()}, Payload: junk(rnd)} //nolint:gosec // around the circle
		if err := c.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	before := heard.loud.Load()
	if err := c.Speak(t.Context(), read(t, "tone.opus")[:100], nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the tone after the noise", func() bool { return heard.loud.Load() > before+16_000 })
}

// A track has no SRTP in between: there the numbers may leap as they like.
func TestHostileFrames(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	who := speaker("ann")
	who.Session = "server"
	if err := h.Open(who, wire.VoiceTrack{Track: 3, Codec: wire.VoiceOpus}); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // a test's
	for range 3000 {
		f := &Frame{3, uint16(rnd.Uint32()), rnd.Uint32(), junk(rnd)} //nolint:gosec // the low half is what is wanted
		if err := h.Frame("server", AppendFrame(nil, f)); err != nil {
			t.Fatal(err)
		}
	}
	before := heard.loud.Load()
	for i, p := range read(t, "tone.opus")[:100] {
		if err := h.Frame("server", AppendFrame(nil, &Frame{3, uint16(i), uint32(i * 960), p.Data})); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	eventually(t, "the tone after the noise", func() bool { return heard.loud.Load() > before+16_000 })
}

// junk is what an engine of chance sends for sound.
func junk(rnd *rand.Rand) []byte {
	b := make([]byte, rnd.IntN(1100))
	for k := range b {
		b[k] = byte(rnd.Uint32())
	}
	return b
}

// A second offer of a session negotiates its call anew; a track that takes the place of
// the first is heard.
func TestRenegotiation(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	who := speaker("ann")
	c := dial(t, h, who)
	for range 3 {
		before := heard.loud.Load()
		if err := c.Speak(t.Context(), read(t, "tone.opus")[:30], nil); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the tone", func() bool { return heard.loud.Load() > before+5000 })
		if err := c.Track(); err != nil {
			t.Fatal(err)
		}
		negotiate(t, h, who, c)
	}
	if n := h.Calls(); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}

// A call that never connects ends in its time, and an address may not have many of them.
func TestSetupIsBounded(t *testing.T) {
	cfg := Default()
	cfg.Setup, cfg.PerAddress = 4*time.Second, 3 // the fourth asks before the first has had its time
	h := start(t, cfg, Deps{})
	c, err := caller.New(caller.Options{Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	offer, err := c.Offer()
	if err != nil {
		t.Fatal(err)
	}
	offer = strings.ReplaceAll(offer, "a=candidate", "a=x-candidate") // it never says where it is
	ask := func(name string) error {
		who := speaker(name)
		who.From = netip.MustParseAddr("192.0.2.7")
		_, _, err := h.Offer(t.Context(), who, offer)
		return err
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := ask(name); err != nil {
			t.Fatal(err)
		}
	}
	if e, ok := errors.AsType[*wire.Error](ask("d")); !ok || e.Code != wire.RateLimited {
		t.Errorf("a fourth call of the address: %v", e)
	}
	eventually(t, "the end of all", func() bool { return h.Calls() == 0 })
	if err := ask("e"); err != nil {
		t.Errorf("after the others have ended: %v", err)
	}
}

// Who is banned or erased has no call left, whatever it came over, and who is banned while
// a call is set up gets none.
func TestDismissEndsEveryCall(t *testing.T) {
	_, deps := counting()
	out := &banned{who: "ann"}
	deps.Bans = out
	h := start(t, Default(), deps)
	dial(t, h, speaker("ann"))
	bridge := &session.Speaker{App: "app", Player: "ann", Scene: "lobby", Session: "server"}
	if err := h.Open(bridge, wire.VoiceTrack{Track: 1, Player: "ann", Scene: "lobby", Codec: wire.VoicePCM, Rate: 16000}); err != nil {
		t.Fatal(err)
	}
	door, err := h.Door(&session.Speaker{App: "app", Player: "ann", Scene: "lobby"}, 48000, 2)
	if err != nil {
		t.Fatal(err)
	}
	hung := make(chan struct{})
	if _, err := h.Enter(door, func() { close(hung) }); err != nil {
		t.Fatal(err)
	}
	dial(t, h, speaker("bob"))
	if n := h.Calls(); n != 4 {
		t.Fatalf("%d calls", n)
	}
	h.Dismiss("app", "ann")
	select {
	case <-hung:
	case <-time.After(within):
		t.Fatal("the egress was not hung up")
	}
	eventually(t, "the end of ann's calls", func() bool { return h.Calls() == 1 })

	out.after.Store(1) // the second question: the first was answered before the ban came
	err = h.Open(bridge, wire.VoiceTrack{Track: 2, Player: "ann", Scene: "lobby", Codec: wire.VoicePCM, Rate: 16000})
	if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.Forbidden {
		t.Errorf("a call that is opened as the ban comes: %v", err)
	}
	eventually(t, "the end of that call", func() bool { return h.Calls() == 1 })
}

// A mute ends the call at once, tells the player, and refuses the next offer.
func TestMuteEndsTheCall(t *testing.T) {
	heard, deps := counting()
	muted, told := &mutes{}, &ears{}
	deps.Mutes, deps.Sessions = muted, told
	h := start(t, Default(), deps)
	who := speaker("ann")
	c := dial(t, h, who)
	if err := c.Speak(t.Context(), read(t, "tone.opus")[:20], nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the tone", func() bool { return heard.loud.Load() > 1000 })
	until := time.Now().Add(time.Hour)
	muted.set(until)
	h.Mute(who.App, who.Player, until)
	eventually(t, "the end of the call", func() bool { return h.Calls() == 0 })
	if all := told.all(); len(all) != 1 || !strings.HasPrefix(all[0], `{"type":"voice.mute","scene_id":"lobby","until":"`) {
		t.Errorf("told %q", all)
	}
	again, err := caller.New(caller.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	offer, err := again.Offer()
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = h.Offer(t.Context(), who, offer)
	if e, ok := errors.AsType[*wire.Error](err); !ok || e.Code != wire.Forbidden || !strings.Contains(e.Message, "voice is muted") {
		t.Errorf("an offer of the muted: %v", err)
	}
}

// After many calls, of which some never connected and some vanished, nothing is left.
func TestNothingIsLeft(t *testing.T) {
	cfg := Default()
	cfg.Setup, cfg.PerAddress = 5*time.Second, 100
	h := start(t, cfg, Deps{})
	time.Sleep(50 * time.Millisecond)
	before := runtime.NumGoroutine()
	list := read(t, "tone.opus")[:10]
	for i := range 12 {
		c, err := caller.New(caller.Options{Loopback: true})
		if err != nil {
			t.Fatal(err)
		}
		who := speaker(string(rune('a' + i)))
		offer, err := c.Offer()
		if err != nil {
			t.Fatal(err)
		}
		answer, _, err := h.Offer(t.Context(), who, offer)
		if err != nil {
			t.Fatal(err)
		}
		if i%3 != 0 { // else it vanishes before it has the answer
			if err := c.Answer(answer); err != nil {
				t.Fatal(err)
			}
			connected(t, c)
			if err := c.Speak(t.Context(), list, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if i%3 == 1 {
			h.Left(who.Session)
		}
	}
	eventually(t, "the end of all calls", func() bool { return h.Calls() == 0 })
	eventually(t, "goroutines as before", func() bool { return runtime.NumGoroutine() <= before+5 })
}

// A game server's tracks and an egress are heard like calls.
func TestBridgeAndEgress(t *testing.T) {
	heard, deps := counting()
	h := start(t, Default(), deps)
	who := speaker("ann")
	who.Session = "server"
	if err := h.Open(who, wire.VoiceTrack{Track: 3, Codec: wire.VoiceOpus}); err != nil {
		t.Fatal(err)
	}
	for i, p := range read(t, "tone.opus")[:50] {
		if err := h.Frame("server", AppendFrame(nil, &Frame{3, uint16(i), uint32(i * 960), p.Data})); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "a second of Opus", func() bool { return heard.loud.Load() > 14_000 })
	if err := h.Frame("server", AppendFrame(nil, &Frame{4, 0, 0, nil})); err == nil {
		t.Error("a track that is not open is heard")
	}
	if err := h.CloseTrack("server", 3); err != nil {
		t.Error(err)
	}
	eventually(t, "the end of the track", func() bool { return h.Calls() == 0 })

	before := heard.loud.Load()
	id, err := h.Door(who, 48_000, 2)
	if err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	ended.Add(1)
	e, err := h.Enter(id, ended.Done)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Enter(id, nil); err == nil {
		t.Error("an address was used twice")
	}
	frame := make([]byte, 0, 4*4800)
	for range 4800 {
		frame = append(frame, 0, 64, 0, 64) // both channels at half
	}
	for i := range 10 {
		odd := i%2*2 + 1 // a frame need not end with a sample
		e.Sound(frame[:len(frame)-odd])
		e.Sound(frame[len(frame)-odd:])
	}
	e.Mute(true)
	e.Sound(frame)
	eventually(t, "a second of PCM", func() bool { return heard.loud.Load() >= before+16_000 })
	e.End()
	ended.Wait()
	if got := heard.loud.Load() - before; got > 16_500 {
		t.Errorf("%d loud samples, want a second of them", got)
	}
}

// A desk that takes long holds up no packet; of the windows that wait the newest are kept.
func TestNoPacketWaitsForTheDesk(t *testing.T) {
	heard, deps := counting()
	hold := make(chan struct{})
	var asked atomic.Int64
	deps.Desk = deskFunc(func(ctx context.Context, _ *engines.Item) (engines.Outcome, error) {
		asked.Add(1)
		select {
		case <-hold:
		case <-ctx.Done():
		}
		return engines.Outcome{}, nil
	})
	deps.Speech = func(told func(Edge)) Speech { return &energy{told: told} }
	h := start(t, Default(), deps)
	c := dial(t, h, speaker("ann"))
	list := read(t, "tone.opus")
	if err := c.Speak(t.Context(), list[:150], nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the packets", func() bool { return heard.samples.Load() >= 110*320 })
	if n := asked.Load(); n != 1 {
		t.Errorf("%d windows of one call at the desk, want 1", n)
	}
	close(hold)
}

type deskFunc func(context.Context, *engines.Item) (engines.Outcome, error)

func (f deskFunc) Check(ctx context.Context, it *engines.Item) (engines.Outcome, error) {
	return f(ctx, it)
}
