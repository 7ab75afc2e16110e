package casework

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store is what casework needs of the durable store, part by part below.
type Store interface {
	Mover
	Lists
	Around
	Effects
	Complaints
	Own
}

// Mover moves cases.
type Mover interface {
	Case(ctx context.Context, id engines.CaseID) (store.Case, error)
	// MoveCase runs step under the case's lock and commits what it returns, all or
	// nothing; an error of step comes back wrapped. A repeat of a key changes nothing.
	MoveCase(ctx context.Context, id engines.CaseID, action, key string, step func(store.CaseFacts) (store.CaseChange, error)) (store.Case, []store.Effect, error)
	CasesDue(ctx context.Context, now time.Time, most int) ([]engines.CaseID, error)
}

// Lists finds cases.
type Lists interface {
	Cases(ctx context.Context, q store.CaseQuery) ([]store.Case, error)
	CaseQueues(ctx context.Context, app engines.AppID, now time.Time) ([]store.CaseQueue, error)
	CasePairs(ctx context.Context, app engines.AppID, from, to time.Time, most int) ([]store.CasePair, error)
}

// Around finds what is to be seen beside a case.
type Around interface {
	CaseEvents(ctx context.Context, id engines.CaseID) ([]store.CaseEvent, error)
	CasesOfPlayer(ctx context.Context, app engines.AppID, player engines.PlayerID, most int) ([]store.Case, error)
	Decision(ctx context.Context, app engines.AppID, id engines.RequestID) (store.Decision, error)
	SceneMessage(ctx context.Context, app engines.AppID, scene engines.SceneID, id engines.RequestID) (store.SceneMessage, error)
	SceneAround(ctx context.Context, app engines.AppID, scene engines.SceneID, id engines.RequestID, most int) (before, after []store.SceneMessage, err error)
}

// Effects keeps what is to be done outside.
type Effects interface {
	// ClaimEffects takes what is due, of one case or, with "", of all, and of each the
	// earliest alone, and keeps it, and what comes after it, from others until a time.
	ClaimEffects(ctx context.Context, id engines.CaseID, now, until time.Time, most int) ([]store.Effect, error)
	FinishEffect(ctx context.Context, e store.Effect) error
}

// Complaints keeps reports and appeals.
type Complaints interface {
	FileReport(ctx context.Context, r store.Report, fresh store.Case, weigh func(*store.Case)) (store.Case, error)
	ReporterRecord(ctx context.Context, app engines.AppID, reporter engines.PlayerID) (upheld, dismissed int, err error)
	Reports(ctx context.Context, q store.ReportQuery) ([]store.Report, error)
	OpenAppeal(ctx context.Context, a store.Appeal, c store.Case, entry store.Audit) error
	Appeals(ctx context.Context, q store.AppealQuery) ([]store.Appeal, error)
	// Appeal finds one by its id, or by the case that it opened.
	Appeal(ctx context.Context, app engines.AppID, id string) (store.Appeal, error)
}

// Own keeps what is each moderator's own.
type Own interface {
	Preferences(ctx context.Context, name string) (store.Preferences, error)
	PutPreferences(ctx context.Context, p store.Preferences) error
	Exposure(ctx context.Context, name string, since time.Time, categories []engines.Category) (int, error)
}

// Scenes is where messages of cases go; streams/chat is one. Each is done at least
// once: a scene ignores a repeat. The item's text is what was, or is, published.
type Scenes interface {
	Publish(ctx context.Context, item *engines.Item, id engines.CaseID) error
	// Reject tells the author that a held message won't be published.
	Reject(ctx context.Context, item *engines.Item, id engines.CaseID) error
	Retract(ctx context.Context, item *engines.Item, category engines.Category) error
}

// Notices tells a player what became of an appeal.
type Notices interface {
	AppealDecided(ctx context.Context, app engines.AppID, player engines.PlayerID, id engines.CaseID, upheld bool) error
}

// Deps is what a Service works with. Rights, People, Penalties, Ruled, Notices and
// Wake may be nil.
type Deps struct {
	Store     Store
	Scenes    Scenes
	Notices   Notices
	Rights    Rights
	People    People
	Penalties Penalties
	Ruled     Ruled
	Wake      func() // there is something for webhooks
	Now       func() time.Time
	Registry  prometheus.Registerer // of the metrics; nil keeps them to the service
	Log       *slog.Logger
}

// Service is the review queue. It is safe for concurrent use.
type Service struct {
	cfg     Config
	rules   *Rules
	deps    Deps
	metrics *metrics
}

