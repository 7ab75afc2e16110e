package bench

import (
	"maps"
	"testing"
)

// Goroutines are counted by the function that each began with, which a profile has last.
func TestBeginnings(t *testing.T) {
	const profile = `goroutine profile: total 6
3 @ 0x490e0e 0x41f12e
#	0x1ab46a5	example.com/srtp.(*Session).Accept+0x25	/x/session.go:113
#	0x1bb6e64	example.com/webrtc.(*Peer).media+0x104	/x/peer.go:2342

2 @ 0x490e0e
#	0x1271130	example.com/webrtc.(*Peer).media+0x38	/x/peer.go:9
1 @ 0x425889
#	0xab3fd2	os/signal.loop+0x12		/usr/local/go/src/os/signal/signal_unix.go:23
`
	want := map[string]int{"example.com/webrtc.(*Peer).media": 5, "os/signal.loop": 1}
	if got := beginnings([]byte(profile)); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := beginnings(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
