package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/voicelink"
)

// buildVoiceLinks builds what knows the voices of banned players again, which does
// nothing for an app whose policy does not ask for it.
func (a *app) buildVoiceLinks() {
	a.voiceLinks = voicelink.New(voicelink.Deps{
		Store: a.db, Players: decided{a}, Found: a.voiceFound, Registry: a.reg, Log: a.log,
		Allowed: func(app engines.AppID) bool { return a.policies.Set(app).LinksVoices() },
	})
}

// decided knows who may not speak, and who decided that.
type decided struct{ a *app }

func (d decided) Barred(k store.VoiceKey) bool {
	_, _, muted := d.a.penalties.VoiceMuted(k.App, k.Player)
	return muted || d.a.economy.KeptOut(k.App, k.Player)
}

// ofOnePlayer is how many of a player's penalties, bans and strikes are looked through.
const ofOnePlayer = 100

// byLadder is who gives the penalties of the ladder.
const byLadder = "ladder"

// Decided looks for a penalty that a person or the app gave, or that rests on a violation
// that a person has confirmed, then for such a ban.
func (d decided) Decided(ctx context.Context, k store.VoiceKey) (ref string, since int64, ok bool, err error) {
	now := time.Now().UnixMilli()
	penalties, err := d.a.db.Penalties(ctx, store.PenaltyQuery{App: k.App, Player: k.Player, Holding: true, Now: now, Limit: ofOnePlayer})
	if err != nil {
		return "", 0, false, err //nolint:wrapcheck // it says what failed
	}
	machine := map[string]bool{} // penalties that nobody has confirmed, which their bans name
	for i := range penalties {
		p := &penalties[i]
		if p.Kind != store.PenaltyMuteVoice && p.Kind != store.PenaltySuspend && p.Kind != store.PenaltyBan {
			continue
		}
		if p.By == byLadder {
			confirmed, err := d.confirmed(ctx, k, p.Strike)
			if err != nil {
				return "", 0, false, err
			}
			if !confirmed {
				machine[p.ID] = true
				continue
			}
		}
		return p.ID, p.Created, true, nil
	}
	bans, err := d.a.db.Bans(ctx, economy.BanQuery{App: k.App, Player: k.Player, Holding: true, Now: now, Limit: ofOnePlayer})
	if err != nil {
		return "", 0, false, err //nolint:wrapcheck // as above
	}
	for i := range bans {
		if b := &bans[i]; b.Excludes() && !machine[b.ID] && b.By != byLadder {
			return b.ID, b.Created, true, nil
		}
	}
	return "", 0, false, nil
}

// confirmed reports whether a person gave a strike, or has rejected what it was for.
func (d decided) confirmed(ctx context.Context, k store.VoiceKey, strike string) (bool, error) {
	strikes, err := d.a.db.Strikes(ctx, k.App, k.Player, economy.Mark{}, ofOnePlayer)
	if err != nil {
		return false, err //nolint:wrapcheck // it says what failed
	}
	i := slices.IndexFunc(strikes, func(s store.Strike) bool { return s.ID == strike })
	if i < 0 {
		return false, nil
	}
	if s := &strikes[i]; !s.Automatic || s.Case == "" {
		return !s.Automatic, nil
	}
	c, err := d.a.db.Case(ctx, strikes[i].Case)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return c.State == store.CaseClosed && c.Decision == store.CaseRejected, err //nolint:wrapcheck // as above
}

// voiceFound opens the case of a match: one for each pair of players, ever.
func (a *app) voiceFound(ctx context.Context, m *voicelink.Match) error {
	_, opened, err := a.db.OpenAlert(ctx, economy.Alert{
		Kind: economy.BanEvasion, App: m.Of.App, Player: m.Of.Player, At: m.Last,
		Link: &economy.Link{
			Banned: m.Like.Player, BanID: m.Like.Ref, Since: m.Like.Since, By: economy.ByVoice, Seats: 2, Last: m.Like.Heard,
			First: m.First, Latest: m.Last, Appeared: m.First, Similarity: m.Similarity, Threshold: m.Threshold, SpokenMS: m.SpokenMS,
		},
	})
	if opened {
		a.hooks.Wake()
	}
	return err //nolint:wrapcheck // it says what failed
}