// New makes a service; Serve does what time asks for.
func New(cfg Config, deps Deps) *Service {
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{cfg: cfg, rules: NewRules(cfg), deps: deps, metrics: newMetrics(deps.Registry)}
}

// Rules are the service's.
func (s *Service) Rules() *Rules { return s.rules }

func (s *Service) now() time.Time { return s.deps.Now().UTC().Truncate(time.Millisecond) }

// Move does what a person asks of a case and returns the case as it is then. A
// Refusal says why it is not possible, store.ErrNotFound that there is no such case.
// After any other error the move may have happened: a Key makes it safe to repeat.
// What follows outside (a message published, penalties) is done at least once, now
// or, where that fails, by whichever gateway looks next.
func (s *Service) Move(ctx context.Context, id engines.CaseID, m Move) (store.Case, error) {
	c, err := s.move(ctx, id, m)
	s.metrics.moved(m.Action, err)
	return blinded(c), err
}

func (s *Service) move(ctx context.Context, id engines.CaseID, m Move) (store.Case, error) {
	c, err := s.deps.Store.Case(ctx, id)
	if err != nil {
		return store.Case{}, err
	}
	var not *Refusal // decided on below, since what a key has done is done
	denied := s.may(ctx, m.By, &c)
	if denied == nil && m.Action == HandOver {
		m.To, denied = s.receiver(ctx, m.To.Name, &c)
	}
	if denied != nil && !errors.As(denied, &not) {
		return store.Case{}, denied
	}
	m.At = s.now()
	c, effects, err := s.deps.Store.MoveCase(ctx, id, string(m.Action), m.Key, func(f store.CaseFacts) (store.CaseChange, error) {
		if not != nil {
			return store.CaseChange{}, not
		}
		return s.rules.Step(f, m)
	})
	if err != nil {
		return store.Case{}, err
	}
	if m.Action != Renew && m.Action != Lapse {
		s.deps.Log.LogAttrs(ctx, slog.LevelInfo, "case moved", slog.String("action", string(m.Action)), slog.String("case", string(id)), slog.String("request_id", string(c.Request)),
			slog.String("app", string(c.App)), slog.String("player", string(c.Player)), slog.String("state", c.State), slog.Int("version", c.Version),
			slog.String("decision", c.Decision), slog.String("by", m.By.Name))
	}
	if len(effects) > 0 {
		s.follow(ctx, id)
	}
	if s.deps.Wake != nil && c.State == store.CaseClosed {
		s.deps.Wake()
	}
	return c, nil
}

// may says whether a person may have to do with a case.
func (s *Service) may(ctx context.Context, p Person, c *store.Case) error {
	if p.System {
		return nil
	}
	ok := s.rules.mayQueue(p, c.Queue)
	if ok && s.deps.Rights != nil {
		var err error
		if ok, err = s.deps.Rights.MayTake(ctx, p, c.Queue, c.Category); err != nil {
			return err
		}
	}
	if !ok {
		return forbid("cases of the queue " + c.Queue + " are not for " + p.Name)
	}
	return nil
}

// receiver is who gets a case that is handed over.
func (s *Service) receiver(ctx context.Context, name string, c *store.Case) (Person, error) {
	if s.deps.People == nil {
		return Person{}, refuse("nobody is known to hand it to")
	}
	p, err := s.deps.People.Person(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return Person{}, refuse("there is no moderator " + name)
	case err != nil:
		return Person{}, err
	}
	return p, s.may(ctx, p, c)
}

const (
	// lookEvery is how often what is due is looked for.
	lookEvery = time.Second
	// lookAtOnce is how much of it is done in one look.
	lookAtOnce = 100
)

// Serve ends leases and holds whose time has come, and finishes what decisions of
// this process or of others left to do, until ctx ends.
func (s *Service) Serve(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := s.Look(ctx); err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "cases: not everything that is due was done", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look does once what is due now.
func (s *Service) Look(ctx context.Context) error {
	now := s.now()
	ids, err := s.deps.Store.CasesDue(ctx, now, lookAtOnce)
	for _, id := range ids {
		_, moved := s.Move(ctx, id, Move{Action: Lapse, By: Person{System: true}, Version: AnyVersion})
		if !errors.Is(moved, store.ErrConflict) { // somebody was faster
			err = errors.Join(err, moved)
		}
	}
	return errors.Join(err, s.finishDue(ctx))
}

// follow does what a decision asks for. What fails stays for Look, and so does what
// comes after it.
func (s *Service) follow(ctx context.Context, id engines.CaseID) {
	if err := s.finishCase(ctx, id); err != nil {
		s.deps.Log.WarnContext(ctx, "cases: what follows of a decision waits", "case", id, "err", err)
	}
}
