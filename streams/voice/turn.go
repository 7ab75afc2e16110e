package voice

import "sync/atomic"

// turn has a call stand in a queue once at most, and be in one pair of hands at most.
// A queue with room for every call is so never full.
type turn struct{ state atomic.Int32 }

const (
	resting int32 = iota
	queued
	inHand
	inHandAgain // something came while it was in hand
)

// wake reports whether the caller is to put the call into the queue.
func (t *turn) wake() bool {
	for {
		switch s := t.state.Load(); s {
		case resting:
			if t.state.CompareAndSwap(resting, queued) {
				return true
			}
		case inHand:
			if t.state.CompareAndSwap(inHand, inHandAgain) {
				return false
			}
		default:
			return false
		}
	}
}

// begin is called by who took the call out of the queue.
func (t *turn) begin() { t.state.Store(inHand) }

// end reports whether the call is to be put into the queue again.
func (t *turn) end() bool {
	if t.state.CompareAndSwap(inHand, resting) {
		return false
	}
	t.state.Store(queued)
	return true
}
