// Package session holds the words for the live state of a stream session: what
// one gateway writes behind to Redis so that another can go on where it died.
// streams/chat owns sessions and internal/store keeps this state; both import
// this package, neither the other.
package session

import (
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Errors of Resume. A session that can't be resumed is answered with reset.
var (
	// ErrGone: no such session, or its state was lost or ran out.
	ErrGone = errors.New("session: no such session")
	// ErrToken: the resume token is not the live one (used before, or made up),
	// or the session is another player's.
	ErrToken = errors.New("session: resume token not accepted")
	// ErrEpoch: the state under this id is not the one that the client knew.
	ErrEpoch = errors.New("session: epoch differs")
	// ErrFull: the embedded store is at its cap; no new sessions.
	ErrFull = errors.New("session: store is full")
)

// State is all that a gateway needs to take a session over.
type State struct {
	ID     engines.SessionID
	App    engines.AppID
	Player engines.PlayerID
	// Epoch is random per session log: another epoch means that state was lost.
	Epoch string
	// Token is the SHA-256 of the live resume token, which is used once.
	Token [32]byte
	// Node is the gateway that owns the session; Fence grows by one at each change of owner.
	Node  string
	Fence int64
	// Grants are the scenes that the ticket names.
	Grants []engines.SceneID
	// Joined are the scenes joined, each with where its log stood at the join.
	Joined []Joined
	// Segment, Region and Language come from the ticket.
	Segment, Region, Language string
}

// Joined is the membership of one scene. After is the id of the newest entry of
// the scene's log when the session joined ("0" when it had none).
type Joined struct {
	Scene engines.SceneID
	After string
}

// Claim is what a client shows to take its session up again.
type Claim struct {
	ID     engines.SessionID
	App    engines.AppID
	Player engines.PlayerID
	Epoch  string
	Token  [32]byte // SHA-256 of the token shown
	Next   [32]byte // SHA-256 of the token that replaces it
	Node   string   // the new owner
}

// Owner is who holds a player's session.
type Owner struct {
	Session engines.SessionID
	Node    string
}

// Entry is one push of a session's log: those that must not be lost.
type Entry struct {
	Seq uint64
	// Message is the id of the chat message pushed, "" for other pushes.
	Message engines.RequestID
	Frame   []byte
}

// SceneEntry is one message (or retraction) of a scene's log.
type SceneEntry struct {
	// ID is the log's own id (Redis stream id), "" when not yet written.
	ID string
	// Node is the gateway that wrote it; it has delivered it to its own members.
	Node    string
	Message engines.RequestID
	// Player is the author, who gets no copy.
	Player engines.PlayerID
	// Retract marks a retraction of Message.
	Retract bool
	// Frame is the push without its seq: the JSON members after "seq":N,
	Frame []byte
}

// Answer is a stored answer to a client message, by the client's id.
type Answer struct {
	ID string
	// Body is the SHA-256 of what was asked: the same id with another body is a conflict.
	Body  [32]byte
	Frame []byte
	At    time.Time
}

// Limits of the stored state.
const (
	// ResumeWindow is how long a session can be taken up again after its
	// connection went.
	ResumeWindow = 2 * time.Minute
	// LogLength is how many pushes of a session and messages of a scene are kept.
	LogLength = 256
)

// Report is what one player says of another, or of a message.
type Report struct {
	App      engines.AppID
	Reporter engines.PlayerID
	Player   engines.PlayerID
	Message  engines.RequestID // "" is none
	Scene    engines.SceneID   // where it was said; "" is not known
	Reason   string
	Detail   string // in the reporter's words
}
