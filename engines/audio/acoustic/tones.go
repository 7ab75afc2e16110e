package acoustic

const (
	onlyLine    = 0.85 // the share of a line beside which nothing is heard
	onlyNarrow  = 0.92 // and that of what lies within 200 Hz of it
	onlyFew     = 0.9  // and that of two lines, or of one and its harmonics
	aboveMains  = 420  // Hz; below, hum has harmonics and voices their pitch
	aboveVowels = 600  // Hz; below, voices have narrow sounds
	evenSteps   = 5    // for which two lines, or one with harmonics, stay as they are
	tuneNotes   = 4    // pitches of a tune, of which a siren has three at most
	// muchTonal and someTonal are tenths of a tone's time that must have nothing but it in
	// two seconds for there to be no notes, and for it to be there at all: who speaks leaves
	// pauses of half a second together.
	muchTonal = 7
	someTonal = 5
)

// tonal reports whether nothing is heard but what a device makes: one line, which may
// glide, or a few that stay as they are.
func (m *Meter) tonal() bool {
	f, c := &m.now20, &m.course
	if f.power == 0 {
		return false
	}
	few := max(f.tonal, f.narrow) >= onlyFew
	if f.tonal < onlyLine {
		comb, pair, other := m.lines.together(f.at)
		if pair >= onlyFew*f.power && isDialled(f.at, other) {
			c.follow(0, 0, m.steps, false)
			return true
		}
		few = few || max(comb, pair) >= onlyFew*f.power
	}
	if !few {
		c.follow(0, 0, m.steps, false)
		return false
	}
	c.follow(f.at, f.level, m.steps, m.speech >= 0.5)
	if f.tonal >= onlyLine && f.centroid > aboveMains || f.narrow >= onlyNarrow && f.centroid > aboveVowels {
		return true
	}
	return c.even >= evenSteps && f.at >= lowestLine && !m.watches[humSound].on
}

// mostlyTonal reports whether there was little else than a tone for most of its time in
// the last two seconds.
func (m *Meter) mostlyTonal() bool { return int64(m.tonals)*stepMS*10 >= m.cfg.Tone.MS*muchTonal }

// tune reports whether there were notes of more pitches than a tone has, and waits in
// doubt: two or three pitches are those of a siren once one has come again.
func (m *Meter) tune() (sure, maybe bool) {
	notes, pitches := m.course.lately(m.steps)
	return pitches >= tuneNotes, pitches >= 2 && notes <= pitches
}

// judgeTone finds a line that stays: one that is most of what is heard, or after twice
// the time one below other sound; or a line that moves and is all there is.
func (m *Meter) judgeTone() {
	cfg, w := &m.cfg.Tone, &m.watches[tone]
	need := int(cfg.MS / stepMS)
	l := m.lines.steadiest(need)
	share := 0.0
	if m.now20.power > 0 {
		share = min(1, float64(l.power/m.now20.power))
	}
	m.even += (share - m.even) * 0.1
	heard := l.steps > 0 && 3+db(float64(l.power)) >= cfg.Level
	if m.watches[humSound].on && float64(l.at)*binHz < aboveMains {
		heard = false // a harmonic of mains
	}
	tune, maybe := m.tune()
	below := l.steps >= 2*need && m.even >= cfg.SteadyShare && m.lines.others(l.at) <= 1
	m.steady = heard && !tune && (m.even >= cfg.Share || below)
	if m.steady {
		m.hold(w, true, m.now()-int64(l.steps)*stepMS, m.even, 0)
		return
	}
	// For a while there must be nothing but a line in two seconds: a siren, also through
	// the pauses of whoever speaks.
	first, last := int64(0), int64(floorSteps)
	some := int64(m.tonals)*stepMS*10 >= cfg.MS*someTonal
	for ago := int64(0); ago < floorSteps && some; ago++ {
		if m.recent[(m.steps-ago+floorSteps)%floorSteps].tonal {
			first, last = ago, min(last, ago)
		}
	}
	is := some && last*stepMS <= w.gap && !tune && !maybe
	m.hold(w, is, m.now()-(first+1)*stepMS, max(cfg.Share, float64(m.now20.tonal)), cfg.MS)
}
