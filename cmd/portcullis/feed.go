package main

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
	"github.com/portcullis-gg/portcullis/streams/chat"
)

const (
	// A gateway whose moderators watch says so this often, and is believed this long.
	beaconEvery = 2 * time.Second
	beaconLasts = 3 * beaconEvery
	// firstVersion is the version of a case that was just opened.
	firstVersion = 1
)

// feed shows the desk's verdicts, and what becomes of bans, to the moderators here and at other gateways.
// An event that nobody watches anywhere is never made.
type feed struct {
	node   string
	hub    *chat.Hub
	bus    interface{ Feed(payload []byte) }
	shared bool
	until  atomic.Int64 // Unix ms until when another gateway's moderators watch
}

// Wants reports whether anybody watches.
func (f *feed) Wants(engines.AppID) bool { return f.hub.Watched() || f.elsewhere() }

func (f *feed) elsewhere() bool { return f.until.Load() > time.Now().UnixMilli() }

// Publish shows an event.
func (f *feed) Publish(e review.Event) {
	event := wire.FeedEvent{
		ID: e.ID, At: e.At, App: e.App, Kind: e.Kind, Scene: e.Scene, Player: e.Player, Request: e.Request,
		Verdict: e.Verdict, Content: e.Content, Took: e.Took, Case: e.Case, CaseVersion: firstVersion, Use: e.Use, Media: e.Media,
	}
	frame := wire.AppendFeedEvent(nil, &event)
	if f.hub.Watched() {
		f.hub.ShowFrame(&event, frame)
	}
	if f.shared && f.elsewhere() {
		f.bus.Feed([]byte(strings.Join([]string{
			"event", f.node, string(e.App), string(e.Scene), string(e.Player), string(e.Verdict.Found().Suggestion), string(frame),
		}, "\n"))) // ids hold no control characters
	}
}

// ban shows a change of a ban.
func (f *feed) ban(b *economy.Ban, state economy.BanState) {
	id := uuid.Must(uuid.NewV7()).String() // fails only without random numbers
	f.show(b.App, b.Player, wire.AppendBanEvent(nil, id, time.Now(), b, state))
}

// show shows a frame that is no verdict. There are few, so that the other gateways get
// it whether they have said that somebody watches there or not.
func (f *feed) show(app engines.AppID, player engines.PlayerID, frame []byte) {
	if f.hub.Watched() {
		f.hub.ShowFrame(&wire.FeedEvent{App: app, Player: player}, frame)
	}
	if f.shared {
		f.bus.Feed([]byte(strings.Join([]string{"event", f.node, string(app), "", string(player), "", string(frame)}, "\n")))
	}
}

// rollout shows that a rollout has stopped by itself. There are few.
func (f *feed) rollout(r *store.Rollout) {
	if !f.shared && !f.hub.Watched() {
		return
	}
	event := wire.FeedEvent{App: r.App}
	stopped := wire.StoppedRollout{ID: r.ID, Layer: r.Layer, Name: r.Name, Step: string(r.Step), Share: r.Share, Why: r.Why}
	frame := wire.AppendRolloutEvent(nil, uuid.Must(uuid.NewV7()).String(), time.Now(), r.App, &stopped) // fails only without random numbers
	if f.hub.Watched() {
		f.hub.ShowFrame(&event, frame)
	}
	if f.shared {
		f.bus.Feed([]byte(strings.Join([]string{"event", f.node, string(r.App), "", "", "", string(frame)}, "\n")))
	}
}

// heard takes what other gateways put on the feed: a beacon or an event.
func (f *feed) heard(payload []byte) {
	parts := strings.SplitN(string(payload), "\n", 7)
	if len(parts) < 2 || parts[1] == f.node {
		return
	}
	switch {
	case parts[0] == "watch":
		f.until.Store(time.Now().Add(beaconLasts).UnixMilli())
	case parts[0] == "event" && len(parts) == 7:
		f.hub.ShowFrame(&wire.FeedEvent{
			App: engines.AppID(parts[2]), Scene: engines.SceneID(parts[3]), Player: engines.PlayerID(parts[4]),
			Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Suggestion(parts[5])}},
		}, []byte(parts[6]))
	}
}

// beacon tells the other gateways that moderators watch here, while they do.
func (f *feed) beacon(ctx context.Context) {
	if !f.shared {
		return
	}
	tick := time.NewTicker(beaconEvery)
	defer tick.Stop()
	for {
		if f.hub.Watched() {
			f.bus.Feed([]byte("watch\n" + f.node))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
