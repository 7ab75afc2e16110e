package engines

// VoiceLink is what an item's policy says of the voices of players who may not speak any
// more: that voices are held against theirs. A policy says nothing of it by default.
type VoiceLink struct {
	// Days is how long the voice of one who is kept out is kept at most.
	Days int
	// RememberMinutes is how long a gateway remembers, in memory alone, the voice of one
	// who speaks, in case it is decided that it may not.
	RememberMinutes int
	// Similarity is the cosine, 0 to 1, above which a voice is taken for another; 0 is
	// the one that was measured (speaker.LinkedCosine).
	Similarity float64
}
