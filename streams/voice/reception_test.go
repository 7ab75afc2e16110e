package voice

import (
	"testing"
	"time"
)

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
	for _, seq := range []uint16{0, 1, 65_530, 65_535, 65_536 + 1 - replayWindow} { // twice, or too old to know
		if r.came(seq, uint32(seq), 0) {
			t.Errorf("%d is new", seq)
		}
	}
	came(2, 10*time.Millisecond) // 480 ticks late, a sixteenth of which counts
	if got, _ := r.report(7); got.FractionLost != 0 || got.TotalLost != 1 || got.Jitter != 30 {
		t.Errorf("second: %+v", got)
	}
	if got, ok := r.report(7); !ok || got.FractionLost != 0 || got.TotalLost != 1 {
		t.Errorf("nothing came: %+v", got)
	}
}
