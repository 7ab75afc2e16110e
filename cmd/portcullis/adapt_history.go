package main

import (
	"context"
	"errors"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
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

// wantedNotice is the first line of a note on the feed's channel: write what waits of a
// scene.
const wantedNotice = "wanted"

// heardWanted takes such a note; false for any other.
func (a *app) heardWanted(payload []byte) bool {
	parts := strings.Split(string(payload), "\n")
	if len(parts) != 4 || parts[0] != wantedNotice {
		return false
	}
	if parts[1] != a.node {
		a.history.Want(engines.AppID(parts[2]), engines.SceneID(parts[3]))
	}
	return true
}
