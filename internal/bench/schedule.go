package bench

import "time"

// schedule is the open-loop plan of one round: message i is due at start +
// i×interval whatever happened to the messages before it. Times count from the
// driver's start.
type schedule struct {
	start    time.Duration
	interval time.Duration
	// warm messages come first and aren't measured; total counts them too.
	warm, total int
	next        int
}

// newSchedule plans rate messages a second over warmup and then measured time.
func newSchedule(start time.Duration, rate float64, warmup, measured time.Duration) schedule {
	interval := time.Duration(float64(time.Second) / rate)
	warm := int(warmup / interval)
	return schedule{start: start, interval: interval, warm: warm, total: warm + max(1, int(measured/interval))}
}

// due is when message i was to leave.
func (s *schedule) due(i int) time.Duration { return s.start + time.Duration(i)*s.interval }

// take returns the next message that is due by now, oldest first, so that what
// a stall held up is sent at once and counted from when it was due.
func (s *schedule) take(now time.Duration) (i int, ok bool) {
	if s.next >= s.total || s.due(s.next) > now {
		return 0, false
	}
	s.next++
	return s.next - 1, true
}

// wake is when the next message is due; ok is false when all are sent.
func (s *schedule) wake() (at time.Duration, ok bool) {
	if s.next >= s.total {
		return 0, false
	}
	return s.due(s.next), true
}
