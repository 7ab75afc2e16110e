package acoustic

import "slices"

// The watches. Loudness has two, of which one is told.
const (
	loudNow = iota
	loudLong
	clipping
	noise
	humSound
	tone
	music
	soundboard
	scream
	echo
	openMic
	watchCount
)

// watchTable says what each watch is of; span is by how much a value must pass its
// threshold for 82 % of what is left of the doubt to be gone.
func watchTable(cfg *Config) [watchCount]watch {
	return [watchCount]watch{
		loudNow:    {kind: "loud", measure: "lufs_m", threshold: cfg.Loud.Momentary, span: 1, gap: 200},
		loudLong:   {kind: "loud", measure: "lufs_s", threshold: cfg.Loud.ShortTerm, span: 1, gap: 1000},
		clipping:   {kind: "clipping", measure: "clipped", threshold: cfg.Clipping.Share, span: 0.01, gap: 1000},
		noise:      {kind: "noise", measure: "floor_dbfs", threshold: cfg.Noise.Level, span: 3, gap: 1000},
		humSound:   {kind: "hum", measure: "prominence_db", threshold: cfg.Hum.Prominence, span: 4, gap: 1000},
		tone:       {kind: "tone", measure: "tonality", threshold: cfg.Tone.Share, span: 0.15, gap: 200},
		music:      {kind: "music", measure: "notes", threshold: cfg.Music.Share, span: 0.15, gap: 2000},
		soundboard: {kind: "soundboard", measure: "repeats", threshold: float64(cfg.Soundboard.Repeats), span: 1, gap: 10_000},
		scream:     {kind: "scream", measure: "lufs_m", threshold: cfg.Scream.Momentary, span: 3, gap: 100},
		echo:       {kind: "echo", measure: "bits_differ", threshold: cfg.Echo.Differ, span: 0.05, gap: 3000, below: true},
		openMic:    {kind: "open_mic", measure: "ms_without_speech", threshold: float64(cfg.OpenMic.MS), span: 10_000, gap: 0},
	}
}

// moment is what noise is judged by, and tones: whether a line is all that is heard.
type moment struct {
	square, flat float32
	tonal        bool
}

// block is what is known of 200 ms.
type block struct {
	notes, sounding int // steps in which notes are held, and in which there is sound
	speech          float64
	alone           bool // there was nothing but a tone
}

const (
	floorSteps  = 2000 / stepMS
	unevenFloor = 5 // dB between the quietest twentieth and the quietest quarter
	clipBlocks  = 1000 / (slowly * stepMS)
	musicBlocks = 5000 / (slowly * stepMS)
)

// judge is what every step is judged by.
func (m *Meter) judge() {
	l, now := &m.levels, m.now()
	began := now - stepMS
	m.hold(&m.watches[loudNow], l.Momentary >= m.cfg.Loud.Momentary, began, l.Momentary, m.cfg.Loud.MomentaryMS)
	long := l.ShortTerm >= m.cfg.Loud.ShortTerm && !m.watches[loudNow].told
	m.hold(&m.watches[loudLong], long, began, l.ShortTerm, m.cfg.Loud.ShortTermMS)
	m.judgeTone()
	m.judgeScream()
	m.judgeOpenMic()
	n, power := m.lines.notes()
	if l.RMS >= m.cfg.Music.Level {
		m.block.sounding++
		if n >= 2 || n == 1 && power > 0.4*m.now20.power || m.course.held() {
			// What made it a note was one already.
			m.block.notes += int(min(held, m.steps-m.noted))
			m.noted = m.steps
		}
	}
	m.block.speech += m.speech
}

// lately are features over some 120 ms: what is rough differs from frame to frame.
type lately struct{ bright, low, flat float64 }

func (l *lately) add(f *features) {
	const weight = 0.15
	l.bright += weight * (float64(f.bright) - l.bright)
	l.low += weight * (float64(f.low) - l.low)
	l.flat += weight * (float64(f.flat) - l.flat)
}

const (
	smooth = 0.015 // flatness of what devices make, below which nothing is a voice
	rough  = 0.4   // and of noise, above which nothing is one
)

