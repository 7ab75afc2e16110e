package main

import (
	"context"
	"io"
	"strings"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/engines"
)

// buildEconomy builds the economy's service and reads who is banned. Sessions ask
// it who may come in; it asks them to send away whom a ban keeps out.
func (a *app) buildEconomy(ctx context.Context) error {
	a.economy = economy.New(economy.Deps{
		Store: a.db, Book: func() economy.Book { return risk.New(risk.Config{}) }, Log: a.log,
		Saved: func(r io.Reader) (economy.Book, error) { return risk.Load(risk.Config{}, r) },
		Expel: func(app engines.AppID, player engines.PlayerID) { //nolint:contextcheck // an end of a session outlives who asked for it
			if a.hub != nil {
				a.hub.Expel(app, player)
			}
		},
		Tell: a.tellBan, Changed: a.banChanged,
	})
	return a.economy.Load(ctx)
}

// banNotice is the first line of a note on the feed's channel, which every gateway
// hears: the bans of a player have changed.
const banNotice = "ban"

func (a *app) tellBan(app engines.AppID, player engines.PlayerID) {
	a.behind.Feed([]byte(strings.Join([]string{banNotice, a.node, string(app), string(player)}, "\n"))) // ids hold no control characters
}

// heardBan takes such a note; false for any other.
func (a *app) heardBan(payload []byte) bool {
	parts := strings.Split(string(payload), "\n")
	if len(parts) != 4 || parts[0] != banNotice {
		return false
	}
	if parts[1] != a.node {
		a.economy.Told(engines.AppID(parts[2]), engines.PlayerID(parts[3]))
	}
	return true
}
