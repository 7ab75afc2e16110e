package bench

import (
	"errors"
	"testing"
	"time"

	speaker "github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// TestSayListens: who speaks waits for what a busy gateway tells late, no longer than it
// takes, and not for ever.
func TestSayListens(t *testing.T) {
	said := pause(2 * time.Second)
	broken := errors.New("the call ended")
	for name, c := range map[string]struct {
		toldAfter, want time.Duration
		err             error
	}{
		"at once":        {time.Second, 5 * time.Second, nil},
		"late":           {9500 * time.Millisecond, 10 * time.Second, nil},
		"never":          {time.Hour, 14 * time.Second, nil},
		"the call ended": {time.Hour, 5 * time.Second, broken},
	} {
		spoken := time.Duration(0)
		err := sayAndListen(func(packets []speaker.Packet) error {
			spoken += time.Duration(len(packets)) * 20 * time.Millisecond
			return c.err
		}, said, func() bool { return spoken >= c.toldAfter })
		if spoken != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: silent after %v (%v), want %v", name, spoken, err, c.want)
		}
	}
}
