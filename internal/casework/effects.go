package casework

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// effectLease is how long who does an effect has it to itself, and effectTimeout,
	// which is less, how long it may take: nobody is still at one that another has
	// taken over, so that the order holds.
	effectLease   = 10 * time.Second
	effectTimeout = 8 * time.Second
)

// finishCase does what is to be done of a case, in its order, until nothing is left or
// somebody else is at it, who goes on from there.
func (s *Service) finishCase(ctx context.Context, id engines.CaseID) error {
	for {
		now := s.now()
		list, err := s.deps.Store.ClaimEffects(ctx, id, now, now.Add(effectLease), 1)
		if err != nil || len(list) == 0 {
			return err
		}
		if err := s.finish(ctx, list[0]); err != nil {
			return err
		}
	}
}

// finishDue does what is due of all cases, and what becomes due by that: a message that
// waited for an earlier one.
func (s *Service) finishDue(ctx context.Context) (err error) {
	for start := s.now(); ; {
		now := s.now()
		list, claimed := s.deps.Store.ClaimEffects(ctx, "", now, now.Add(effectLease), lookAtOnce)
		if err = errors.Join(err, claimed); claimed != nil || len(list) == 0 {
			return err
		}
		for _, e := range list {
			if s.now().Sub(start) > effectLease-effectTimeout {
				return err // the lease may run out while it is done: the next look has it
			}
			if done := s.finish(ctx, e); done != nil {
				err = errors.Join(err, done)
				continue
			}
			err = errors.Join(err, s.finishCase(ctx, e.Case))
		}
	}
}

// finish does an effect and forgets it. One that was done and not forgotten is done
// again: every one of them ignores that.
func (s *Service) finish(ctx context.Context, e store.Effect) error {
	bounded, cancel := context.WithTimeout(ctx, effectTimeout)
	defer cancel()
	err := s.do(bounded, &e)
	if s.metrics.did(e.Kind, err); err != nil {
		return fmt.Errorf("%s for case %s: %w", e.Kind, e.Case, err)
	}
	return s.deps.Store.FinishEffect(ctx, e)
}

func (s *Service) do(ctx context.Context, e *store.Effect) error {
	switch e.Kind {
	case store.EffectPublish, store.EffectReject, store.EffectRetract:
		return s.toScene(ctx, e)
	case store.EffectRuled:
		if s.deps.Ruled == nil {
			return nil
		}
		return s.deps.Ruled.Ruled(ctx, store.Ruling{
			App: e.App, Case: e.Case, Player: e.Player, Request: e.Message, Category: e.Category, SubLabel: e.SubLabel,
			Severity: e.Severity, By: e.By, Decision: e.Decision, Undone: e.Undone,
		})
	case store.EffectUndo:
		_, err := s.Move(ctx, engines.CaseID(e.Target), Move{
			Action: Undo, By: Person{Name: e.By, System: true}, Version: AnyVersion, Reason: otherwise(e.Case),
		})
		if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) { // it does not stand any more
			return nil
		}
		return err
	case store.EffectRestore:
		_, err := s.Move(ctx, engines.CaseID(e.Target), Move{
			Action: Undo, By: Person{Name: e.By, System: true}, Version: AnyVersion, Reason: e.Reason, Restore: e.Case,
		})
		if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) { // somebody has decided anew
			return nil
		}
		return err
	case store.EffectRevoke:
		if s.deps.Penalties == nil {
			return nil
		}
		return s.deps.Penalties.Revoke(ctx, e.App, e.Player, e.Target, e.By, "appeal upheld")
	case store.EffectNotice:
		if s.deps.Notices == nil {
			return nil
		}
		return s.deps.Notices.AppealDecided(ctx, e.App, e.Player, e.Case, e.Decision == store.CaseApproved)
	}
	return nil // of a later release: not ours to do
}

func (s *Service) toScene(ctx context.Context, e *store.Effect) error {
	if s.deps.Scenes == nil {
		return nil
	}
	m, err := s.deps.Store.SceneMessage(ctx, e.App, e.Scene, e.Message)
	if errors.Is(err, store.ErrNotFound) {
		return nil // past its retention
	}
	if err != nil {
		return err
	}
	if e.Kind == store.EffectPublish && m.State == messageRetracted {
		return nil // taken back before the scene has seen it
	}
	item := &engines.Item{
		RequestID: m.Message, App: m.App, Player: m.Player, Scene: m.Scene, Session: m.Session,
		Kind: engines.KindText, Text: m.Content, Language: m.Language, Live: true, ReceivedAt: m.Sent,
	}
	switch e.Kind {
	case store.EffectPublish:
		return s.deps.Scenes.Publish(ctx, item, e.Case)
	case store.EffectReject:
		return s.deps.Scenes.Reject(ctx, item, e.Case)
	}
	return s.deps.Scenes.Retract(ctx, item, e.Category)
}
