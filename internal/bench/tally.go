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
