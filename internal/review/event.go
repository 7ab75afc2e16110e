package review

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Event is one verdict as moderators see it.
type Event struct {
	ID       string // UUIDv7
	At       time.Time
	App      engines.AppID
	Kind     engines.Kind
	Scene    engines.SceneID
	Player   engines.PlayerID
	Session  engines.SessionID
	Request  engines.RequestID
	Language string
	// Content is the text, what is written in a picture or what is said in a sound.
	Content string
	// Use and Media are of a picture or a sound: what it is for and what was learned of it, which
	// is read only and may be nil.
	Use   engines.Use
	Media *engines.MediaFacts
	// Verdict shares its slices with others: read only.
	Verdict engines.Verdict
	Case    engines.CaseID
	// Inspected is the part of Took that the engines had.
	Inspected time.Duration
	Took      time.Duration
	// Path is stream, rest, deferred or async; batches are not in the feed.
	Path string
}
