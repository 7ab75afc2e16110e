package voice

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/pion/opus"

	"github.com/portcullis-gg/portcullis/engines"
)

// source is the kind of sound that packets hold.
type source interface {
	// decode gives the sound of one packet at engines.SoundRate, mono; it is valid until
	// the next call. An error is one of the packet.
	decode(payload []byte) ([]float32, error)
	// ticks is how long a packet lasts at clock, 0 where it is malformed.
	ticks(payload []byte) int
	pcm() bool
	// earlier gives the sound of the packet before, which was lost, as far as the next one
	// tells of it; it is asked before that one is decoded, and valid until the next call.
	earlier(payload []byte) []float32
}

// opusSource decodes Opus straight to 16 kHz mono.
type opusSource struct {
	dec        opus.Decoder
	out, again []float32
	packet     []byte // of what was lost
}

func newOpus() (*opusSource, error) {
	dec, err := opus.NewDecoderWithOutput(engines.SoundRate, 1)
	if err != nil {
		return nil, fmt.Errorf("opus decoder: %w", err)
	}
	return &opusSource{dec: dec, out: make([]float32, engines.SoundRate*120/1000)}, nil
}

func (o *opusSource) decode(p []byte) ([]float32, error) {
	n, err := o.dec.DecodeToFloat32(p, o.out)
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return o.out[:n], nil
}

func (o *opusSource) earlier(p []byte) []float32 {
	r := redundant(o.packet, p)
	if r == nil {
		return nil
	}
	o.packet = r
	if o.again == nil {
		o.again = make([]float32, engines.SoundRate*20/1000)
	}
	n, err := o.dec.DecodeToFloat32(r, o.again)
	if err != nil {
		return nil
	}
	return o.again[:n]
}

func (o *opusSource) ticks(p []byte) int { return opusSamples(p) }
func (o *opusSource) pcm() bool          { return false }

// pcmSource takes 16 bit PCM, little endian, of any rate and one or two channels.
type pcmSource struct {
	rate, channels int
	to             Resampler // nil where the rate is ours
	mono, out      []float32
}

func (s *pcmSource) decode(p []byte) ([]float32, error) {
	s.mono = s.mono[:0]
	step := 2 * s.channels
	for i := 0; i+step <= len(p); i += step {
		v := 0
		for ch := range s.channels {
			v += int(int16(binary.LittleEndian.Uint16(p[i+2*ch:]))) //nolint:gosec // the sign is what is wanted
		}
		s.mono = append(s.mono, float32(v)/float32(32768*s.channels))
	}
	if s.to == nil {
		return s.mono, nil
	}
	s.out = s.to.Push(s.out[:0], s.mono)
	return s.out, nil
}

func (s *pcmSource) ticks(p []byte) int { return len(p) / (2 * s.channels) * clock / s.rate }
func (s *pcmSource) pcm() bool          { return true }

func (s *pcmSource) earlier([]byte) []float32 { return nil }

const (
	// fillMost is the longest pause that is filled with silence; after a longer one the
	// ear starts anew, at a later time.
	fillMost = 10 * clock
	// lagMost is when sound counts as measured too late.
	lagMost = 200 * time.Millisecond
	// lull is a pause in one, while packets come every 20 ms and are held for 40.
	lull = 100 * time.Millisecond
	// quiet ends a stretch of speech of which nothing more has come.
	quiet = 300 * time.Millisecond
)

// ear hears one call. It belongs to the worker whose turn the call is.
type ear struct {
	call   *Call
	source source
	order  order
	batch  []packet

	started bool
	base    int64  // samples that the meter has not heard, as it started later
	at      int64  // samples heard, pauses counted
	ts      uint32 // that the next packet would have
	pauses  pauses
	meter   Meter
	speech  Speech
	edges   *edges    // that speech has told of
	unheard []float32 // for the model of speech, see speechBlock
	last    []float32 // what was heard last, to conceal a gap
	gap     []float32 // that is concealed
	blank   []float32
	raw     []byte // a block of sound on its way into the archive
	found   []engines.Anomaly
	cut     cutter
	dead    bool // its model failed: measured, not listened to

	clock      meterClock
	overhearAt int64 // sample at which others are looked for
	overheard  int   // whose turn it is
	others     []Overheard
}

