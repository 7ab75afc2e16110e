package acoustic_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// hear gives a case to a meter in blocks that are no multiple of a step, telling it
// every 32 ms whether somebody speaks.
func hear(c *sounds.Case, speech float64) []engines.Anomaly {
	m, other, heard := acoustic.New(acoustic.Defaults()), acoustic.New(acoustic.Defaults()), &acoustic.Trace{}
	for at := 0; at < len(c.PCM); at += 512 {
		end := min(len(c.PCM), at+512)
		m.Push(c.PCM[at:end])
		m.Speech(int64(at/16), speech)
		if c.Other != nil {
			other.Push(c.Other[at:end])
			if at%(512*30) == 0 {
				other.Leave(heard)
				m.Echo([]acoustic.Other{{Trace: heard}})
			}
		}
	}
	m.End()
	return m.Drain(nil)
}

// TestKinds has a few of what eval audio has many of: each kind is found where it is,
// with what was measured.
func TestKinds(t *testing.T) {
	for i, kind := range sounds.Kinds {
		found := 0
		const cases = 2
		for n := range uint64(cases) {
			r := sounds.Rand(500 + uint64(i)*100 + n)
			c := sounds.Faulty(r, kind, sounds.Made)
			speech := 0.0
			if kind == "loud" || kind == "clipping" || kind == "scream" {
				speech = 0.9
			}
			for _, a := range hear(&c, speech) {
				if a.Measure == "" || a.Confidence < 0.5 || a.Confidence > 1 || a.FromMS < 0 || a.ToMS <= a.FromMS || a.ToMS > int64(len(c.PCM)/16) {
					t.Errorf("%s %d: %+v", kind, n, a)
				}
				if a.Kind == kind && a.FromMS < c.ToMS+1000 && a.ToMS > c.FromMS {
					found++
					break
				}
			}
		}
		if found < cases {
			t.Errorf("%s: %d of %d found", kind, found, cases)
		}
	}
}

// TestNothing: quiet rooms, and somebody who talks, are nothing.
func TestNothing(t *testing.T) {
	for n := range uint64(6) {
		c := sounds.Spoken(sounds.Rand(700+n), sounds.Made)
		// Babble has eight vowels, computed alike each time, which a soundboard has too.
		list := slices.DeleteFunc(hear(&c, 0.9), func(a engines.Anomaly) bool { return a.Kind == "soundboard" })
		if len(list) > 0 {
			t.Errorf("speech %d: %+v", n, list)
		}
	}
	quiet := sounds.Case{PCM: sounds.At(sounds.Noise(sounds.Rand(9), 40, -3), -62)}
	if list := hear(&quiet, 0); len(list) > 0 {
		t.Errorf("a quiet room: %+v", list)
	}
	digital := sounds.Case{PCM: sounds.Silence(40)}
	if list := hear(&digital, 0); len(list) > 0 {
		t.Errorf("silence: %+v", list)
	}
}

// TestGoesOn: a stretch is told once when it has lasted, and once more when it is over.
func TestGoesOn(t *testing.T) {
	m := acoustic.New(acoustic.Defaults())
	of := func(list []engines.Anomaly) []engines.Anomaly {
		return slices.DeleteFunc(list, func(a engines.Anomaly) bool { return a.Kind != "tone" })
	}
	m.Push(sounds.Silence(1))
	for range 3 {
		m.Push(sounds.Gain(sounds.Sine(1000, 0.2), -20))
		if list := of(m.Drain(nil)); len(list) > 0 {
			t.Errorf("before its time: %+v", list)
		}
	}
	m.Push(sounds.Gain(sounds.Sine(1000, 1), -20))
	first := of(m.Drain(nil))
	if len(first) != 1 || first[0].FromMS < 950 || first[0].FromMS > 1100 {
		t.Fatalf("%+v, want a tone from 1000 ms", first)
	}
	m.Push(sounds.Gain(sounds.Sine(1000, 1), -20))
	if list := of(m.Drain(nil)); len(list) > 0 {
		t.Errorf("told again while it goes on: %+v", list)
	}
	m.Push(sounds.Silence(3))
	last := of(m.Drain(nil))
	if len(last) != 1 || last[0].FromMS != first[0].FromMS || last[0].ToMS < 3400 || last[0].ToMS > 5700 {
		t.Errorf("%+v, want the same until 3600 ms", last)
	}
}

// TestFull: who never fetches loses what is new, and nothing else happens.
func TestFull(t *testing.T) {
	m := acoustic.New(acoustic.Defaults())
	for range 100 {
		m.Push(sounds.Sine(1000, 1.5))
		m.Push(sounds.Silence(3.2))
	}
	if n := len(m.Drain(nil)); n == 0 || n > 64 {
		t.Errorf("%d waited, want up to 64", n)
	}
	if list := m.Drain(nil); len(list) > 0 {
		t.Errorf("twice: %+v", list)
	}
}

