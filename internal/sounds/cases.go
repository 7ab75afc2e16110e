package sounds

import "math/rand/v2"

// Case is a sound with one known fault, or none.
type Case struct {
	// Kind is that of engines.Anomaly, "" for none.
	Kind string
	// What says which of the sounds of a kind it is, "" where they are not told apart.
	What         string
	PCM          []float32
	FromMS, ToMS int64
	// Other is, for an echo, what its source said; it lies at the same time.
	Other []float32
}

// Kinds lists what Faulty makes.
var Kinds = []string{"loud", "clipping", "noise", "hum", "tone", "music", "soundboard", "scream", "echo", "open_mic"}

// Talk gives so many seconds of somebody speaking, at any level.
type Talk func(r *rand.Rand, seconds float64) []float32

// Made is Talk without words.
func Made(r *rand.Rand, seconds float64) []float32 { return Babble(r, NewVoice(r), seconds) }

// Faulty makes a case of a kind: levels, lengths, frequencies and what else is heard
// vary.
func Faulty(r *rand.Rand, kind string, talk Talk) Case {
	switch kind {
	case "soundboard":
		return soundboard(r, talk)
	case "echo":
		return echo(r, talk)
	case "open_mic":
		return openMic(r)
	}
	c := Case{Kind: kind, PCM: Silence(12)}
	Add(c.PCM, room(r, 12), 0)
	from := between(r, 1, 3)
	fault, what, spoken := fault(r, kind, talk)
	c.What = what
	if spoken > -100 {
		Add(c.PCM, SpokenAt(talk(r, 12), spoken), 0)
	}
	Add(c.PCM, fault, from)
	Limit(c.PCM)
	c.FromMS = int64(from * 1000)
	c.ToMS = c.FromMS + int64(len(fault))*1000/Rate
	return c
}

// fault is what is wrong, which of its kind, and the level at which somebody speaks
// besides; -120 for nobody.
func fault(r *rand.Rand, kind string, talk Talk) (pcm []float32, what string, spoken float64) {
	spoken = -120
	if r.IntN(2) == 0 {
		spoken = between(r, -34, -20)
	}
	switch kind {
	case "loud":
		seconds := between(r, 1.8, 5)
		switch r.IntN(3) {
		case 0:
			return At(Music(r, seconds), between(r, -8, -3)), "", -120
		case 1:
			return At(Fan(r, seconds), between(r, -7, -3)), "", -120
		}
		// Somebody who shouts has few pauses: two voices laid over each other.
		pcm = Add(SpokenAt(talk(r, seconds), -20), SpokenAt(talk(r, seconds), -20), 0)
		return Limit(SpokenAt(pcm, between(r, -3, 0))), "", -120
	case "clipping":
		pcm = talk(r, between(r, 2, 5))
		if r.IntN(3) == 0 {
			pcm = Music(r, between(r, 2, 5))
		}
		return Gain(Overdrive(pcm, between(r, 0.04, 0.25)), between(r, -12, 0)), "", -120
	case "noise":
		return At(Fan(r, between(r, 4, 8)), between(r, -36, -14)), "", spoken
	case "hum":
		return At(Hum(r, between(r, 4, 8)), between(r, -44, -18)), "", spoken
	case "tone":
		level := between(r, -38, -8)
		if spoken > -100 {
			spoken = min(spoken, level+3)
		}
		pcm, what = AnyTone(r, between(r, 2.5, 7))
		return At(pcm, level), what, spoken
	case "music":
		pcm, what = AnyMusic(r, between(r, 7, 9))
		return At(pcm, between(r, -36, -12)), what, -120
	default: // scream
		return At(Scream(r, between(r, 0.9, 2.5)), between(r, -16, -6)), "", -120
	}
}

// room is what a quiet room sounds like.
func room(r *rand.Rand, seconds float64) []float32 {
	return At(Noise(r, seconds, between(r, -6, 0)), between(r, -85, -58))
}

// soundboard has the same sound three or four times, not quite as loud each time, and
// something else between.
func soundboard(r *rand.Rand, talk Talk) Case {
	c := Case{Kind: "soundboard", PCM: Silence(28)}
	sound, what := Jingle(r)
	c.What = what
	level := between(r, -30, -12)
	Add(c.PCM, room(r, 28), 0)
	at := between(r, 0.5, 2)
	c.FromMS = int64(at * 1000)
	for range 3 + r.IntN(2) {
		again := At(append([]float32(nil), sound...), level+between(r, -3, 3))
		Add(c.PCM, again, at)
		at += float64(len(sound)) / Rate
		c.ToMS = int64(at * 1000)
		gap := between(r, 0.8, 5)
		if r.IntN(2) == 0 && gap > 1.6 {
			Add(c.PCM, Fade(SpokenAt(talk(r, gap-0.6), between(r, -32, -18))), at+0.3)
		}
		at += gap
	}
	Limit(c.PCM)
	return c
}

// echo has what another said, out of a loudspeaker and back through the room.
func echo(r *rand.Rand, talk Talk) Case {
	c := Case{Kind: "echo", PCM: Silence(12), Other: SpokenAt(talk(r, 12), between(r, -30, -16))}
	Add(c.PCM, room(r, 12), 0)
	back := Heard(r, c.Other)
	Add(c.PCM, SpokenAt(back, between(r, -46, -22)), between(r, 0.06, 0.6))
	c.ToMS = 12_000
	return c
}

// openMic has forty seconds of something that nobody says.
func openMic(r *rand.Rand) Case {
	const seconds = 40
	c := Case{Kind: "open_mic", ToMS: seconds * 1000}
	switch r.IntN(3) {
	case 0:
		c.PCM = At(Fan(r, seconds), between(r, -48, -22))
	case 1:
		c.PCM = At(Music(r, seconds), between(r, -40, -20))
	default:
		c.PCM = At(Hum(r, seconds), between(r, -45, -22))
	}
	Add(c.PCM, room(r, seconds), 0)
	return c
}

// Spoken makes a case without a fault: somebody speaks for ten seconds, in a room or
// close to the microphone, loud or soft.
func Spoken(r *rand.Rand, talk Talk) Case {
	c := Case{PCM: Silence(10)}
	voice := talk(r, 10)
	if r.IntN(3) == 0 {
		voice = Heard(r, voice)
	}
	Add(c.PCM, SpokenAt(voice, between(r, -36, -16)), 0)
	Limit(Add(c.PCM, room(r, 10), 0))
	return c
}