func newEar(c *Call, s source) *ear {
	e := &ear{call: c, source: s, blank: make([]float32, engines.SoundRate/50)}
	e.anew()
	return e
}

// anew starts the meter and the ear for speech at the time that it is.
func (e *ear) anew() {
	e.base, e.unheard, e.clock = e.at, e.unheard[:0], meterClock{}
	e.meter = e.call.hub.deps.Meter(e.call.item(&window{arrived: e.call.hub.now()}))
	if e.call.hub.deps.Speech != nil && !e.dead {
		told := &edges{}
		e.edges = told // what is still told of the sound before is not looked at
		e.speech = e.call.hub.deps.Speech(func(edge Edge) {
			if told.put(edge) {
				e.call.wake()
			}
		})
	}
}

// hear takes everything that waits in the call's ring.
func (e *ear) hear() {
	c, m := e.call, e.call.hub.m
	over := c.over() // before the ring is looked at: what came before the end is heard
	var dropped int64
	e.batch, dropped = c.ring.take(e.batch[:0])
	m.dropped.Add(float64(dropped))
	e.bound()
	for i := range e.batch {
		e.order.push(e.batch[i], e.take)
		e.batch[i] = packet{}
	}
	now := c.hub.now()
	e.order.expire(now, e.take)
	if over {
		e.order.flush(e.take)
		e.cut.close(e)
	} else if e.cut.open && now-c.last.Load() > int64(quiet) {
		e.cut.end(e, e.at) // it stopped sending: silence is not always sent
	} else if e.cut.open && now-c.last.Load() > int64(lull) {
		e.cut.pause(e)
	}
	m.late.Add(float64(e.order.late))
	m.lost.Add(float64(e.order.lost))
	e.order.late, e.order.lost = 0, 0
	c.pending.Store(e.order.waiting() || e.cut.open)
	c.talks.Store(e.cut.open || e.speech == nil)
}

// take hears one packet in its turn, and what is missing before it.
func (e *ear) take(p packet, lost int) {
	ticks := e.source.ticks(p.payload)
	if ticks == 0 {
		if len(p.payload) > 0 { // an empty one says that there is nothing to say
			e.call.hub.m.malformed.Inc()
		}
		return
	}
	gap := int32(0)
	if e.started && p.source == e.order.source {
		gap = int32(p.ts - e.ts) //nolint:gosec // the distance around the circle is what is wanted
	}
	gap = e.pauses.take(gap, p.arrived)
	e.pauses.sound(ticks)
	var told []float32 // of what was lost
	if lost > 0 && gap > 0 && gap <= fillMost {
		told = e.source.earlier(p.payload)
	}
	e.started, e.ts = true, p.ts+uint32(ticks) //nolint:gosec // 120 ms at most
	sound, err := e.source.decode(p.payload)
	if err != nil {
		e.call.hub.m.malformed.Inc()
		sound = e.silent(ticks / 3)
	}
	e.fill(gap, lost, told, sound)
	e.keep(&p, sound)
	e.clock.came(p.arrived, (e.at-e.base+int64(len(sound)))*int64(time.Second)/engines.SoundRate)
	e.sound(sound, p.arrived)
	e.call.hub.m.heard.Inc()
	lag := time.Duration(e.call.hub.now() - p.arrived)
	e.call.hub.m.lag.Observe(lag.Seconds())
	if lag > lagMost {
		e.call.hub.lagging(lag)
	}
}

// keep puts a packet into the archive, at the place that it has in the call.
func (e *ear) keep(p *packet, sound []float32) {
	kept := piece{at: e.at, samples: int32(len(sound)), payload: p.payload} //nolint:gosec // 120 ms at most
	if e.source.pcm() {
		e.raw = e.raw[:0]
		for _, v := range sound {
			e.raw = binary.LittleEndian.AppendUint16(e.raw, uint16(toPCM16(v))) //nolint:gosec // the bits are what is wanted
		}
		kept.payload = e.raw
	}
	e.call.archive.put(kept)
}

