// Package speech holds what a recogniser of speech is asked and answers, and the gate
// between what it wrote and what may be gone by: a recogniser always writes something,
// of silence and noise too. No speech, no verdict. What recognises is engines/audio/whisper.
package speech

import "context"

// Options is what a recogniser is told of a window.
type Options struct {
	// Language is a BCP 47 tag that the speaker is known to use; "" has the recogniser
	// find out, among the languages that it was set up for.
	Language string
	// Partial is set while the stretch of speech goes on: what is written now is
	// written again, so speed counts for more than the last word.
	Partial bool
	// Before is what was written of a window before, its words that lie in this one: where
	// the recogniser writes the same again it is done sooner. It changes nothing else, save
	// that a word that is nearly even with another may come out otherwise. Own is empty in
	// words of another recogniser.
	Before []Word
	// Guess is asked what may have been said instead of words that were written, nil for
	// nothing: what the recogniser holds about as likely is written in their place.
	Guess func(words []string) []Guess
}

// Guess is what may have been said where words [First, After) of a text were written.
type Guess struct {
	First, After int
	Text         string
	// Off is how much of it sounds otherwise than the words, 0 to 1.
	Off float64
}

// Result is what a recogniser wrote of a window.
type Result struct {
	Text string
	// Language is the BCP 47 tag of it; LanguageProb is 1 where it was told.
	Language     string
	LanguageProb float64
	// NoSpeech is the probability that nobody speaks, AvgLogProb the mean log
	// probability of what was written.
	NoSpeech   float64
	AvgLogProb float64
	// Cut is set where the recogniser was stopped since it repeated itself, or wrote
	// more than anybody says in the time.
	Cut   bool
	Words []Word
}

// Word is one word of a result, in a script without spaces as much as the recogniser
// writes at once. AtMS and EndMS count from the start of the window.
type Word struct {
	Text string
	// Glued is set where no space stands before it.
	Glued       bool
	AtMS, EndMS int64
	Prob        float64
	// Own is what the recogniser keeps of it for Options.Before; a guess has none.
	Own []int
	// Listed is set in the words of a guess that the sound bears out, whether they were
	// written at once or in place of others (Options.Guess). Prob is
	// that of the whole guess, or more. Phrase is set where the guess has more words.
	Listed, Phrase bool
}

// Recogniser writes down what is said in a window of sound at engines.SoundRate, which
// it does not keep. It must be safe for concurrent use, bound how many run at once
// itself, and return early with ctx.Err() when ctx ends. The words and the spaces between
// them make Text.
type Recogniser interface {
	Recognise(ctx context.Context, pcm []float32, o Options) (Result, error)
}
