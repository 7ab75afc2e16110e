package casework

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// What is wrong with a report or an appeal.
var (
	ErrOwn       = errors.New("casework: a player reports somebody else")
	ErrNotTheirs = errors.New("casework: the message is not this player's")
)

// Report files what a player says of another. Reports of one message, or of one player
// where they name none, make one case, which is more urgent the more those who say so
// are to be believed.
func (s *Service) Report(ctx context.Context, r store.Report) (store.Case, error) {
	if r.Reporter == r.Player {
		return store.Case{}, ErrOwn
	}
	if err := s.place(ctx, &r); err != nil {
		return store.Case{}, err
	}
	upheld, dismissed, err := s.deps.Store.ReporterRecord(ctx, r.App, r.Reporter)
	if err != nil {
		return store.Case{}, err
	}
	r.Weight, r.Created = ReporterWeight(upheld, dismissed), s.now()
	if r.ID, err = newID(); err != nil {
		return store.Case{}, err
	}
	fresh, err := s.caseOfReport(&r)
	if err != nil {
		return store.Case{}, err
	}
	weigh := func(c *store.Case) {
		created := c.Created
		if c.Reporters > 1 {
			c.Created = r.Created // a case that more and more speak of is due from now on, or before
		}
		s.rules.Weigh(c)
		c.Created = created
	}
	const tries = 3 // a case may close between the look for it and the report
	var c store.Case
	for range tries {
		if c, err = s.deps.Store.FileReport(ctx, r, fresh, weigh); !errors.Is(err, store.ErrNotFound) {
			break
		}
	}
	if err == nil {
		s.metrics.reports.Inc()
	}
	return c, err
}

// place finds where a reported message was said, and whether it is that player's.
func (s *Service) place(ctx context.Context, r *store.Report) error {
	if r.Message == "" {
		return nil
	}
	author := engines.PlayerID("")
	if r.Scene != "" {
		m, err := s.deps.Store.SceneMessage(ctx, r.App, r.Scene, r.Message)
		if missing(err) != nil {
			return err
		}
		author = m.Player
	}
	if author == "" {
		d, err := s.deps.Store.Decision(ctx, r.App, r.Message)
		if missing(err) != nil {
			return err
		}
		author = d.Player
		if d.Scene != "" {
			r.Scene = d.Scene
		}
	}
	if author != "" && author != r.Player {
		return ErrNotTheirs
	}
	return nil
}

func (s *Service) caseOfReport(r *store.Report) (store.Case, error) {
	id, err := newID()
	if err != nil {
		return store.Case{}, err
	}
	c := store.Case{
		ID: engines.CaseID(id), App: r.App, Request: engines.RequestID(id), Subject: r.Message, Player: r.Player, Scene: r.Scene, State: store.CaseOpen,
		Kind: store.CaseOfReports, Version: 1, Created: r.Created, Updated: r.Created,
	}
	if reason := engines.Category(r.Reason); slices.Contains(engines.TextCategories, reason) || slices.Contains(engines.MediaCategories, reason) {
		c.Category = reason
	}
	switch {
	case r.Message != "":
		c.Group = "message\n" + string(r.Message)
	case r.Content != "":
		sum := sha256.Sum256([]byte(r.Content))
		c.Group = "content\n" + string(r.Player) + "\n" + hex.EncodeToString(sum[:])
	default:
		c.Group = "player\n" + string(r.Player)
	}
	c.Queue = s.rules.QueueOf(c.Kind, c.Category)
	s.rules.Weigh(&c)
	c.Due = c.Created.Add(s.cfg.Due.Lowest) // until its weight says more
	return c, nil
}

func newID() (string, error) {
	id, err := uuid.NewV7()
	return id.String(), err
}

// Reports lists reports.
func (s *Service) Reports(ctx context.Context, q store.ReportQuery) ([]store.Report, error) {
	return s.deps.Store.Reports(ctx, q)
}

// Appeal files a player's word against a case that was decided against the player, or
// against a penalty. It opens a case that whoever decided first can't take.
// store.ErrNotFound: there is no such thing of this player; a Refusal: nothing is to be
// contested, or it was before.
func (s *Service) Appeal(ctx context.Context, a store.Appeal) (store.Appeal, error) {
	id, err := newID()
	if err != nil {
		return store.Appeal{}, err
	}
	if a.ID, err = newID(); err != nil {
		return store.Appeal{}, err
	}
	a.Case, a.State, a.Created = engines.CaseID(id), store.AppealOpen, s.now()
	c := store.Case{
		ID: a.Case, App: a.App, Request: engines.RequestID(a.ID), Player: a.Player, State: store.CaseOpen, Kind: store.CaseOfAppeal,
		Version: 1, Created: a.Created, Updated: a.Created,
	}
	if a.Against != "" {
		err = s.againstCase(ctx, &a, &c)
	} else {
		err = s.againstPenalty(ctx, &a, &c)
	}
	if err != nil {
		return store.Appeal{}, err
	}
	c.Queue = s.rules.QueueOf(c.Kind, c.Category)
	s.rules.Weigh(&c)
	err = s.deps.Store.OpenAppeal(ctx, a, c, store.Audit{
		TS: a.Created, Actor: a.By, Action: "appeal.open", Object: "appeal/" + a.ID,
		Detail: `{"app_id":"` + string(a.App) + `","case_id":"` + id + `"}`, // ids of ours
	})
	if errors.Is(err, store.ErrExists) {
		return store.Appeal{}, refuse("the player has contested this before")
	}
	return a, err
}

func (s *Service) againstCase(ctx context.Context, a *store.Appeal, c *store.Case) error {
	p, err := s.deps.Store.Case(ctx, a.Against)
	if err != nil {
		return err
	}
	if p.App != a.App || p.Player != a.Player || p.Second {
		return store.ErrNotFound
	}
	if p.State != store.CaseClosed || p.Decision != store.CaseRejected || p.Kind == store.CaseOfAppeal {
		return refuse("nothing was decided there against the player")
	}
	c.Parent, c.Subject, c.Scene, c.Barred = p.ID, p.About(), p.Scene, []string{p.By}
	c.Category, c.SubLabel, c.Severity = p.Category, p.SubLabel, p.Severity
	return nil
}

func (s *Service) againstPenalty(ctx context.Context, a *store.Appeal, c *store.Case) error {
	if s.deps.Penalties == nil {
		return store.ErrNotFound
	}
	list, err := s.deps.Penalties.PenaltiesOf(ctx, a.App, a.Player, penaltiesShown)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(p Penalty) bool { return p.ID == a.Penalty })
	if i < 0 {
		return store.ErrNotFound
	}
	c.Group, c.Barred = penaltyGroup+a.Penalty, []string{list[i].By}
	return nil
}

// Appeals lists appeals.
func (s *Service) Appeals(ctx context.Context, q store.AppealQuery) ([]store.Appeal, error) {
	return s.deps.Store.Appeals(ctx, q)
}

// AppealOf returns an appeal of an app.
func (s *Service) AppealOf(ctx context.Context, app engines.AppID, id string) (store.Appeal, error) {
	return s.deps.Store.Appeal(ctx, app, id)
}

// Agreement says how far two who knew nothing of each other decided the same, from
// (inclusive) to (exclusive).
func (s *Service) Agreement(ctx context.Context, app engines.AppID, from, to time.Time) (Agreement, error) {
	pairs, err := s.deps.Store.CasePairs(ctx, app, from, to, pairsAtMost)
	return Agree(pairs), err
}

// pairsAtMost bounds what one answer is counted from.
const pairsAtMost = 100_000