// TestSet: what a policy says holds from then on, and of a stretch that goes on too.
func TestSet(t *testing.T) {
	loud := func(m *acoustic.Meter) int {
		return len(slices.DeleteFunc(m.Drain(nil), func(a engines.Anomaly) bool { return a.Kind != "loud" }))
	}
	cfg := acoustic.Defaults()
	m := acoustic.New(cfg.With(&engines.AcousticOver{"loud": {"momentary_ms": 60_000, "short_term_ms": 60_000}}))
	m.Push(sounds.Gain(sounds.Sine(1000, 4), -3))
	if n := loud(m); n != 0 {
		t.Fatalf("told %d times before its time", n)
	}
	m.Set(cfg.With(&engines.AcousticOver{"loud": {"momentary_lufs": -20}}))
	m.Push(sounds.Gain(sounds.Sine(1000, 0.5), -3))
	if n := loud(m); n != 1 {
		t.Errorf("told %d times, want once", n)
	}
	if cfg.With(nil) != cfg {
		t.Error("nothing said changes something")
	}
	// Every limit is one of the configuration, and the other way round.
	for _, l := range engines.AcousticLimits {
		if cfg.With(&engines.AcousticOver{l.Kind: {l.Key: l.Most}}) == cfg && cfg.With(&engines.AcousticOver{l.Kind: {l.Key: l.Least}}) == cfg {
			t.Errorf("%s.%s is nothing of the configuration", l.Kind, l.Key)
		}
	}
}

// TestShortSounds: a bang of a fifth of a second that comes again is a soundboard's, three
// different ones aren't.
func TestShortSounds(t *testing.T) {
	bang := func(seed uint64) []float32 {
		hit := sounds.Noise(sounds.Rand(seed), 0.2, -3)
		for i := range hit {
			hit[i] *= float32(math.Exp(-5 * float64(i) / float64(len(hit))))
		}
		return sounds.Gain(hit, 8)
	}
	for name, seeds := range map[string][]uint64{"same": {1, 1, 1}, "different": {1, 2, 3}} {
		pcm := sounds.At(sounds.Noise(sounds.Rand(5), 12, -3), -75)
		for i, seed := range seeds {
			sounds.Add(pcm, bang(seed), 2+2.53*float64(i))
		}
		c := sounds.Case{PCM: pcm}
		found := slices.ContainsFunc(hear(&c, 0), func(a engines.Anomaly) bool { return a.Kind == "soundboard" })
		if found != (name == "same") {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

func TestValidate(t *testing.T) {
	good := acoustic.Defaults()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	bad := good
	bad.Echo.MaxDelay, bad.Loud.ShortTerm, bad.Soundboard.Repeats = 5000, 1, 0
	err := bad.Validate()
	for _, want := range []string{"echo.max_delay_ms", "loud.short_term_lufs", "soundboard.repeats"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

// Who speaks in a scene of others who speak as well is none of their echoes: each is held
// against all others again and again, at whatever delay.
func TestTalkersAreNoEchoes(t *testing.T) {
	const talkers, seconds = 16, 10
	var meters [talkers]*acoustic.Meter
	var pcm [talkers][]float32
	for i := range meters {
		c := sounds.Spoken(sounds.Rand(9000+uint64(i)), sounds.Made)
		meters[i], pcm[i] = acoustic.New(acoustic.Defaults()), c.PCM
	}
	var traces [talkers]acoustic.Trace
	looks := 0
	for at := 0; at+8000 <= seconds*16000; at += 8000 {
		for i, m := range meters {
			if at+8000 <= len(pcm[i]) {
				m.Push(pcm[i][at : at+8000])
			}
		}
		for i, m := range meters {
			m.Leave(&traces[i])
		}
		for i, m := range meters {
			var others []acoustic.Other
			for j := range traces {
				if j != i {
					others = append(others, acoustic.Other{ID: uint64(j), Trace: &traces[j], Ahead: int64(j-i) * 20})
				}
			}
			if of, delay, ok := m.Echo(others); ok {
				t.Errorf("%d is the echo of %d, %d ms later", i, of, delay)
			}
			looks += len(others)
		}
	}
	if looks < 4000 {
		t.Errorf("%d looks", looks)
	}
}

// TestShiftedSounds: bangs that come again at any part of a step are a soundboard's.
func TestShiftedSounds(t *testing.T) {
	cases, found := 0, 0
	for seed := range uint64(60) {
		r := sounds.Rand(400 + seed)
		sound, what := sounds.Jingle(r)
		if what != "bangs" {
			continue
		}
		pcm := sounds.At(sounds.Noise(r, 14, -3), -70)
		for i := range 3 {
			sounds.Add(pcm, sounds.At(slices.Clone(sound), -16-4*r.Float64()), 1+4*float64(i)+r.Float64())
		}
		c := sounds.Case{PCM: pcm}
		cases++
		if has(hear(&c, 0), "soundboard") {
			found++
		}
	}
	if cases < 10 || found < cases*95/100 {
		t.Errorf("%d of %d found", found, cases)
	}
}
