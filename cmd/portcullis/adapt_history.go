package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/erasure"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// conversations is the store of cases, with what was said so lately that it is not stored yet:
// a player reports a message within seconds.
type conversations struct {
	*sqlstore.Store

	a *app
}

// SceneMessage returns a message of a scene. One that neither the store nor this
// gateway has may wait at another, which is asked to write it.
func (t conversations) SceneMessage(ctx context.Context, app engines.AppID, scene engines.SceneID, id engines.RequestID) (store.SceneMessage, error) {
	m, err := t.Store.SceneMessage(ctx, app, scene, id)
	if !errors.Is(err, store.ErrNotFound) {
		return m, err
	}
	if m, ok := t.a.history.Said(app, scene, id); ok {
		return m, nil
	}
	t.a.behind.Feed([]byte(strings.Join([]string{wantedNotice, t.a.node, string(app), string(scene)}, "\n"))) // ids hold no control characters
	return m, err
}

// allRecords is what is stored of a player, with what was said so lately that it is not
// stored yet.
type allRecords struct {
	*sqlstore.Store

	a *app
}

// PlayerRecords hands on what is stored, once every gateway has had the time to store
// what it holds of the player.
func (t allRecords) PlayerRecords(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	t.a.behind.Feed([]byte(strings.Join([]string{gatherNotice, t.a.node, string(app), string(player)}, "\n")))
	settled := time.NewTimer(erasure.Settle)
	defer settled.Stop()
	written := t.a.history.Gather(app, player)
	for range 2 {
		select {
		case <-settled.C:
		case <-written:
			written = nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return t.Store.PlayerRecords(ctx, app, player, each)
}

const (
	// wantedNotice is the first line of a note on the feed's channel: write what waits of
	// a scene.
	wantedNotice = "wanted"
	// gatherNotice is the same for what waits of a player.
	gatherNotice = "gather"
)

// heardWanted takes such notes; false for any other.
func (a *app) heardWanted(payload []byte) bool {
	parts := strings.Split(string(payload), "\n")
	if len(parts) != 4 || parts[0] != wantedNotice && parts[0] != gatherNotice {
		return false
	}
	switch {
	case parts[1] == a.node:
	case parts[0] == gatherNotice:
		a.history.Gather(engines.AppID(parts[2]), engines.PlayerID(parts[3]))
	default:
		a.history.Want(engines.AppID(parts[2]), engines.SceneID(parts[3]))
	}
	return true
}
