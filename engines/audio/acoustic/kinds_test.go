package acoustic_test

import (
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// hear gives a case to a meter in blocks that are no multiple of a step, telling it
// every 32 ms whether somebody speaks.
func hear(c *sounds.Case, speech float64) []engines.Anomaly {
	m, other, heard := acoustic.New(acoustic.Defaults()), acoustic.New(acoustic.Defaults()), &acoustic.Print{}
	for at := 0; at < len(c.PCM); at += 512 {
		end := min(len(c.PCM), at+512)
		m.Push(c.PCM[at:end])
		m.Speech(int64(at/16), speech)
		if c.Other != nil {
			other.Push(c.Other[at:end])
			if at%(512*30) == 0 {
				other.Print(heard)
				m.Echo(heard, 0)
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

func TestValidate(t *testing.T) {
	good := acoustic.Defaults()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	var bad acoustic.Config
	bad.Echo.MaxDelay = 5000
	if err := bad.Validate(); err == nil {
		t.Error("an empty configuration is valid")
	}
}
