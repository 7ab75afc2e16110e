package gateway

import (
	"context"
	"io/fs"
	"sync/atomic"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Desk makes verdicts; internal/review has the one there is.
type Desk interface {
	Check(ctx context.Context, item *engines.Item) (engines.Outcome, error)
	// Submit takes a check whose verdict follows; it is on disk when it returns.
	Submit(ctx context.Context, item *engines.Item) error
	// Result returns a check of the app: Outcome.Pending while it has no verdict,
	// store.ErrNotFound when there is none.
	Result(ctx context.Context, app engines.AppID, id engines.RequestID) (engines.Item, engines.Outcome, error)
}

// Streams owns connections once they are upgraded.
type Streams interface {
	Serve(ws *websocket.Conn, alive *atomic.Int64, id session.Identity)
	Full() bool
}

// Identities says who a stream's token belongs to.
type Identities interface {
	Identify(ctx context.Context, token string) (session.Identity, error)
	// Use marks a ticket as used; session.ErrExpired when it was.
	Use(ctx context.Context, id session.Identity) error
}

// Economy stores what game servers log and answers for players and trades;
// package economy has the one there is. A player that nothing has named is
// economy.ErrUnknownPlayer.
type Economy interface {
	// Submit returns once the entries are on disk, and how many of them were new.
	Submit(ctx context.Context, app engines.AppID, entries []economy.Entry) (accepted int, err error)
	Risk(ctx context.Context, app engines.AppID, player engines.PlayerID) (economy.Risk, []economy.Ban, error)
	Evaluate(ctx context.Context, app engines.AppID, p *economy.Proposal) (economy.Evaluation, error)
	Timeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) ([]economy.Entry, economy.Mark, error)
	// Around is who gave what to whom around a player.
	Around(ctx context.Context, app engines.AppID, player engines.PlayerID, hops, most int) (economy.Web, error)
	// Named notes that a check or a ticket named a player. It does not wait.
	Named(app engines.AppID, player engines.PlayerID)

	Ban(ctx context.Context, b economy.Ban, hours int64) (economy.Ban, error)
	Lift(ctx context.Context, l economy.Lift) ([]economy.Ban, error)
	Bans(ctx context.Context, q economy.BanQuery) ([]economy.Ban, error)
	// Status is active, expired or lifted.
	Status(b *economy.Ban) string
	// Override sets a player's risk for so many hours, 0 taking that back.
	Override(ctx context.Context, o economy.Override, hours int64) (economy.Override, error)
}

// Hooks keeps an app's webhooks; package hooks has the one there is. What is not the
// app's is store.ErrNotFound, what an endpoint that is off cannot do store.ErrConflict.
type Hooks interface {
	// Fault says what is wrong with a URL, "" where nothing is.
	Fault(url string) string
	List(ctx context.Context, app engines.AppID) ([]store.Hook, error)
	// Put returns the new secrets by id.
	Put(ctx context.Context, app engines.AppID, wishes []store.HookWish, by string) (list []store.Hook, secrets map[string]string, err error)
	Deliveries(ctx context.Context, app engines.AppID, hook, state string, before economy.Mark, most int) ([]store.Delivery, error)
	Resend(ctx context.Context, app engines.AppID, hook, delivery string) (store.Delivery, error)
	Test(ctx context.Context, app engines.AppID, hook string) (store.Delivery, error)
}

// Rules are the studios' own rules; economy/rules has the ones there are. Errors are
// economy.RuleFaults, those of economy that are named after rules, and the store's.
type Rules interface {
	Faults(r *economy.Rule) error
	Put(ctx context.Context, r economy.Rule, was int) (economy.Rule, error)
	Rules(ctx context.Context, app engines.AppID) ([]economy.Rule, error)
	// History lists versions below before, newest first; at 0 from the newest on.
	History(ctx context.Context, app engines.AppID, name string, before, most int) ([]economy.Rule, error)
	Snooze(ctx context.Context, z economy.Snooze, hours int64) (economy.Snooze, error)
	Stats(ctx context.Context, app engines.AppID, name string, days int64) (counts []economy.RuleCount, snoozed int, err error)
	Backtest(ctx context.Context, b economy.Backtest, r *economy.Rule) (economy.Backtest, error)
	ResultOf(ctx context.Context, app engines.AppID, name, id string) (economy.Backtest, error)
	Try(ctx context.Context, r *economy.Rule, player engines.PlayerID, p *economy.Proposal) (economy.RuleTrial, error)
}

