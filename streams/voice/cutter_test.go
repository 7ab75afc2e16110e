package voice

import "testing"

// The cutter has all sound since a stretch of speech began, and two seconds where nobody
// speaks, and not much more; it gives the room of a long stretch back.
func TestCutterKeepsWhatAWindowNeeds(t *testing.T) {
	var c cutter
	sample := func(at int64) float32 { return float32(at%20_000) / 32768 }
	said := func(seconds int) {
		for range seconds * 50 {
			part := make([]float32, 320)
			for i := range part {
				part[i] = sample(c.until + int64(i))
			}
			c.add(part, 1)
			need := min(c.until, int64(samplesOf(around)))
			if c.open {
				need = c.until - c.from
			}
			if have := int64(len(c.pcm)); have < need {
				t.Fatalf("%d samples at %d, want %d", have, c.until, need)
			}
			for _, at := range []int64{0, int64(len(c.pcm)) / 2, int64(len(c.pcm)) - 1} {
				if got, want := c.pcm[at], toPCM16(sample(c.first()+at)); got != want {
					t.Fatalf("sample %d is %d, want %d", c.first()+at, got, want)
				}
			}
		}
	}
	said(10)
	if most := samplesOf(around + 2*spare); cap(c.pcm) > most {
		t.Errorf("room for %d samples where nobody speaks, want %d at most", cap(c.pcm), most)
	}
	c.open, c.from = true, c.until-int64(samplesOf(before))
	said(2)
	if most := samplesOf(around + before + 2*spare); cap(c.pcm) > most {
		t.Errorf("room for %d samples after two seconds of speech, want %d at most", cap(c.pcm), most)
	}
	said(4)
	c.open = false
	said(10)
	if most := 2 * samplesOf(around+2*spare); cap(c.pcm) > most {
		t.Errorf("room for %d samples after a long stretch, want %d at most", cap(c.pcm), most)
	}
}
