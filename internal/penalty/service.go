package penalty

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// byLadder is who gives what the ladder says.
const byLadder = "ladder"

type playerKey struct {
	app    engines.AppID
	player engines.PlayerID
}

// Service strikes, gives penalties and enforces mutes. Its methods are safe for
// concurrent use.
type Service struct {
	cfg  Config
	deps Deps

	ladders    atomic.Pointer[map[engines.AppID]store.Ladder]
	ladderTurn sync.Mutex // sets of ladders are made one by one
	laddersNew chan struct{}

	mutes mutes
	told  chan playerKey
	since int64 // what was stored before is known, epoch ms

	blocks chan block
	lost   atomic.Int64
}

// New makes a service. Load reads what holds, Serve follows it.
func New(cfg Config, deps Deps) *Service {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	s := &Service{
		cfg: cfg, deps: deps,
		laddersNew: make(chan struct{}, 1),     // rule when full: a look is due already
		told:       make(chan playerKey, 1024), // rule when full: the next look at all reads it
		mutes:      mutes{of: map[playerKey]*muted{}},
		blocks:     make(chan block, 1024), // rule when full: the block does not strike, and is counted
	}
	s.ladders.Store(&map[engines.AppID]store.Ladder{})
	return s
}

func (s *Service) clock() int64 { return s.deps.Now().UnixMilli() }

// strikeID is the same for all rulings on one piece of content.
func strikeID(r *store.Ruling) string {
	about := "request\n" + string(r.Request)
	if r.Request == "" {
		about = "case\n" + string(r.Case)
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("strike\n"+string(r.App)+"\n"+about)).String()
}

// Ruled acts on a person's decision: a rejection strikes, once however often it
// comes; an approval, or a rejection taken back, undoes the strike on the same
// content, also an automatic one. The error wraps engines.ErrUnavailable; nothing was
// done then and the ruling may come again.
func (s *Service) Ruled(ctx context.Context, r store.Ruling) error {
	if r.Player == "" || r.Request == "" && r.Case == "" {
		return nil
	}
	switch {
	case r.Decision == store.DecideReject && !r.Undone:
		rules, err := s.ladderFor(ctx, &r)
		if err != nil {
			return err
		}
		return s.strike(ctx, &r, &rules, false)
	case r.Decision == store.DecideReject, r.Decision == store.DecideApprove && !r.Undone:
		return s.undo(ctx, &r)
	}
	return nil // an approval that is taken back says nothing yet
}

// ladderFor is the ladder that holds for the content of a ruling.
func (s *Service) ladderFor(ctx context.Context, r *store.Ruling) (store.LadderRules, error) {
	rules := s.Ladder(r.App).Rules
	if len(rules.Layers) == 0 {
		return rules, nil
	}
	layers, err := s.deps.LayersOf(ctx, r)
	if err != nil {
		return rules, fmt.Errorf("penalty: layers of the content: %w", err)
	}
	return under(&rules, layers), nil
}

func (s *Service) strike(ctx context.Context, r *store.Ruling, rules *store.LadderRules, automatic bool) error {
	now := s.clock()
	w := store.StrikeWish{
		Strike: store.Strike{
			App: r.App, ID: strikeID(r), Player: r.Player, Category: r.Category, SubLabel: r.SubLabel, Severity: r.Severity,
			Weight: weigh(rules, r.Category, r.SubLabel, r.Severity), Case: r.Case, Request: r.Request, By: r.By, Automatic: automatic, Created: now,
		},
		Since: now - reach(rules),
		Pause: now - s.cfg.AutomaticEvery.Milliseconds(),
	}
	out, err := s.deps.Store.Strike(ctx, w, func(st store.Strike, standing []store.Strike) []store.Penalty {
		return penaltiesOf(rules, &st, standing)
	})
	if err != nil {
		return fmt.Errorf("penalty: %w", err)
	}
	if out.Fresh {
		s.deps.Struck(r.App, r.Player)
		s.given(ctx, out.Penalties)
	}
	return nil
}

// penaltiesOf makes the penalties that a strike gives.
func penaltiesOf(rules *store.LadderRules, st *store.Strike, standing []store.Strike) (list []store.Penalty) {
	steps, alone := climb(rules, st, standing)
	for i := range steps {
		step := &steps[i]
		name := fmt.Sprintf("penalty\n%s\n%s\n%d\n%s", st.App, st.ID, st.Turn, step.Kind)
		p := store.Penalty{
			App: st.App, ID: uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String(), Player: st.Player, Kind: step.Kind,
			Category: st.Category, Reason: string(st.Category), By: byLadder, Strike: st.ID, Step: step.Weight, Window: windowOf(rules, step),
			Counted: counted(rules.Steps, step),
		}
		if alone {
			p.Step = 0
		}
		timed(&p, st.Created, int64(step.Hours))
		list = append(list, p)
	}
	return list
}

