package bench

import "time"

// tally is what the rounds of one target add up to.
type tally struct {
	clean, flagged histogram // answers, by what the server said
	delivery       histogram // pushes to the other members of the scene
	lag            histogram // how late the generator itself was
	// sent, answered and unanswered leave out the warm-up.
	sent, answered, unanswered int
	// surprises are clean lines that were flagged, misses abusive ones that passed.
	surprises, misses int
	pushes            int
	faults            map[string]int
	// cpu is the server's, own the generator's.
	cpu, own, wall time.Duration
	// adds are the p50 and p99 of each round.
	p50, p99 []time.Duration
}

func newTally() *tally { return &tally{faults: make(map[string]int)} }

// merge adds all that other has counted.
func (t *tally) merge(other *tally) {
	for _, h := range [][2]*histogram{{&t.clean, &other.clean}, {&t.flagged, &other.flagged}, {&t.delivery, &other.delivery}, {&t.lag, &other.lag}} {
		h[0].merge(h[1])
	}
	t.sent, t.answered, t.unanswered = t.sent+other.sent, t.answered+other.answered, t.unanswered+other.unanswered
	t.surprises, t.misses, t.pushes = t.surprises+other.surprises, t.misses+other.misses, t.pushes+other.pushes
	t.cpu, t.own, t.wall = t.cpu+other.cpu, t.own+other.own, t.wall+other.wall
	t.p50, t.p99 = append(t.p50, other.p50...), append(t.p99, other.p99...)
	for name, n := range other.faults {
		t.faults[name] += n
	}
}
