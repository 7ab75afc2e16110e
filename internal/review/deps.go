package review

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Inspector is an engine under its pool's rules; *engines.Pool is one.
type Inspector interface {
	Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault)
}

// Store is what the desk needs of the durable store, role by role below.
type Store interface {
	Recorder
	Pendings
	Archive
}

// Recorder keeps decisions. A nil error means that they are on disk; to repeat a
// call changes nothing.
type Recorder interface {
	// PutDecision commits a decision with its case and scene message (each nil
	// when there is none): all or nothing.
	PutDecision(ctx context.Context, d store.Decision, c *store.Case, m *store.SceneMessage) error
	// PutDecisions commits decisions that have neither. It keeps nothing of the slice.
	PutDecisions(ctx context.Context, ds []store.Decision) error
}

// Pendings keeps accepted checks until they have a verdict.
type Pendings interface {
	PutPending(ctx context.Context, p store.Pending) error
	// FinishPending commits the decision and its case (nil when there is none) and
	// removes the pending check, all or nothing. The first result of a check stands.
	FinishPending(ctx context.Context, d store.Decision, c *store.Case) error
	// ClaimPendings takes up to most unfinished ones that nobody works on, oldest
	// first, and keeps them from others until a time.
	ClaimPendings(ctx context.Context, owner string, now, until time.Time, most int) ([]store.Pending, error)
	// KeepPendings keeps those of owner until then.
	KeepPendings(ctx context.Context, owner string, until time.Time) error
}

// Archive finds checks again.
type Archive interface {
	PendingExists(ctx context.Context, app engines.AppID, id engines.RequestID) (bool, error)
	// Decision returns store.ErrNotFound when the app has none of this id.
	Decision(ctx context.Context, app engines.AppID, id engines.RequestID) (store.Decision, error)
}

// Scenes is where live content goes; streams/chat is one. The item is a copy
// that the callee may keep.
type Scenes interface {
	// Late tells of a deferred check that was not a clean pass. It is on disk. When
	// its action is Drop, the message is to be retracted.
	Late(item *engines.Item, o engines.Outcome)
}

// Triage gives a new case its place in the queue. It is pure.
type Triage interface {
	Sort(c *store.Case, v *engines.Verdict)
}

// Feed shows verdicts to moderators. Neither method may block.
type Feed interface {
	// Wants reports whether anybody listens to the app; if not, no event is made.
	Wants(app engines.AppID) bool
	Publish(e Event)
}

// Standings knows the players. It answers from memory.
type Standings interface {
	Standing(app engines.AppID, player engines.PlayerID) engines.Standing
}

// Witness hears of what was found, for areas beside the content's own: an advert is
// news to the economy. Saw must not block, and keeps of its arguments only strings.
type Witness interface {
	Saw(item *engines.Item, found engines.Finding)
}

// Observer hears of every verdict, passes too, by the way (stream, rest, deferred,
// async, batch) that it came. Observed must not block, and keeps of its arguments only strings.
type Observer interface {
	Observed(item *engines.Item, o engines.Outcome, way string)
}

// Evidence says what is to be kept of a flagged item beside its decision.
type Evidence interface {
	// Of is nil where nothing is kept. It is called on the way to a verdict, and looks at
	// memory alone; but it puts the bytes of media on the disk, so that their row never
	// stands without them. The error is the store's.
	Of(ctx context.Context, item *engines.Item, o engines.Outcome) (*store.Evidence, error)
	// Kept is called once the row is committed, where Of had a file put on the disk.
	Kept(ctx context.Context, item *engines.Item, e *store.Evidence) error
}

// Files keep the bytes of submitted media until there is a verdict;
// internal/store/blobs does. The store has those removed that nobody needs any more.
type Files interface {
	Put(ctx context.Context, r io.Reader) (sum string, size int64, err error)
	Open(sum string) (io.ReadSeekCloser, error)
}

// Profiles fills in what is known of a player and a caller left out: segment, region,
// language. It answers from memory.
type Profiles interface {
	Fill(item *engines.Item)
}

// Policies knows the rules that hold for an item, by its app, scene, player and
// time, and the trial that they are part of, nil for none. It answers from memory;
// what it returns is read only.
type Policies interface {
	Resolve(item *engines.Item) (*policy.Resolved, Trial)
}

// Trial hears of a verdict while a change of the policy is tried: it may count what
// another policy would have said, and returns whose word it was, for PolicyVersion, ""
// where that is as it is, and what a policy in shadow would have found, nil for nothing.
// The verdict stays. It answers from memory, and keeps of its arguments only strings.
type Trial interface {
	Decided(ctx context.Context, item *engines.Item, signals []engines.Signal, faults []engines.Fault, st engines.Standing, v engines.Verdict) (version string, shadow *engines.Finding)
}

// Deps is what the desk works with.
type Deps struct {
	// Inspectors look at the kinds of content: several run in parallel. A kind
	// without one is decided by the policy's fail rule.
	Inspectors map[engines.Kind][]Inspector
	Policies   Policies
	Store      Store
	// Feed may be nil (nobody listens), Standings too (nothing is known), and Witness.
	Feed      Feed
	Standings Standings
	Witness   Witness
	// Evidence may be nil: none is kept.
	Evidence Evidence
	// Files may be nil where no media is submitted.
	Files Files
	// Triage may be nil: cases are then in no particular order.
	Triage Triage
	// Observers and Profiles may be nil.
	Observers []Observer
	Profiles  Profiles
	// Node names this process among those that share the store; Alone says that there
	// is no other, so that what one before it left needs no waiting for.
	Node  string
	Alone bool
	// Registry receives the metrics; nil keeps them to the desk.
	Registry prometheus.Registerer
	// Log receives one line for each decision; nil is slog.Default.
	Log *slog.Logger
}
