package voicelink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// sweep keeps the voices of those who may not speak any more, forgets those of others when
// their time is over, and holds what is new among the kept against what is remembered.
func (k *Keeper) sweep(ctx context.Context) error {
	err := k.keepAll(ctx, k.barred())
	return errors.Join(err, k.tell(ctx, k.meet()))
}

func (k *Keeper) keepAll(ctx context.Context, list []store.VoiceKey) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	var errs []error
	for _, key := range list {
		err := k.keep(ctx, key)
		if away(ctx, err) {
			return err
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// away reports whether an error is that of a store that is away or too slow: what else there
// is to do would fail as well.
func away(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, engines.ErrUnavailable))
}

// barred lists the players who were heard, may not speak and of whom no voice is kept. Who
// was heard too long ago is forgotten, and so is all of an app whose policy allows no voices.
func (k *Keeper) barred() (list []store.VoiceKey) {
	now := k.deps.Now().UnixMilli()
	k.mu.Lock()
	defer k.mu.Unlock()
	allowed := map[engines.AppID]bool{}
	for key, s := range k.spoken {
		ok, asked := allowed[key.App]
		if !asked {
			ok = k.deps.Allowed(key.App)
			allowed[key.App] = ok
		}
		if !ok || now-s.last > int64(s.rule.RememberMinutes)*time.Minute.Milliseconds() {
			delete(k.spoken, key)
			continue
		}
		if k.kept[key] == nil && now-s.asked >= askAgain.Milliseconds() && k.deps.Players.Barred(key) {
			list = append(list, key)
		}
	}
	return list
}

// keep keeps the voice that a player has spoken with most, if a person or the app decided
// that it may not.
func (k *Keeper) keep(ctx context.Context, key store.VoiceKey) error {
	ref, since, ok, err := k.deps.Players.Decided(ctx, key)
	if err != nil {
		return fmt.Errorf("who decided: %w", err)
	}
	k.storing.Lock()
	defer k.storing.Unlock()
	p := k.print(key)
	if !ok || p == nil {
		return nil
	}
	p.Ref, p.Since = ref, since
	fresh, err := k.deps.Store.PutVoicePrint(ctx, *p)
	if err != nil {
		k.mu.Lock()
		if s := k.spoken[key]; s != nil {
			s.asked = 0
		}
		k.mu.Unlock()
		return err //nolint:wrapcheck // it says what failed
	}
	if !fresh { // another gateway's was first, and comes with the next look; or it is being erased
		return nil
	}
	k.m.kept.Inc()
	k.mu.Lock()
	k.kept[key] = &held{VoicePrint: *p}
	k.mu.Unlock()
	return nil
}

// print makes what is to be kept of a player, nil where too little was heard, or it was
// forgotten meanwhile.
func (k *Keeper) print(key store.VoiceKey) *store.VoicePrint {
	now := k.deps.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.spoken[key]
	if s == nil {
		return nil
	}
	s.asked = now.UnixMilli()
	most := slices.MaxFunc(s.voices, func(a, b speaker.Print) int { return cmp.Compare(a.SpokenMS, b.SpokenMS) })
	if !most.Enough() {
		return nil
	}
	mean := most.Mean()
	return &store.VoicePrint{
		VoiceKey: key, Voice: mean[:], SpokenMS: most.SpokenMS, Windows: most.Windows, Heard: s.last,
		Kept: now.UnixMilli(), Until: now.AddDate(0, 0, s.rule.Days).UnixMilli(),
	}
}

// follow learns which voices are kept.
func (k *Keeper) follow(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	all, err := k.deps.Store.VoicesKept(ctx)
	if err != nil {
		return err //nolint:wrapcheck // it says what failed
	}
	k.mu.Lock()
	var fresh []store.VoiceKey
	for key, at := range all {
		if p := k.kept[key]; p == nil || p.Kept != at {
			fresh = append(fresh, key)
		}
	}
	for key := range k.kept {
		if _, ok := all[key]; !ok {
			delete(k.kept, key)
		}
	}
	k.mu.Unlock()
	var errs []error
	for _, key := range fresh { // one that does not open must not hide the others
		err := k.learn(ctx, key)
		if away(ctx, err) {
			return err
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// learn reads a voice that is kept.
func (k *Keeper) learn(ctx context.Context, key store.VoiceKey) error {
	k.storing.Lock()
	defer k.storing.Unlock()
	p, err := k.deps.Store.VoicePrint(ctx, key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err //nolint:wrapcheck // it says what failed
	case !speaker.Valid(p.Voice):
		return errors.New("a voice that is kept is none")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept[key] = &held{VoicePrint: p}
	return nil
}
