package audio

// The bounds of a stretch of speech in a file.
const (
	speaks    = 0.5  // somebody begins to speak
	silent    = 0.35 // and has not stopped while it is more
	leadMS    = 200  // before the first frame: consonants are not voiced
	hangMS    = 500  // of silence end a stretch
	longestMS = 25_000
)

// stretch is one in which somebody speaks, with what of it is voice.
type stretch struct{ fromMS, toMS, voicedMS int64 }

// voice finds the stretches of speech in the probabilities of frames.
type voice struct {
	on       bool
	fromMS   int64 // of the stretch that goes on
	lastMS   int64 // end of its last frame with voice
	voicedMS int64
	atMS     int64 // end of the last frame
	freeMS   int64 // where the next stretch may begin
}

// push takes the frame that begins at atMS; ended is set where it ends a stretch.
func (v *voice) push(atMS int64, p float64) (s stretch, ended bool) {
	const frameMS = 32
	end := atMS + frameMS
	v.atMS = end
	switch {
	case !v.on && p >= speaks:
		v.on, v.voicedMS = true, 0
		v.fromMS = max(v.freeMS, atMS-leadMS)
		fallthrough
	case v.on && p >= silent:
		v.lastMS = end
		v.voicedMS += frameMS
	}
	switch {
	case !v.on:
		return stretch{}, false
	case end-v.lastMS >= hangMS:
		return v.close(v.lastMS + leadMS), true
	case end-v.fromMS >= longestMS:
		return v.close(end), true
	}
	return stretch{}, false
}

// finish ends the stretch that goes on, if there is one, at the end of the sound.
func (v *voice) finish(endMS int64) (s stretch, ended bool) {
	if !v.on {
		return stretch{}, false
	}
	return v.close(min(endMS, v.lastMS+leadMS)), true
}

func (v *voice) close(toMS int64) stretch {
	s := stretch{v.fromMS, toMS, v.voicedMS}
	v.on, v.freeMS = false, toMS
	return s
}

// needsFrom is from when on the sound may still be asked for.
func (v *voice) needsFrom() int64 {
	if v.on {
		return v.fromMS
	}
	return max(0, v.atMS-leadMS)
}
