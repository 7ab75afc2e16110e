package chat

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

// Desk makes verdicts. Check returns after everything that must be on disk is.
type Desk interface {
	Check(ctx context.Context, item *engines.Item) (engines.Outcome, error)
}

// Tickets says who a token belongs to.
type Tickets interface {
	// Identify returns session.ErrUnknown or session.ErrExpired for a token that
	// opens nothing.
	Identify(ctx context.Context, token string) (session.Identity, error)
	// Use marks a ticket as used; session.ErrExpired when it was.
	Use(ctx context.Context, id session.Identity) error
}

// Sessions keeps the state that lets another gateway take a session over.
type Sessions interface {
	// Create stores a new session and makes it the player's; the owner of the
	// player's session until now, if any, comes back.
	Create(ctx context.Context, s session.State) (session.Owner, error)
	// TakeOver checks a claim, makes the claimant the owner and returns the state
	// together with the node that owned it.
	TakeOver(ctx context.Context, c session.Claim) (s session.State, former string, err error)
	Forget(ctx context.Context, id engines.SessionID, app engines.AppID, player engines.PlayerID) error
}

// Logs reads what was written behind.
type Logs interface {
	// Replay returns a session's pushes after a seq, oldest first, and the newest
	// seq of its log; ok is false when some of them are gone.
	Replay(ctx context.Context, id engines.SessionID, after uint64) (entries []session.Entry, last uint64, ok bool, err error)
	// SceneLog returns a scene's log after an id; ok is false when some of it is gone.
	SceneLog(ctx context.Context, app engines.AppID, scene engines.SceneID, after string) (entries []session.SceneEntry, ok bool, err error)
	// SceneHead is the id of a scene's newest entry, "0" when it has none.
	SceneHead(ctx context.Context, app engines.AppID, scene engines.SceneID) (string, error)
}

// Behind writes behind: its methods never wait and keep the order of what they
// are given per session and per scene.
type Behind interface {
	Log(id engines.SessionID, fence int64, e session.Entry)
	Scene(app engines.AppID, scene engines.SceneID, e session.SceneEntry)
	Join(id engines.SessionID, scenes []session.Joined)
	Touch(id engines.SessionID, app engines.AppID, player engines.PlayerID)
	// Flush waits until all that was given before is written.
	Flush(ctx context.Context) error
}

// Answers keeps a player's answers where another gateway can read them.
type Answers interface {
	Answer(app engines.AppID, player engines.PlayerID, a session.Answer)
	Answers(ctx context.Context, app engines.AppID, player engines.PlayerID) ([]session.Answer, error)
}

// Bus carries messages between gateways. Shared is false where this process is
// the only one there can be.
type Bus interface {
	Shared() bool
	// SubscribeScene returns once nothing said in the scene is missed, or ctx ended.
	SubscribeScene(ctx context.Context, app engines.AppID, scene engines.SceneID) error
	UnsubscribeScene(ctx context.Context, app engines.AppID, scene engines.SceneID)
	Tell(ctx context.Context, node string, payload []byte) error
}

// Bans knows who is kept out. Excluded is asked at each hello and resume, so it
// reads memory alone; Named is told who came and does not wait.
type Bans interface {
	Excluded(app engines.AppID, player engines.PlayerID) bool
	// Until is when one who is kept out may come back; zero is never.
	Until(app engines.AppID, player engines.PlayerID) time.Time
	Named(app engines.AppID, player engines.PlayerID)
}

// Deps is what a Hub stands on.
type Deps struct {
	Bans     Bans
	Mutes    Mutes   // nil: nobody is muted
	Players  Players // nil: nothing is known
	Desk     Desk
	Tickets  Tickets
	Sessions Sessions
	Logs     Logs
	Behind   Behind
	Answers  Answers
	Bus      Bus
	Reports  Reports
	Voice    Voice // nil: no calls
	// Elsewhere gives a notice to the other gateways, whose Announced takes it; nil
	// where there are none.
	Elsewhere func(payload []byte)
}

// Reports files what one player says of another, and says which case it is in.
type Reports interface {
	Report(ctx context.Context, r session.Report) (engines.CaseID, error)
}
