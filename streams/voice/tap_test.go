package voice

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/selfsign"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// The packets of a call are taken where they are read, from where their numbers begin anew
// too; where a client has us be the client of the handshake, Pion decrypts them. Either way
// it is told what was lost.
func TestTap(t *testing.T) {
	for name, setup := range map[string]string{"server": "actpass", "client": "passive"} {
		t.Run(name, func(t *testing.T) {
			heard, deps := counting()
			h := start(t, Default(), deps)
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
			answer, _, err := h.Offer(t.Context(), who, strings.ReplaceAll(offer, "a=setup:actpass", "a=setup:"+setup))
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
				if tap != nil {
					t.Error("keys are known that can't be")
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
	_, deps := counting()
	h := start(t, Default(), deps)
	key, salt := make([]byte, 16), make([]byte, 12)
	in, err := srtp.CreateContext(key, salt, srtp.ProtectionProfileAeadAes128Gcm, srtp.SRTPReplayProtection(replayWindow))
	if err != nil {
		t.Fatal(err)
	}
	out, err := srtp.CreateContext(key, salt, srtp.ProtectionProfileAeadAes128Gcm)
	if err != nil {
		t.Fatal(err)
	}
	sound, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	x := &tap{call: h.newCall(speaker("ann"), sound), srtp: in}
	x.call.packets.wake() // as if it stood in the queue: no worker takes what the test looks at
	track := &incoming{source: 7, payload: 111, first: 65_534}
	x.add(track)
	at := netip.MustParseAddrPort("192.0.2.1:4000")
	a := &taps{}
	a.put(x, at)
	return a, x, track, out, at
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

// What is derived of a handshake is what its client has.
func TestSecrets(t *testing.T) {
	for _, suite := range []dtls.CipherSuiteID{dtls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, dtls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384} {
		for _, profile := range []dtls.SRTPProtectionProfile{dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80} {
			cert, err := selfsign.GenerateSelfSigned()
			if err != nil {
				t.Fatal(err)
			}
			ours, theirs := listenUDP(t, "udp", "127.0.0.1:0"), listenUDP(t, "udp", "127.0.0.1:0")
			s := &secrets{}
			if _, err := s.context(); err == nil {
				t.Error("keys of no handshake")
			}
			server, err := dtls.ServerWithOptions(ours, theirs.LocalAddr(), dtls.WithCertificates(cert), dtls.WithSRTPProtectionProfiles(profile),
				dtls.WithServerHelloMessageHook(s.hello), dtls.WithKeyLogWriter(s))
			if err != nil {
				t.Fatal(err)
			}
			client, err := dtls.ClientWithOptions(theirs, ours.LocalAddr(), dtls.WithCertificates(cert), dtls.WithSRTPProtectionProfiles(profile),
				dtls.WithInsecureSkipVerify(true), dtls.WithCipherSuites(suite))
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- server.Handshake() }()
			if err := client.Handshake(); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			state, _ := client.ConnectionState()
			c := srtp.Config{Profile: srtp.ProtectionProfile(profile)}
			if err := c.ExtractSessionKeysFromDTLS(&state, true); err != nil {
				t.Fatal(err)
			}
			out, err := srtp.CreateContext(c.Keys.LocalMasterKey, c.Keys.LocalMasterSalt, c.Profile)
			if err != nil {
				t.Fatal(err)
			}
			in, err := s.context()
			if err != nil {
				t.Fatal(err)
			}
			plain, err := in.DecryptRTP(nil, sealed(t, out, 7, 111, 9), nil)
			if err != nil || binary.BigEndian.Uint16(plain[2:]) != 9 {
				t.Errorf("%v, profile %v: %v", suite, profile, err)
			}
			if len(s.master) != 0 {
				t.Error("the secret is kept")
			}
			_, _ = client.Close(), server.Close()
		}
	}
}

// What is reported is what RFC 3550 has of so many packets.
func TestReception(t *testing.T) {
	var r reception
	if _, ok := r.report(7); ok {
		t.Error("a report of nothing")
	}
	const tick = int64(20 * time.Millisecond)
	came := func(seq uint16, late time.Duration) {
		n := int64(seq + 6) // from 65530 on
		r.came(seq, uint32(n*960), n*tick+int64(late))
	}
	for _, seq := range []uint16{65_530, 65_531, 65_533, 65_534, 65_535, 1, 0} { // 65532 is lost, 0 is late
		came(seq, 0)
	}
	if got, _ := r.report(7); got.SSRC != 7 || got.FractionLost != 32 || got.TotalLost != 1 || got.LastSequenceNumber != 1<<16+1 || got.Jitter != 0 {
		t.Errorf("first: %+v", got)
	}
	came(2, 10*time.Millisecond) // 480 ticks late, a sixteenth of which counts
	if got, _ := r.report(7); got.FractionLost != 0 || got.TotalLost != 1 || got.Jitter != 30 {
		t.Errorf("second: %+v", got)
	}
	if got, ok := r.report(7); !ok || got.FractionLost != 0 || got.TotalLost != 1 {
		t.Errorf("nothing came: %+v", got)
	}
}
