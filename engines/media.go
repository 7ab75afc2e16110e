package engines

import "sync/atomic"

// Use says what a picture is for, which selects the layer of policy that holds for it.
type Use string

// The uses of a picture.
const (
	UseAvatar     Use = "avatar"
	UseScreenshot Use = "screenshot"
	UseSkin       Use = "skin"
	UseUpload     Use = "upload"
	UseEmblem     Use = "guild_emblem"
)

// The uses of a sound.
const (
	// UseVoice is a window of a live call.
	UseVoice Use = "voice"
	// UseClip is an uploaded file.
	UseClip Use = "clip"
)

// Uses lists the uses of a picture.
var Uses = []Use{UseAvatar, UseScreenshot, UseSkin, UseUpload, UseEmblem}

// SoundUses lists the uses of a sound.
var SoundUses = []Use{UseClip, UseVoice}

// Media is the picture or sound of an Item. It is shared by the copies of an item, so
// nothing of it changes but what engines learn.
type Media struct {
	// Bytes are the file as sent. Engines only read them.
	Bytes []byte
	// Type is the media type that the caller named, "" when none: a claim to hold
	// against the content, never to go by.
	Type string
	Use  Use
	// File is where the desk has put the bytes of a check that waits its turn, "" where
	// they are in Bytes. Engines never see it.
	File string
	// Sound is what this process has of a live call's window besides Bytes; nil for
	// files, and in other processes.
	Sound *Sound

	facts atomic.Pointer[MediaFacts]
	voice atomic.Pointer[func() ([]float32, error)]
}

// Learn keeps what an engine learned of the media besides signals. It is the one
// thing of an item that an engine may write; facts must not change after. What comes
// after an engine's deadline is seen by nobody who has left.
func (m *Media) Learn(facts *MediaFacts) { m.facts.Store(facts) }

// Leave keeps what makes the Voice of a window's only stretch, which takes a network some
// milliseconds, for who asks for it with Voice on the machine that listened; nil keeps
// nothing.
func (m *Media) Leave(voice func() ([]float32, error)) { m.voice.Store(&voice) }

// Voice is what was left, made now and no second time; nil where nothing was.
func (m *Media) Voice() ([]float32, error) {
	if left := m.voice.Swap(nil); left != nil && *left != nil {
		return (*left)()
	}
	return nil, nil
}

// Facts is what was learned so far, nil for nothing. It must not be changed.
func (m *Media) Facts() *MediaFacts { return m.facts.Load() }

// SoundRate is the rate of sound within: Hz, mono.
const SoundRate = 16000

// Sound is a window of a live call.
type Sound struct {
	// PCM is the sound at SoundRate, mono, -1 to 1.
	PCM []float32
	// OffsetMS is when the window begins, from the start of its call.
	OffsetMS int64
	// Partial is set while the stretch of speech still goes on.
	Partial bool
	// Paused is set where nobody speaks just now, in a window that is Partial: most of them
	// are the end of what somebody has to say, and its verdict is waited for.
	Paused bool
	// Anomalies are those that the call has come to since its last window.
	Anomalies []Anomaly
	// Sift leaves of what was found in the window what no earlier window was flagged
	// for; nil leaves all. It is for who hands the window to an engine.
	Sift func(found []Signal) []Signal
	// Clip is the call around the window as a file, from 10 s before it: what is kept as
	// evidence. It is the same at every call; nil has the window itself kept.
	Clip func() []byte
	// ClipMS is when what is kept begins, from the start of the call.
	ClipMS int64
}

// Anomaly is one stretch of sound that is not as it should be.
type Anomaly struct {
	// Kind is a sub-label of Category Acoustic: loud, clipping, noise, hum, tone, music,
	// soundboard, scream, echo, open_mic.
	Kind string
	// FromMS and ToMS bound it, from the start of the file or call.
	FromMS, ToMS int64
	// Measure is what was measured (lufs_m, lufs_s, dbtp, clipped, flatness, tonality,
	// repeats, …), Value what came out and Threshold what it had to pass.
	Measure          string
	Value, Threshold float64
	// Confidence is the probability, 0 to 1, that it is what Kind says.
	Confidence float64
}

// Spoken is one word of a transcript.
type Spoken struct {
	Text       string
	FromMS     int64
	ToMS       int64
	Confidence float64
	// Doubted is set where the word must not be gone by; see MediaFacts.Unreliable.
	Doubted bool
	// Glued is set where no space stands before it.
	Glued bool
	// Listed is set where the word is of the phrases that are looked for and the sound
	// bears it out: what writes speech down may have written something else by itself.
	Listed bool
}

// Stretch is a part of a sound.
type Stretch struct {
	FromMS, ToMS int64
	// Speaker numbers the voices of one sound, or of one player's calls in a session, from
	// 1; 0 where nobody looked, or there was too little to tell.
	Speaker int
	// Voice is what a network made of the voice, on its way from who listens to who
	// numbers. It is personal data: it is in no record and no answer.
	Voice []float32
}

// MediaFacts describes a picture or a sound: what it is, not what is wrong with it.
type MediaFacts struct {
	// Format is what the content is: jpeg, png, gif, webp, bmp; wav, mp3, flac, ogg_opus.
	Format        string
	Width, Height int // px, as shown (orientation applied)
	Frames        int // 1 for a still
	DurationMS    int64
	// ClipMS is when what is kept of a live call begins, from its start: every other time
	// here, and every place of a signal, is from the start of the call too. 0 for a file.
	ClipMS int64
	// Trailing is how many bytes lie behind the picture's end, which viewers ignore.
	Trailing int
	SHA256   [32]byte
	// PDQ is the perceptual hash of the first frame and PDQQuality its quality, 0 to
	// 100; below 50 it says little.
	PDQ        [32]byte
	PDQQuality int
	// Text are the lines that were read in the picture, top to bottom.
	Text []TextLine
	// Codes are the QR and bar codes that were read in it.
	Codes []Code

	// Of a sound.
	SampleRate int // Hz, as sent
	Channels   int
	// Speech are the stretches in which somebody speaks.
	Speech []Stretch
	// Transcript is what was said; Heard is the language of it, "" where nobody knows.
	Transcript []Spoken
	Heard      string
	// Unreliable is set where the transcript must not be gone by: text from silence or
	// noise, repeated, or less than half sure.
	Unreliable bool
	Anomalies  []Anomaly
	// Peaks is the waveform: the largest amplitude, 0 to 255, of equal parts of it.
	Peaks []byte
}

// TextLine is one line of text in a picture.
type TextLine struct {
	Text       string
	Confidence float64
	Place      Place
}

// Code is one QR or bar code in a picture.
type Code struct {
	// Kind is qr, data_matrix, aztec, pdf417, ean_13, code_128, …
	Kind    string
	Content string
	Place   Place
}

// Place is where in a picture or sound something is.
type Place struct {
	// Box is x, y, width, height in pixels; all 0 for the whole picture.
	Box [4]int
	// AtMS and EndMS bound it in time; both 0 in a still.
	AtMS, EndMS int64
}
