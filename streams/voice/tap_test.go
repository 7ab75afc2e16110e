package voice

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// The packets of a call are taken where they are read, from where their numbers begin anew
// too; where a client has us be the client of the handshake, Pion decrypts them. Either way
// it is told what was lost.
func TestTap(t *testing.T) {
	const here = "127.0.0.1:0"
	for name, has := range map[string]struct{ setup, at string }{
		"server": {"actpass", here}, "insisting": {"active", here}, "client": {"passive", here}, "IPv6": {"actpass", "[::1]:0"},
	} {
		t.Run(name, func(t *testing.T) {
			heard, deps := counting()
			cfg := Default()
			cfg.Listen = has.at
			_ = listenUDP(t, has.at) // skips where there is no IPv6
			h := start(t, cfg, deps)
			told := make(chan rtcp.ReceptionReport, 100)
			c, err := caller.New(caller.Options{Loopback: true, Told: func(b []byte) {
				var r rtcp.ReceiverReport
				if r.Unmarshal(b) == nil && len(r.Reports) == 1 {
					select {
					case told <- r.Reports[0]:
					default:
					}
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			offer, err := c.Offer()
			if err != nil {
				t.Fatal(err)
			}
			who := speaker("ann")
			answer, _, err := h.Offer(t.Context(), who, strings.ReplaceAll(offer, "a=setup:actpass", "a=setup:"+has.setup))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Answer(answer); err != nil {
				t.Fatal(err)
			}
			connected(t, c)
			if err := c.Write(&rtp.Packet{Header: rtp.Header{Version: 2, SequenceNumber: 65_530}, Payload: silence}); err != nil {
				t.Fatal(err)
			}
			begin(t, c, heard)
			if err := c.Speak(t.Context(), read(t, "tone.opus")[:80], func(i int) bool { return i != 40 }); err != nil {
				t.Fatal(err)
			}
			eventually(t, "all of it", func() bool { return heard.loud.Load() > 18_000 })
			call := h.callOf(who.Session)
			call.peer.hearing.Lock()
			tap := call.peer.tap
			call.peer.hearing.Unlock()
			if name == "client" {
				if keys := call.peer.secrets; tap != nil || keys.master != nil || keys.client != nil {
					t.Error("keys are known that can't be, or are of no use")
				}
			} else {
				tap.mu.Lock()
				if tap.taken < 50 {
					t.Errorf("the tap has taken %d packets", tap.taken)
				}
				tap.mu.Unlock()
			}
			var last rtcp.ReceptionReport
			eventually(t, "a report", func() bool {
				select {
				case last = <-told:
				default:
				}
				return last.TotalLost > 0
			})
			if last.TotalLost != 1 || last.LastSequenceNumber <= 65_535 {
				t.Errorf("the sender is told of %+v", last)
			}
		})
	}
}

// tapped is a call that is tapped at an address, and what encrypts for it.
func tapped(t *testing.T) (*taps, *tap, *incoming, *srtp.Context, netip.AddrPort) {
	t.Helper()
	cfg, deps := Default(), Deps{Desk: &desk{}, Meter: func(*engines.Item) Meter { return &loudness{} }, Resampler: func(int, int) Resampler { return same{1} }}
	cfg.Listen = Off
	h, err := New(cfg, "", deps, nil, nil) // nobody serves: no worker takes what the test looks at
	if err != nil {
		t.Fatal(err)
	}
	in, out := sealer(t, srtp.ProtectionProfileAeadAes128Gcm, srtp.SRTPReplayProtection(replayWindow)), sealer(t, srtp.ProtectionProfileAeadAes128Gcm)
	sound, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	x := &tap{call: h.newCall(speaker("ann"), sound), srtp: in}
	track := &incoming{source: 7, payload: 111, first: 65_534}
	x.add(track)
	at := netip.MustParseAddrPort("192.0.2.1:4000")
	a := &taps{}
	a.put(x, at)
	return a, x, track, out, at
}

// sealer encrypts or decrypts, by keys that are all 0.
func sealer(t *testing.T, profile srtp.ProtectionProfile, o ...srtp.ContextOption) *srtp.Context {
	t.Helper()
	key, err := profile.KeyLen()
	if err != nil {
		t.Fatal(err)
	}
	salt, err := profile.SaltLen()
	if err != nil {
		t.Fatal(err)
	}
	c, err := srtp.CreateContext(make([]byte, key), make([]byte, salt), profile, o...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func sealed(t *testing.T, c *srtp.Context, source uint32, payload uint8, seq uint16) []byte {
	t.Helper()
	p := rtp.Packet{Header: rtp.Header{Version: 2, SSRC: source, PayloadType: payload, SequenceNumber: seq}, Payload: silence}
	plain, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.EncryptRTP(nil, plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A tap takes what is of its track, from its address and new, whatever its number began with,
// and leaves the rest as it is.
func TestTapTakes(t *testing.T) {
	a, x, track, out, at := tapped(t)
	_ = sealed(t, out, 7, 111, 65_534) // which Pion took
	_ = sealed(t, out, 7, 111, 65_535) // which was lost
	first, second := sealed(t, out, 7, 111, 0), sealed(t, out, 7, 111, 1)
	mapped := netip.AddrPortFrom(netip.AddrFrom16(at.Addr().As16()), at.Port())
	forged := slices.Clone(second)
	forged[len(forged)-1]++
	was := slices.Clone(forged)
	for _, step := range []struct {
		name   string
		packet []byte
		from   netip.AddrPort
		want   bool
	}{
		{"of another address", first, netip.AddrPortFrom(at.Addr(), 4001), false},
		{"the first", first, mapped, true},
		{"the same again", first, at, false},
		{"a forged one", forged, at, false},
		{"the second", second, at, true},
		{"of another source", sealed(t, out, 8, 111, 2), at, false},
		{"of another type", sealed(t, out, 7, 13, 2), at, false},
		{"a report", []byte{0x80, 201, 0, 1, 0, 0, 0, 7, 0, 0, 0, 7, 0}, at, false},
		{"STUN", make([]byte, 40), at, false},
		{"a short one", []byte{0x80, 111, 0}, at, false},
	} {
		if got := a.take(step.packet, step.from); got != step.want {
			t.Errorf("%s: taken = %t", step.name, got)
		}
	}
	if !slices.Equal(forged, was) {
		t.Error("a packet that is Pion's was changed")
	}
	if got, dropped := x.call.ring.take(nil); len(got) != 2 || dropped != 0 || got[1].seq != 1 || got[1].source != 7 || !slices.Equal(got[1].payload, silence) {
		t.Errorf("the call has %+v", got)
	}
	x.remove(track)
	if a.take(sealed(t, out, 7, 111, 3), at) {
		t.Error("a track that is over was taken")
	}
	x.add(track)
	moved := netip.MustParseAddrPort("[2001:db8::1]:4000")
	a.put(x, moved)
	if p := sealed(t, out, 7, 111, 4); a.take(p, at) || !a.take(p, moved) {
		t.Error("it did not move")
	}
	a.drop(x)
	if a.take(sealed(t, out, 7, 111, 5), moved) || len(a.at) != 0 {
		t.Error("it was not dropped")
	}
}

// Packets of other keys are left to Pion, however many, and those of the call are taken all
// the same; after its end nothing is.
func TestTapEnds(t *testing.T) {
	a, x, _, out, at := tapped(t)
	other, err := srtp.CreateContext(slices.Repeat([]byte{1}, 16), make([]byte, 12), srtp.ProtectionProfileAeadAes128Gcm)
	if err != nil {
		t.Fatal(err)
	}
	for seq := range uint16(200) {
		if a.take(sealed(t, other, 7, 111, seq), at) {
			t.Fatal("a packet of other keys was taken")
		}
	}
	if !a.take(sealed(t, out, 7, 111, 65_535), at) { // of the first round of numbers, whatever those said
		t.Error("it was not taken")
	}
	x.close()
	if a.take(sealed(t, out, 7, 111, 0), at) {
		t.Error("it hears past its end")
	}
}

// Two connections of one address, as behind one socket of a client: each hears its own, whichever came last and
// whichever ends.
func TestTapsOfOneAddress(t *testing.T) {
	a, x, _, out, at := tapped(t)
	_, y, _, other, _ := tapped(t)
	y.tracks[0].source = 9
	a.put(y, at)
	if a.take(sealed(t, out, 7, 111, 65_534), at) || !a.take(sealed(t, other, 9, 111, 65_534), at) {
		t.Error("a packet of the first, or not of the second")
	}
	a.drop(x) // whose place was taken
	if !a.take(sealed(t, other, 9, 111, 65_535), at) {
		t.Error("the end of one is that of another")
	}
	a.drop(y)
	a.drop(y)
	if len(a.at) != 0 {
		t.Error("an address is kept")
	}
}

// A tap shows Pion a packet now and then, and its count of rounds is Pion's from then on; what comes late, or was
// shown, is not shown again.
func TestTapShows(t *testing.T) {
	a, x, track, out, at := tapped(t)
	pion := sealer(t, srtp.ProtectionProfileAeadAes128Gcm)
	if _, err := pion.DecryptRTP(nil, sealed(t, out, 7, 111, 65_534), nil); err != nil {
		t.Fatal(err)
	}
	shown, n := 0, 65_535
	for ; n < 65_535+3<<16; n += 97 { // many are lost
		p := sealed(t, out, 7, 111, uint16(n)) //nolint:gosec // goes round
		if a.take(p, at) {
			continue
		}
		shown++
		if _, err := pion.DecryptRTP(nil, p, nil); err != nil {
			t.Fatalf("%d: Pion can't decrypt it: %v", n, err)
		}
	}
	ours, _ := x.srtp.ROC(7)
	if theirs, _ := pion.ROC(7); ours != theirs || ours < 3 || shown > 3<<16/showEvery {
		t.Errorf("%d rounds, Pion has %d, of %d packets", ours, theirs, shown)
	}
	x.remove(track)
	x.add(&incoming{source: 7, payload: 111, first: uint16(n)})   //nolint:gosec // goes round
	if p := sealed(t, out, 7, 111, uint16(n+1)); !a.take(p, at) { //nolint:gosec // goes round
		t.Error("a track that goes on was not taken")
	}
}

// Whatever comes from a client's address does no harm: what it did not encrypt is not heard, and what it did, however
// it is made up, is heard once at most and changes nothing for what follows.
func FuzzTap(f *testing.F) {
	f.Add([]byte{0x80, 111, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7}, uint16(1), false)
	f.Add([]byte{0xbf, 0x80 | 111, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0xbe, 0xde, 0, 1, 0, 0, 0, 0}, uint16(9), true)
	f.Add([]byte{0x90, 111, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0xc0, 0xde, 0, 0}, uint16(9), true)
	f.Add([]byte{0xa0, 111, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7, 255}, uint16(9), false)
	f.Fuzz(func(t *testing.T, b []byte, seq uint16, cm bool) {
		profile := srtp.ProtectionProfileAeadAes128Gcm
		if cm {
			profile = srtp.ProtectionProfileAes128CmHmacSha1_80
		}
		a, x, track, _, at := tapped(t)
		x.srtp, track.first, track.shown = sealer(t, profile, srtp.SRTPReplayProtection(replayWindow)), seq, seq
		was := slices.Clone(b)
		if a.take(b, at) {
			t.Fatalf("%x was heard", b)
		}
		if !slices.Equal(b, was) {
			t.Fatal("it was changed")
		}
		out := sealer(t, profile)
		own, err := out.EncryptRTP(nil, b, nil)
		if err == nil && a.take(own, at) && a.take(own, at) {
			t.Fatal("it was heard twice")
		}
		before := x.taken
		last := seq
		if track.going {
			last = binary.BigEndian.Uint16(b[2:])
		} else {
			out = sealer(t, profile) // which has not encrypted what was nothing
		}
		if a.take(sealed(t, out, 7, 111, last+1), at); last < 65_535 && x.taken != before+1 {
			t.Fatalf("what follows %x is not heard", b)
		}
	})
}
