package acoustic

// course is the way of the strongest line from step to step, and the notes it begins by a
// jump. A siren glides and jumps to few pitches; a tune jumps to many and stays on each
// for a while; a voice does neither for long.
type course struct {
	at, slope float32 // bin, and bins a step
	level     float32 // log2 of the power of its bin
	steps     int     // since it last jumped
	anchor    float32 // where it was after it had jumped and slid
	even      int     // steps in a row in which it neither moved nor changed its level
	noted     bool    // since it last jumped
	notes     [maxNotes]note
	n         int64 // notes so far
}

// note is a pitch that was held, and until when.
type note struct {
	at   float32 // bin
	last int64   // step
}

const (
	maxNotes = 16
	// slides is for how many steps a line may slide into a note, and noteSteps in which step
	// it is one if it has stayed within trembles of it since: a part, or leastApart.
	slides    = 3
	noteSteps = 7
	trembles  = 0.025
	// lastNotes is for how many steps a note is remembered: ten seconds, for
	// a slow tune may be of few.
	lastNotes = 10_000 / stepMS
	// apartNotes is by what part of their pitch two notes differ at least, less than a
	// semitone; leastApart is the same in bins, which is what a frame can tell.
	apartNotes = 0.04
	leastApart = 0.25
	// jump is by how many bins a line may be from where it was going, and jumps by what
	// part of where it is.
	jump  = 0.6
	jumps = 0.01
	// One that stays as it is moves by fewer bins a step than stirs, and its level (log2)
	// by less than changes: 0.6 dB.
	stirs   = 0.06
	changes = 0.2
)

// follow takes where the strongest line is; at is 0 where there is none worth a look, and
// spoken is whether it may be a voice's, which has no notes.
func (c *course) follow(at, level float32, now int64, spoken bool) {
	if at == 0 {
		c.steps, c.even = 0, 0
		return
	}
	d := at - c.at
	turned, change := d-c.slope, level-c.level
	if c.steps == 0 || max(turned, -turned) > jump+jumps*at+max(c.slope, -c.slope)/2 {
		c.steps, c.slope, c.noted, c.even = 0, 0, false, 0
	} else {
		c.slope += 0.5 * turned
		if max(d, -d) > stirs || max(change, -change) > changes {
			c.even = 0
		}
	}
	c.steps++
	c.even++
	c.at, c.level = at, level
	switch off := at - c.anchor; {
	case c.steps <= slides:
		c.anchor = at
	case c.steps <= noteSteps && max(off, -off) > max(leastApart, trembles*at):
		c.steps = noteSteps + 1 // it glides
	case c.steps == noteSteps && !spoken:
		c.begin(now)
	}
	if c.noted {
		c.notes[(c.n-1)%maxNotes].last = now
	}
}

func (c *course) begin(now int64) {
	c.notes[c.n%maxNotes] = note{c.anchor, now}
	c.noted = true
	c.n++
}

// held reports whether a note is, which may tremble more than a line that is held does.
func (c *course) held() bool { return c.noted && c.steps > 0 }

// lately is how many notes there were lately, and of how many pitches.
func (c *course) lately(now int64) (notes, pitches int) {
	for i := range min(c.n, maxNotes) {
		a := &c.notes[(c.n-1-i)%maxNotes]
		if now-a.last > lastNotes {
			break
		}
		notes++
		fresh := true
		for j := range i {
			if d := a.at - c.notes[(c.n-1-j)%maxNotes].at; max(d, -d) < max(leastApart, apartNotes*a.at) {
				fresh = false
				break
			}
		}
		if fresh {
			pitches++
		}
	}
	return notes, pitches
}

// dialled are the frequencies of ITU-T Q.23, Hz, and offDial by what part of them a
// telephone may be off.
var dialled = [2][4]float32{{697, 770, 852, 941}, {1209, 1336, 1477, 1633}}

const offDial = 0.018

// isDialled reports whether two bins are the pair of a digit.
func isDialled(a, b float32) bool {
	a, b = min(a, b)*float32(binHz), max(a, b)*float32(binHz)
	return near(a, &dialled[0]) && near(b, &dialled[1])
}

func near(hz float32, of *[4]float32) bool {
	for _, want := range of {
		if d := hz - want; max(d, -d) <= offDial*want {
			return true
		}
	}
	return false
}