// judgeScream finds a loud voice that is high and goes on: neither as smooth as a tone nor
// as rough as noise, and without the dips between the syllables of speech.
func (m *Meter) judgeScream() {
	cfg, l := &m.cfg.Scream, &m.lately
	l.add(&m.now20)
	high := l.bright >= cfg.Bright || l.low <= cfg.Low
	is := m.levels.Momentary >= cfg.Momentary && high && l.flat > smooth && l.flat < rough &&
		m.levels.RMS > m.levels.Momentary-9 && !m.steady && !m.watches[music].told
	m.hold(&m.watches[scream], is, m.now()-stepMS, m.levels.Momentary, cfg.MS)
}

// judgeOpenMic finds sound without speech for long. A second of silence, or speech, has
// it begin anew.
func (m *Meter) judgeOpenMic() {
	now := m.now()
	if m.levels.RMS >= m.cfg.OpenMic.Level {
		m.quiet = 0
	} else {
		m.quiet++
	}
	if m.quiet*stepMS >= 1000 || m.spoke > m.openFrom {
		m.openFrom = now
	}
	open := now - m.openFrom
	m.hold(&m.watches[openMic], m.heard && open >= m.cfg.OpenMic.MS, m.openFrom, float64(open), 0)
}

// judgeHum is after each look.
func (m *Meter) judgeHum() {
	m.hold(&m.watches[humSound], m.humming.mains > 0, m.now()-lowFrame, m.humming.prominence, m.cfg.Hum.MS)
}

// judgeSlowly is what 200 ms are judged by.
func (m *Meter) judgeSlowly() {
	i := m.steps / slowly
	m.clips[i%clipBlocks] = m.cuts
	m.cuts = cuts{}
	m.levels.Clipped = cutShare(&m.clips)
	m.hold(&m.watches[clipping], m.levels.Clipped >= m.cfg.Clipping.Share, m.now()-1000, m.levels.Clipped, m.cfg.Clipping.MS)
	m.block.speech /= slowly
	m.block.alone = m.watches[tone].on && m.mostlyTonal()
	m.blocks[i%musicBlocks] = m.block
	m.block = block{}
	m.judgeMusic()
	m.judgeNoise()
}

// judgeMusic finds notes that are held through five seconds without a pause.
func (m *Meter) judgeMusic() {
	cfg := &m.cfg.Music
	var b block
	sure, _ := m.tune()
	for i := range m.blocks {
		// What a tone holds are no notes, unless it turns out to be a tune.
		if sure || !m.blocks[i].alone {
			b.notes += m.blocks[i].notes
		}
		b.sounding += m.blocks[i].sounding
		b.speech += m.blocks[i].speech
	}
	const steps = musicBlocks * slowly
	share, least := float64(b.notes)/steps, cfg.Share
	if !m.heard {
		least = cfg.Unheard
	}
	is := m.steps >= steps && share >= least && b.sounding >= steps*9/10 && b.speech/musicBlocks < 0.5 && !m.watches[humSound].told
	m.hold(&m.watches[music], is, m.now()-steps*stepMS, share, cfg.MS)
}

// judgeNoise finds what lies below everything else of the last two seconds, in the
// pauses of whoever speaks.
func (m *Meter) judgeNoise() {
	for i := range m.recent {
		m.scratch[i] = m.recent[i].square
	}
	slices.Sort(m.scratch[:])
	lowest, most := m.scratch[floorSteps*5/100], m.scratch[floorSteps*25/100]
	var flat float32
	n := 0
	for i := range m.recent {
		if m.recent[i].square <= most {
			flat += m.recent[i].flat
			n++
		}
	}
	m.levels.Floor = db(float64(lowest))
	// The quietest moments of speech differ by far more than those of what lies below it.
	even := db(float64(most))-m.levels.Floor <= unevenFloor
	is := m.steps >= floorSteps && even && m.levels.Floor >= m.cfg.Noise.Level && float64(flat)/float64(n) >= m.cfg.Noise.Flatness
	m.hold(&m.watches[noise], is, m.now()-floorSteps*stepMS, m.levels.Floor, m.cfg.Noise.MS)
}

// judgeSoundboard finds the sound of the last half second in what came before. Music
// and tones repeat too, and are told as what they are.
func (m *Meter) judgeSoundboard() {
	w := &m.watches[soundboard]
	if m.watches[music].told || m.watches[tone].on || m.watches[noise].on {
		m.hold(w, false, 0, 0, 0)
		return
	}
	n, first := m.prints.repeats(&m.cfg.Soundboard)
	m.hold(w, n >= m.cfg.Soundboard.Repeats, first*stepMS, float64(n), 0)
}
