package speech

import (
	"math"
	"strings"
	"unicode"
)

// Gate says when what a recogniser wrote may be gone by. It looks at how the text came
// about, never at what it says: a list of phrases that recognisers invent would be one
// of the languages that its author knows.
type Gate struct {
	// NoSpeech and AvgLogProb together: silence of which the recogniser is no surer
	// than this. They are Whisper's own (Radford et al. 2022, §4.5).
	NoSpeech, AvgLogProb float64
	// Silence is the probability of no speech from which no text counts, however sure.
	Silence float64
	// Doubt is the mean log probability below which a text is less than half sure.
	Doubt float64
	// SpeechMS is how much voice must have been heard in a window.
	SpeechMS int64
	// Pace is the letters a second of voice that nobody speaks faster than; those of
	// scripts that write a syllable with one count as three.
	Pace float64
}

// DefaultGate is what a gateway goes by.
func DefaultGate() Gate {
	return Gate{NoSpeech: 0.6, AvgLogProb: -0.7, Silence: 0.9, Doubt: -1, SpeechMS: 150, Pace: 40}
}

// Reasons why a text is not gone by; "" is that it is.
const (
	ReasonNoVoice   = "no voice was heard"
	ReasonNoSpeech  = "the recogniser takes it for silence"
	ReasonUnsure    = "the recogniser is less than half sure"
	ReasonTooFast   = "more text than anybody says in the time"
	ReasonRepeats   = "the recogniser repeats itself"
	ReasonSameAgain = "the same text fills one window after the other"
)

// Judge says why the result of a window with voicedMS of voice must not be gone by.
func (g Gate) Judge(r *Result, voicedMS int64) string {
	switch {
	case voicedMS < g.SpeechMS:
		return ReasonNoVoice
	case r.NoSpeech >= g.Silence, r.NoSpeech >= g.NoSpeech && r.AvgLogProb < g.AvgLogProb:
		return ReasonNoSpeech
	case r.AvgLogProb < g.Doubt:
		return ReasonUnsure
	case r.Cut:
		return ReasonRepeats
	case weight(r.Text) > 12+g.Pace*float64(voicedMS)/1000:
		return ReasonTooFast
	}
	return ""
}

// Bears reports whether a word of a result may be gone by though the text that it stands
// in may not, for a reason: one of a phrase that the sound bears out as well as what was
// written, among others that were only half understood. A word alone must be likely by
// itself, and so must a phrase in a text that is made up from one end to the other.
func (g Gate) Bears(r *Result, w *Word, reason string) bool {
	if reason != ReasonUnsure || !w.Listed {
		return false
	}
	return w.Phrase && r.AvgLogProb >= 2*g.Doubt || w.Prob >= math.Exp(g.Doubt)
}

// weight is how many letters a text takes to say.
func weight(text string) float64 {
	n := 0.0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
			n += 3
		case unicode.IsLetter(r), unicode.IsDigit(r):
			n++
		}
	}
	return n
}

// Window is one window of a sound and what was written of it.
type Window struct {
	FromMS, ToMS int64
	// Whole is set where the words begin and end with the window, not where the voice
	// in it does.
	Whole bool
	Text  string
}

// SameAgain reports, for each window, whether it is one of a row of windows that touch
// and are each filled from border to border by the same text: what was said does not
// begin and end where somebody happened to cut, what is made up does.
func SameAgain(windows []Window) []bool {
	same := make([]bool, len(windows))
	for i := 1; i < len(windows); i++ {
		a, b := &windows[i-1], &windows[i]
		if a.Whole && b.Whole && a.ToMS == b.FromMS && a.Text != "" && plain(a.Text) == plain(b.Text) {
			same[i-1], same[i] = true, true
		}
	}
	return same
}

// plain is a text without case, marks and spaces.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
