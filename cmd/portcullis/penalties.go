package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/penalty"
	"github.com/portcullis-gg/portcullis/internal/players"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// buildPenalties builds what is known of players and what acts on them, and reads who
// is muted.
func (a *app) buildPenalties(ctx context.Context) error {
	a.players = players.New(a.cfg.Players, players.Deps{
		Store: a.db, Known: a.economy.Known, Log: a.log,
		Tell: func(app engines.AppID, player engines.PlayerID) { a.tellOf(playerNotice, app, player) },
	})
	a.penalties = penalty.New(a.cfg.Penalties, penalty.Deps{
		Store: a.db, Economy: a.economy, Sessions: ears{a}, Counts: a.cfg.Players.StrikesCount(), Log: a.log,
		Tell:        func(app engines.AppID, player engines.PlayerID) { a.tellOf(penaltyNotice, app, player) },
		TellLadders: func() { a.behind.Feed([]byte(laddersNotice + "\n" + a.node)) },
		Changed:     a.penaltyChanged,
		Struck:      a.players.Changed,
		Layers:      func(item *engines.Item) []string { return a.policies.Layers(item) }, // which are built next
		LayersOf:    a.layersOf,
	})
	return a.penalties.Load(ctx)
}

// layersOf lists the layers of the policy that hold for what a ruling is about: as it was
// decided, else where its case says that it was said, by what is known of its player now.
func (a *app) layersOf(ctx context.Context, r *store.Ruling) ([]string, error) {
	item := engines.Item{App: r.App, Player: r.Player, Kind: engines.KindText}
	d, err := a.db.Decision(ctx, r.App, r.Request)
	switch {
	case err == nil:
		item.Kind, item.Scene, item.Language, item.Region, item.Segment = d.Kind, d.Scene, d.Language, d.Circumstances.Region, d.Circumstances.Segment
		if use := d.Circumstances.Use; use != "" { // which selects the layer of its game mode
			item.Media = &engines.Media{Use: use}
		}
	case !errors.Is(err, store.ErrNotFound):
		return nil, err
	case r.Case != "":
		c, err := a.db.Case(ctx, r.Case)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		item.Scene = c.Scene
	}
	a.players.Fill(&item)
	return a.policies.Layers(&item), nil
}

// The first lines of notes on the feed's channel, which every gateway hears: the
// penalties, or the card, of a player have changed; a ladder has.
const (
	penaltyNotice = "penalty"
	playerNotice  = "player"
	laddersNotice = "ladders"
)

func (a *app) tellOf(notice string, app engines.AppID, player engines.PlayerID) {
	a.behind.Feed([]byte(strings.Join([]string{notice, a.node, string(app), string(player)}, "\n"))) // ids hold no control characters
}

// heardPenalty takes such a note; false for any other.
func (a *app) heardPenalty(payload []byte) bool {
	parts := strings.Split(string(payload), "\n")
	switch {
	case len(parts) == 2 && parts[0] == laddersNotice:
		if parts[1] != a.node {
			a.penalties.ToldLadders()
		}
		return true
	case len(parts) != 4 || parts[0] != penaltyNotice && parts[0] != playerNotice:
		return false
	case parts[1] == a.node:
		return true
	}
	app, player := engines.AppID(parts[2]), engines.PlayerID(parts[3])
	a.players.Changed(app, player) // its strikes may be what changed
	if parts[0] == penaltyNotice {
		a.penalties.Told(app, player)
	}
	return true
}

// penaltyBody is what webhooks are told of a penalty, as it was at the change.
func penaltyBody(state penalty.State) eventBody {
	return func(ctx context.Context, a *app, e *store.Event, dst []byte) (string, []byte, bool, error) {
		return factBody(func(dst []byte, p *store.Penalty) (string, []byte) {
			return "player/" + string(p.Player), wire.Str(wire.AppendPenalty(dst, p, e.At), "state", string(state))
		})(ctx, a, e, dst)
	}
}

// penaltyChanged tells moderators of a penalty, and has webhooks sent.
func (a *app) penaltyChanged(p *store.Penalty, state penalty.State) {
	if p.Kind == store.PenaltyWarn {
		a.players.Changed(p.App, p.Player) // it is to be told
	}
	a.feed.penalty(p, state)
	a.hooks.Wake()
}

// penalty shows a change of a penalty, as ban does one of a ban.
func (f *feed) penalty(p *store.Penalty, state penalty.State) {
	if !f.shared && !f.hub.Watched() {
		return
	}
	event := wire.FeedEvent{App: p.App, Player: p.Player}
	frame := wire.AppendPenaltyEvent(nil, uuid.Must(uuid.NewV7()).String(), time.Now(), p, string(state)) // fails only without random numbers
	if f.hub.Watched() {
		f.hub.ShowFrame(&event, frame)
	}
	if f.shared {
		f.bus.Feed([]byte(strings.Join([]string{"event", f.node, string(p.App), "", string(p.Player), "", string(frame)}, "\n")))
	}
}

// ears are the sessions of this gateway, once there are any.
type ears struct{ a *app }

func (e ears) Here(app engines.AppID, player engines.PlayerID) bool {
	return e.a.hub != nil && e.a.hub.Here(app, player)
}

func (e ears) Warn(app engines.AppID, player engines.PlayerID, category engines.Category) {
	e.a.hub.Warn(app, player, category)
}

func (e ears) Mute(app engines.AppID, player engines.PlayerID, voice bool, until time.Time, category engines.Category) {
	if e.a.hub != nil {
		e.a.hub.Mute(app, player, voice, until, category)
	}
	if voice && e.a.voice != nil {
		e.a.voice.Mute(app, player, until)
	}
}

func (e ears) Unmute(app engines.AppID, player engines.PlayerID, voice bool) {
	if e.a.hub != nil {
		e.a.hub.Unmute(app, player, voice)
	}
}

// arrivals know the players whose sessions open.
type arrivals struct {
	players   *players.Service
	penalties *penalty.Service
}

// tellWithin bounds how long warnings that wait are looked for.
const tellWithin = 2 * time.Second

func (a arrivals) Arrived(app engines.AppID, player engines.PlayerID) bool {
	return a.players.Arrived(app, player)
}

func (a arrivals) TellWarnings(app engines.AppID, player engines.PlayerID) {
	ctx, cancel := context.WithTimeout(context.Background(), tellWithin)
	defer cancel()
	a.penalties.Arrived(ctx, app, player)
}

func (a arrivals) Language(app engines.AppID, player engines.PlayerID) string {
	return a.players.Language(app, player)
}

// standings put together what the economy and the ladder know of a player.
type standings struct {
	economy *economy.Service
	players *players.Service
}

func (s standings) Standing(app engines.AppID, player engines.PlayerID) engines.Standing {
	st := s.players.Standing(app, player)
	st.EconomyRisk = s.economy.Standing(app, player).EconomyRisk
	return st
}
