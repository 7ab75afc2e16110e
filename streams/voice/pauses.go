package voice

import "time"

// pauses says which pauses of a call's clock there was time for. What a client's packets say of their time is the
// client's: a clock that leaps, packet after packet, would have silence measured that nobody was silent for, 450 times
// as much as sound, or cut a voice into pieces too short to know while others of the scene hear all of it.
type pauses struct {
	at    int64 // when the last packet came, ns
	ahead int64 // by how much the clock is ahead of the time in which its packets came, 0 to aheadMost, ns
}

// aheadMost is by how much it may be: packets are held up on their way, and come at once then.
const aheadMost = int64(fillMost) * int64(time.Second) / clock

// take gives a pause before a packet that arrived, as ticks of the clock, or 0 where there was no time for it: what
// comes follows at once then.
func (p *pauses) take(ticks int32, arrived int64) int32 {
	p.ahead = p.ahead - (arrived - p.at)
	p.at = arrived
	pause := int64(max(ticks, 0)) * int64(time.Second) / clock
	if p.ahead+pause > aheadMost {
		pause, ticks = 0, min(ticks, 0)
	}
	p.ahead = max(0, p.ahead+pause)
	return ticks
}

// sound adds what a packet lasts.
func (p *pauses) sound(ticks int) {
	p.ahead = min(aheadMost, p.ahead+int64(ticks)*int64(time.Second)/clock)
}