// Answers keeps answers by key, for retries of the same request.
type Answers interface {
	// Claim reports whether the caller is the first to use the key; Release gives
	// a claim back that came to no answer.
	Claim(ctx context.Context, app engines.AppID, key string) (mine bool, err error)
	Release(ctx context.Context, app engines.AppID, key string) error
	// PutAnswer keeps an answer, which goes with the player that it is about ("" for none).
	PutAnswer(ctx context.Context, app engines.AppID, player engines.PlayerID, key string, answer []byte) error
	// Answer returns nil when there is none.
	Answer(ctx context.Context, app engines.AppID, player engines.PlayerID, key string) ([]byte, error)
}

// Health knows how the parts are.
type Health interface {
	Report(ctx context.Context) Report
}

// Report is how the process is.
type Report struct {
	Ready      bool
	Degraded   bool
	Version    string
	Components []Component
}

// Component is one part: a store, an engine, the stream.
type Component struct {
	Name string
	// State is ok, degraded or down.
	State  string
	Detail string
	// Load is how busy an engine's pool is; nil for what has none.
	Load *engines.Load
}

// Models knows what became of the models that engines use.
type Models interface {
	Models() ModelReport
}

// Deps is what a Gateway stands on.
type Deps struct {
	Verifier   *auth.Verifier
	Tokens     *auth.Tokens
	Tickets    *auth.Tickets
	Replay     *auth.Replay
	Logins     *auth.Logins
	Setup      *auth.Setup
	Limiter    *limit.Limiter
	Rates      limit.Config // as published at GET /limits
	Failures   *limit.Failures
	Desk       Desk
	Models     Models
	Cases      Cases
	Streams    Streams
	Voice      Voice
	Identities Identities
	Economy    Economy
	Catalogue  []economy.Code // the factors and reasons that Economy names
	Hooks      Hooks
	Batches    Batches
	Rules      Rules
	// Bulk runs what takes milliseconds of a request that nobody waits for at a screen
	// behind the others, and waits for its end; nil runs it at once.
	Bulk       func(f func())
	Stats      Stats
	Reports    Reports
	Penalties  Penalties
	Players    Players
	Policies   Policies
	ImageBanks ImageBanks
	Answers    Answers
	Health     Health
	Evidence   Evidence
	Erasures   Erasures
	Records    Records
	Audit      Audit
	Users      Users
	Apps       Apps
	Links      *auth.Links
	// Accept refuses a picture or a sound by its headers alone, before anybody looks at
	// it: an engines.Refusal. claim is the media type that its sender named.
	Accept func(kind engines.Kind, file []byte, claim string) error
	// Web holds the built console and demo; OpenAPI is the contract's text.
	Web     fs.FS
	CSP     string // the pages' Content-Security-Policy
	OpenAPI []byte
	// DemoApp is the app whose players the demo page speaks for; DemoScenes are
	// the scenes that it offers, with the mode of each.
	DemoApp    engines.AppID
	DemoScenes []DemoScene
	Explain    Explainer
}

// Explainer says what a verdict rests on.
type Explainer interface {
	// Explain returns what `portcullis explain --json` prints of the item, under the
	// policy of its app, and how the text is read.
	Explain(ctx context.Context, item *engines.Item) ([]byte, error)
}

// DemoScene is one scene of the demo.
type DemoScene struct {
	Scene engines.SceneID
	Mode  engines.Mode
	Note  string
}
