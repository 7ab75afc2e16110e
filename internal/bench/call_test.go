package bench

import (
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// A caller that is told something all the time is heard all the same: a gateway goes by
// what it hears, and ends a session that says nothing.
func TestCallersPingWhateverTheyAreTold(t *testing.T) {
	ours, theirs := net.Pipe()
	v := &voiceCall{conn: &connected{conn: ours, heartbeat: 50 * time.Millisecond}, pushes: make(chan voicePush, 1)}
	var work sync.WaitGroup
	work.Go(v.follow)
	work.Go(func() {
		push := append([]byte{0x81, 24}, `{"type":"voice.verdict"} `[:24]...)
		for {
			if _, err := theirs.Write(push); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	ping := make([]byte, len(appendFrame(nil, opText, []byte(`{"type":"ping"}`), 0)))
	for range 2 {
		if err := theirs.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(theirs, ping); err != nil {
			t.Fatalf("no ping: %v", err)
		}
	}
	if err := theirs.Close(); err != nil {
		t.Error(err)
	}
	work.Wait()
	if p := <-v.pushes; p.Type != "voice.verdict" {
		t.Errorf("told %+v", p)
	}
}
