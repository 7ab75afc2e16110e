package store

import "github.com/portcullis-gg/portcullis/engines"

// VoiceKey is a player whose voice is kept.
type VoiceKey struct {
	App    engines.AppID
	Player engines.PlayerID
}

// VoicePrint is the voice of a player whom a decision keeps out or mutes, kept because a
// policy allows it. Times are epoch ms of our clock.
type VoicePrint struct {
	VoiceKey

	Ref   string // the penalty, or the ban
	Since int64  // when that was made
	// Voice is what a network made of it, of length 1; it lies sealed in the database.
	Voice []float32
	// SpokenMS is how much speech it rests on, Windows in how many parts, Heard when the
	// last of them was.
	SpokenMS int64
	Windows  int
	Heard    int64
	// Kept is when it was kept, Until when it goes whatever becomes of the penalty.
	Kept, Until int64
}
