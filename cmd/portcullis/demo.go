package main

import (
	"context"
	"errors"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// demoApp is the app that the demo page's players belong to.
const demoApp engines.AppID = "demo"

// makeDemo makes the demo app unless an earlier start did. Nobody needs its
// secret: the gateway mints the tickets itself.
func (a *app) makeDemo(ctx context.Context) (engines.AppID, error) {
	err := a.db.CreateApp(ctx, demoApp, newKeyID(), newSecret())
	if err != nil && !errors.Is(err, store.ErrExists) {
		return "", err
	}
	return demoApp, nil
}