// fill hears the time between two packets: what was lost is concealed, up to what the
// next one tells of it, what was not sent is silence.
func (e *ear) fill(gap int32, lost int, told, next []float32) {
	switch {
	case gap <= 0:
		return // a clock that stood still or went back: what comes now follows at once
	case gap > fillMost:
		e.cut.end(e, e.at)
		e.at += int64(min(gap, clock*3600)) * engines.SoundRate / clock
		e.anew()
		return
	}
	samples := int(gap) * engines.SoundRate / clock
	told = told[max(0, len(told)-samples):]
	samples -= len(told)
	if lost > 0 {
		if len(told) > 0 {
			next = told
		}
		samples -= e.conceal(samples, next)
	}
	for samples > 0 {
		part := e.silent(min(samples, len(e.blank)))
		e.sound(part, 0)
		samples -= len(part)
	}
	e.sound(told, 0)
}

func (e *ear) silent(n int) []float32 {
	for len(e.blank) < n {
		e.blank = append(e.blank, 0)
	}
	return e.blank[:n]
}

// conceal bridges what was lost, which is less than a hole: that sounds like a click and a
// pause of speech. A gap that is longer than what is bridged is silent behind it: most of
// it was not lost.
func (e *ear) conceal(samples int, next []float32) int {
	if samples > 2*concealMS*perMS {
		samples, next = concealMS*perMS, nil
	}
	if len(e.gap) < samples {
		e.gap = make([]float32, 2*concealMS*perMS)
	}
	part := e.gap[:samples]
	mend(part, e.last, next)
	e.sound(part, 0)
	return samples
}

// sound measures a stretch and looks for speech in it. arrived is when its packet came,
// 0 for one that never did.
func (e *ear) sound(pcm []float32, arrived int64) {
	if len(pcm) == 0 {
		return
	}
	e.cut.add(pcm, arrived)
	e.at += int64(len(pcm))
	if arrived != 0 {
		old := e.last[min(len(e.last), max(0, len(e.last)+len(pcm)-kept)):]
		e.last = append(e.last[:copy(e.last, old)], pcm[max(0, len(pcm)-kept):]...)
	}
	e.meter.Push(pcm)
	e.listen(pcm)
	e.overhear()
	e.found = e.meter.Drain(e.found[:0])
	for i := range e.found {
		e.found[i].FromMS += e.base / perMS
		e.found[i].ToMS += e.base / perMS
	}
	e.cut.sounded(e, e.found)
}

// speechBlock is how much sound the model for speech gets at once, in samples: four of
// its frames cost half of what four times one does (126 us of CPU time a frame against
// 237, measured), and speech found 100 ms later is windowed no later, as a window has
// the sound before. While somebody speaks it gets a frame at a time: what is waited for
// then is the end of a phrase.
const (
	speechBlock = 2048
	frameBlock  = 512
)

// listen looks for speech in a stretch, a block at a time.
func (e *ear) listen(pcm []float32) {
	if e.speech == nil {
		return
	}
	block := speechBlock
	if e.cut.open {
		block = frameBlock
	}
	if e.unheard = append(e.unheard, pcm...); len(e.unheard) < block {
		return
	}
	err := e.speech.Push(e.unheard)
	e.unheard = e.unheard[:0]
	e.bound()
	if m, ok := e.meter.(Attentive); ok {
		p := 0.0
		if e.cut.open {
			p = 1
		}
		m.Speech((e.at-e.base)/perMS, p)
	}
	if err != nil {
		e.call.hub.log.Error("voice: the model for speech failed: this call is measured, and not listened to", "err", err)
		e.speech, e.dead = nil, true
	}
}

// bound cuts where speech was found to begin, pause or end.
func (e *ear) bound() {
	if e.edges == nil {
		return
	}
	for _, edge := range e.edges.take() {
		e.cut.edge(e, edge.AtMS*perMS+e.base, edge)
	}
}

// toPCM16 is without min and max, which see to NaN and to the two zeros.
func toPCM16(v float32) int16 {
	v *= 32768
	if v > 32767 {
		return 32767
	}
	if v < -32768 {
		return -32768
	}
	return int16(v)
}
