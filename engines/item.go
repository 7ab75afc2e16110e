package engines

import "time"

// Kind says what an Item is, which selects the engines that look at it.
type Kind string

// The kinds of content.
const (
	KindText  Kind = "text"
	KindName  Kind = "name"
	KindImage Kind = "image"
	KindAudio Kind = "audio"
	KindVideo Kind = "video"
	KindTrade Kind = "trade"
)

// Item is one piece of content on its way to a verdict. Whoever makes it owns
// it until the outcome is back; engines read it and keep nothing of it.
type Item struct {
	RequestID RequestID
	App       AppID
	Player    PlayerID
	Scene     SceneID
	Session   SessionID
	Kind      Kind
	// Text is the content as sent, valid UTF-8. Positions count its code points.
	Text string
	// Language is a BCP 47 tag that the caller believes; "" when absent. It is a
	// hint, never a command.
	Language string
	// StrictLevel is 1 to 5 when the caller overrides the policy's strictness, else 0.
	StrictLevel int
	Segment     string
	Region      string
	// Parent is the message that this one answers, "" when none.
	Parent RequestID
	// To is the player addressed, "" when nobody in particular is.
	To PlayerID
	// Live is true for content that the gateway itself delivers (a chat message
	// on a stream), so that the desk may deliver first and check after.
	Live bool
	// Behind is set where nobody waits for the verdict (a batch, a check whose answer is
	// fetched): engines in other processes then see to others first.
	Behind     bool
	ReceivedAt time.Time
	// Context is what surrounds the item; nil when nothing is known.
	Context *Context
	// Words are the operator's own words that count for the item, as its policy
	// resolved them; nil when there are none. Engines that read text look for them.
	Words Words
	// Acoustic is what the item's policy says of thresholds of what is heard without
	// words; nil where the configuration's hold.
	Acoustic *AcousticOver
	// VoiceLink is what the item's policy says of known voices; nil where voices must not
	// be held against any that is kept.
	VoiceLink *VoiceLink
	// Naming is what is asked of a name; nil for other kinds, and for the defaults.
	Naming *Naming
	// Media is the content of a picture or sound; nil for text.
	Media *Media
}

// Naming is what its app asks of a name beside its policy.
type Naming struct {
	// Taken are names that others bear: it must not look like one.
	Taken []string
	// Reserved are words that no name may bear as one of its words, nor look like.
	Reserved []string
	// Min and Max are how many characters (UAX #29 grapheme clusters) it has; 0 is the default.
	Min, Max int
}

// Context is what was said around an item, oldest first, so that engines need
// no store. It is shared between items: engines must not write to it.
type Context struct {
	// Player is what the item's player said before.
	Player []Line
}

// Line is one earlier message.
type Line struct {
	Player PlayerID
	Text   string
	At     time.Time
}
