package voicelink

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/internal/store"
)

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
	gone, doubted := k.ending()
	for key, why := range gone {
		if err := k.drop(ctx, key, why); err != nil {
			return err
		}
	}
	for _, key := range doubted {
		_, _, stands, err := k.deps.Players.Decided(ctx, key)
		if err != nil {
			return fmt.Errorf("whether it stands: %w", err)
		}
		if !stands {
			if err := k.drop(ctx, key, whyEnded); err != nil {
				return err
			}
			continue
		}
		k.mu.Lock()
		if p := k.kept[key]; p != nil {
			p.asked = k.deps.Now().UnixMilli()
		}
		k.mu.Unlock()
	}
	return nil
}

// ending lists the voices that go, and those of which it is to be asked whether the decision
// stands: memory may not know of it yet, or of another one.
func (k *Keeper) ending() (gone map[store.VoiceKey]string, doubted []store.VoiceKey) {
	now := k.deps.Now().UnixMilli()
	gone = map[store.VoiceKey]string{}
	k.mu.Lock()
	defer k.mu.Unlock()
	for key, p := range k.kept {
		switch {
		case p.Until <= now:
			gone[key] = whyOver
		case !k.deps.Allowed(key.App):
			gone[key] = whyOff
		case now-p.Kept <= settled.Milliseconds():
		case now-p.asked >= standsEvery.Milliseconds() || !k.deps.Players.Barred(key):
			doubted = append(doubted, key)
		}
	}
	if len(doubted) > standsAtOnce {
		slices.SortFunc(doubted, func(a, b store.VoiceKey) int { return cmp.Compare(k.kept[a].asked, k.kept[b].asked) })
		doubted = doubted[:standsAtOnce]
	}
	return gone, doubted
}

// drop lets a voice go.
func (k *Keeper) drop(ctx context.Context, key store.VoiceKey, why string) error {
	if _, err := k.deps.Store.DropVoicePrint(ctx, key, why); err != nil {
		return err //nolint:wrapcheck // it says what failed
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.kept, key)
	if why != whyEnded { // nor is it kept again from what is remembered
		delete(k.spoken, key)
	}
	return nil
}