// timed gives a penalty its times and what is owed about it.
func timed(p *store.Penalty, now, hours int64) {
	p.Created, p.Told = now, now
	if hours > 0 {
		p.Expires = now + hours*time.Hour.Milliseconds()
	}
	switch {
	case p.Kind == store.PenaltyWarn:
		p.Told, p.Expires, p.Ended = 0, now, now // it takes nothing: over at once, and to be told
	case p.Kind.BanType() != "":
		p.Owed = store.OwedBan
	}
}

func (s *Service) undo(ctx context.Context, r *store.Ruling) error {
	out, err := s.deps.Store.UndoStrike(ctx, r.App, strikeID(r), r.By, s.clock(), rests)
	if errors.Is(err, store.ErrNotFound) {
		return nil // there was none, or it was taken back before
	}
	if err != nil {
		return fmt.Errorf("penalty: %w", err)
	}
	s.deps.Struck(r.App, r.Player)
	s.lifted(ctx, out.Penalties)
	return nil
}

// Give gives a penalty by hand for hours, 0 being for good; p has App, ID, Player,
// Kind, Category, Reason and By. The same ID again returns the one that was given
// before. The error is economy.ErrUnknownPlayer or wraps engines.ErrUnavailable.
func (s *Service) Give(ctx context.Context, p store.Penalty, hours int64) (store.Penalty, error) {
	if err := s.deps.Economy.Known(ctx, p.App, p.Player); err != nil {
		return store.Penalty{}, err
	}
	timed(&p, s.clock(), hours)
	stored, fresh, err := s.deps.Store.PutPenalty(ctx, p)
	if err != nil {
		return store.Penalty{}, fmt.Errorf("penalty: %w", err)
	}
	if fresh {
		s.given(ctx, []store.Penalty{stored})
	}
	return stored, nil
}

// Lift ends a penalty of a player, or a ban that was made without one. The error is
// ErrNone, economy.ErrUnknownPlayer or wraps engines.ErrUnavailable.
func (s *Service) Lift(ctx context.Context, app engines.AppID, player engines.PlayerID, id, by, reason string) (store.Penalty, error) {
	if err := s.deps.Economy.Known(ctx, app, player); err != nil {
		return store.Penalty{}, err
	}
	p, err := s.deps.Store.LiftPenalty(ctx, app, player, id, by, reason, s.clock())
	if errors.Is(err, store.ErrNotFound) {
		return s.liftBare(ctx, app, player, id, by, reason)
	}
	if err != nil {
		return store.Penalty{}, fmt.Errorf("penalty: %w", err)
	}
	s.lifted(ctx, []store.Penalty{p})
	return p, nil
}

func (s *Service) liftBare(ctx context.Context, app engines.AppID, player engines.PlayerID, id, by, reason string) (store.Penalty, error) {
	bans, err := s.deps.Economy.Lift(ctx, economy.Lift{
		App: app, Player: player, ID: id, Reason: reason, By: by, Key: liftKey(id), Request: engines.RequestID(id),
	})
	if err != nil {
		return store.Penalty{}, err
	}
	if len(bans) == 0 || store.PenaltyOf(bans[0].Type) == "" {
		return store.Penalty{}, ErrNone
	}
	b := &bans[0]
	return store.Penalty{
		App: app, ID: b.ID, Player: player, Kind: store.PenaltyOf(b.Type), Reason: b.Reason, By: b.By, Created: b.Created, Expires: b.Ends,
		Lifted: b.Lifted, LiftedBy: b.LiftedBy, LiftReason: b.LiftReason,
	}, nil
}

func liftKey(id string) string { return "penalty:" + id }

// given makes penalties known and has the economy do its part.
func (s *Service) given(ctx context.Context, list []store.Penalty) { s.changed(ctx, list, Created) }

func (s *Service) lifted(ctx context.Context, list []store.Penalty) { s.changed(ctx, list, Lifted) }

func (s *Service) changed(ctx context.Context, list []store.Penalty, state State) {
	if len(list) == 0 {
		return
	}
	for i := range list {
		s.deps.Changed(&list[i], state)
	}
	s.learn(ctx, list)
	s.deps.Tell(list[0].App, list[0].Player)
	for i := range list {
		s.enact(ctx, &list[i])
	}
}

// Penalties lists penalties of an app, newest first; Now of the query is ours to set.
func (s *Service) Penalties(ctx context.Context, q store.PenaltyQuery) ([]store.Penalty, error) {
	if q.Player != "" {
		if err := s.deps.Economy.Known(ctx, q.App, q.Player); err != nil {
			return nil, err
		}
	}
	q.Now = s.clock()
	return s.deps.Store.Penalties(ctx, q)
}
