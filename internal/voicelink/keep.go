package voicelink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// sweep keeps the voices of those who may not speak any more, and forgets those of others
// when their time is over.
func (k *Keeper) sweep(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	var errs []error
	for _, key := range k.barred() {
		if err := k.keep(ctx, key); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// barred lists the players who were heard, may not speak and of whom no voice is kept.
func (k *Keeper) barred() (list []store.VoiceKey) {
	now := k.deps.Now().UnixMilli()
	k.mu.Lock()
	defer k.mu.Unlock()
	for key, s := range k.spoken {
		if now-s.last > int64(s.rule.RememberMinutes)*time.Minute.Milliseconds() {
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
	if fresh {
		k.m.kept.Inc()
	}
	k.mu.Lock()
	k.kept[key] = p // another gateway's, if that was first, comes with the next look
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
		p, err := k.deps.Store.VoicePrint(ctx, key)
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			errs = append(errs, err)
		case !speaker.Valid(p.Voice):
			errs = append(errs, errors.New("a voice that is kept is none"))
		default:
			k.mu.Lock()
			k.kept[key] = &p
			k.mu.Unlock()
		}
	}
	return errors.Join(errs...)
}

// Why a voice goes.
const (
	whyEnded = "the penalty ended"
	whyOver  = "its days are over"
	whyOff   = "the policy allows it no more"
)

// end lets go what is not to be kept any more.
func (k *Keeper) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	now := k.deps.Now().UnixMilli()
	gone := map[store.VoiceKey]string{}
	k.mu.Lock()
	for key, p := range k.kept {
		switch {
		case p.Until <= now:
			gone[key] = whyOver
		case !k.deps.Allowed(key.App):
			gone[key] = whyOff
		case now-p.Kept > settled.Milliseconds() && !k.deps.Players.Barred(key):
			gone[key] = whyEnded
		}
	}
	k.mu.Unlock()
	for key, why := range gone {
		if _, err := k.deps.Store.DropVoicePrint(ctx, key, why); err != nil {
			return err //nolint:wrapcheck // it says what failed
		}
		k.mu.Lock()
		delete(k.kept, key)
		if why != whyEnded { // nor is it kept again from what is remembered
			delete(k.spoken, key)
		}
		k.mu.Unlock()
	}
	return nil
}
