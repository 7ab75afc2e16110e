package acoustic

import (
	"math"

	"github.com/portcullis-gg/portcullis/engines"
)

// Sound comes in steps of 20 ms.
const (
	rate   = engines.SoundRate
	stepMS = 20
	step   = rate * stepMS / 1000
	// slowly is after how many steps what looks further back is looked at: 200 ms.
	slowly = 10
	// often is how many steps lie between looks for what was heard before: 100 ms.
	often = 5
)

// Levels is how the sound is at the moment.
type Levels struct {
	Momentary float64 // LUFS, of the last 400 ms
	ShortTerm float64 // LUFS, of the last 3 s
	RMS       float64 // dBFS of the last 20 ms; a full-scale sine has -3
	TruePeak  float64 // dBTP of the last 20 ms; below -10 that of the samples
	Clipped   float64 // share of the samples of the last second
	Floor     float64 // dBFS below everything else in the last 2 s
	Crossings float64 // changes of sign by sample, of the last 20 ms
	Flatness  float64 // 0 to 0.56, of the last 32 ms
	Tonality  float64 // share of the strongest line, of the last 32 ms
	Centroid  float64 // Hz, of the last 32 ms
	Mains     float64 // 50 or 60 where it hums, else 0
}

// Meter listens to one sound. It is not safe for concurrent use.
type Meter struct {
	cfg   Config
	steps int64
	buf   [frame]float32 // the last frame; what is new is gathered behind it
	fill  int            // new samples at the end of it
	fresh [step]float32

	loud   loudness
	peak   truePeak
	lines  partials
	course course
	hum    hum
	prints printer

	power, logs [lowBins]float32
	work        [lowFrame / 2]complex64
	scratch     [floorSteps]float32

	now20   features
	levels  Levels
	humming humFound
	run     int     // samples in a row that are cut off
	last    float32 // sample
	clips   [clipBlocks]cuts
	cuts    cuts // of this block
	recent  [floorSteps]moment
	tonals  int // of them
	blocks  [musicBlocks]block
	block   block
	noted   int64 // the last step in which notes were held

	speech   float64 // the last probability
	heard    bool    // somebody tells of speech
	spoke    int64   // when somebody spoke last, ms
	openFrom int64   // since when there is sound without speech
	quiet    int64   // steps of silence in a row
	even     float64 // the share of the steadiest line, smoothed
	steady   bool    // a line is there that stays
	lately   lately
	echoes   [suspects]suspect

	watches [watchCount]watch
	pending pending
}

// New makes a Meter at 0 ms. The configuration must be valid.
func New(cfg Config) *Meter {
	m := &Meter{cfg: cfg}
	m.loud.filter = kWeighting()
	m.watches = watchTable(&m.cfg)
	for i := range m.watches {
		m.watches[i].slot = -1
	}
	m.spoke = math.MinInt64 / 2
	return m
}

// now is the end of the last whole step, ms.
func (m *Meter) now() int64 { return m.steps * stepMS }

// Now is how the sound is at the moment.
func (m *Meter) Now() Levels { return m.levels }

// Speech tells how likely somebody spoke at a time, frame by frame as a voice activity
// detector says it. It may come a little behind the sound.
func (m *Meter) Speech(atMS int64, p float64) {
	m.heard = true
	if p >= 0.5 && m.speech >= 0.5 {
		m.spoke = atMS
	}
	m.speech = p
}

// Push takes the next samples, any number, and allocates nothing.
func (m *Meter) Push(pcm []float32) {
	for len(pcm) > 0 {
		n := copy(m.fresh[m.fill:], pcm)
		m.fill += n
		pcm = pcm[n:]
		if m.fill == step {
			m.fill = 0
			m.step()
		}
	}
}

// step looks at 20 ms.
func (m *Meter) step() {
	pcm := m.fresh[:]
	clean(pcm)
	m.steps++
	copy(m.buf[:], m.buf[step:])
	copy(m.buf[frame-step:], pcm)
	square, peak := m.samples(pcm)
	m.loud.add(pcm)
	l := &m.levels
	l.RMS = db(square)
	top := float64(m.peak.of(pcm, peak))
	l.TruePeak = db(top * top)
	l.Momentary, l.ShortTerm = m.loud.over()
	if m.hum.add(pcm) {
		m.humming = m.hum.look(&m.cfg.Hum, m.power[:], m.work[:])
		l.Mains = m.humming.mains
		m.judgeHum()
	}
	if peak < 1e-4 {
		m.silence()
	} else {
		m.spectrum()
	}
	m.remember(moment{float32(square), m.now20.flat, l.RMS >= m.cfg.Tone.Level && m.tonal()})
	m.judge()
	if m.steps%slowly == 0 {
		m.judgeSlowly()
	}
	if m.steps%often == 0 {
		m.judgeSoundboard()
	}
}

// remember has a moment take the place of that of two seconds ago.
func (m *Meter) remember(now moment) {
	was := &m.recent[m.steps%floorSteps]
	if was.tonal {
		m.tonals--
	}
	if now.tonal {
		m.tonals++
	}
	*was = now
	// What stayed as it is for so long did so from the first of these steps on.
	if now.tonal && m.course.even == evenSteps {
		for ago := int64(1); ago < evenSteps && ago < m.steps; ago++ {
			if then := &m.recent[(m.steps-ago)%floorSteps]; !then.tonal {
				then.tonal = true
				m.tonals++
			}
		}
	}
}

// clean takes out what no sound has: a decoder may give NaN for broken input, and one
// would stay in every filter.
func clean(pcm []float32) {
	for i, v := range pcm {
		if v != v || v > 8 || v < -8 {
			pcm[i] = 0
		}
	}
}

// samples has the mean square, the peak, the crossings and what is cut off.
func (m *Meter) samples(pcm []float32) (square float64, peak float32) {
	var sums [2]float32
	crossings := uint32(0)
	sign := math.Float32bits(m.last+0) >> 31 // of no zero, of which there are two
	for i, v := range pcm {
		sums[i&1] += v * v
		if a := abs(v); a > peak {
			peak = a
		}
		now := math.Float32bits(v+0) >> 31
		crossings += now ^ sign
		sign = now
	}
	m.cut(pcm, m.last, peak)
	m.last = pcm[len(pcm)-1]
	m.levels.Crossings = float64(crossings) / step
	return float64(sums[0]+sums[1]) / step, peak
}

// abs is the height of a sample.
func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }

// spectrum looks at the last frame.
func (m *Meter) spectrum() {
	ofFrame().Power(m.power[:], m.buf[:], m.work[:], fullScaleSine(frame))
	m.now20 = look(m.power[:], m.logs[:])
	m.lines.follow(m.power[:], m.logs[:])
	m.prints.add(m.power[:], m.now20.power)
	l := &m.levels
	l.Flatness, l.Tonality, l.Centroid = float64(m.now20.flat), float64(m.now20.tonal), float64(m.now20.centroid)
}

// silence is a step in which there is nothing to look at.
func (m *Meter) silence() {
	m.now20 = features{}
	m.lines.n = 0
	m.course.follow(0, 0, m.steps, false)
	m.prints.silence()
	m.levels.Flatness, m.levels.Tonality, m.levels.Centroid = 0, 0, 0
}
