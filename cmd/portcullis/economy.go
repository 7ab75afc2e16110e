package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/economy/rules"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/giveway"
)

// buildEconomy builds the economy's service and reads who is banned. Sessions ask
// it who may come in; it asks them to send away whom a ban keeps out.
func (a *app) buildEconomy(ctx context.Context) error {
	a.rules = rules.New(rules.Deps{
		Store: a.db, Known: risk.Known, Asker: func() rules.Asker { return a.economy }, Tell: a.tellRules, Log: a.log,
		// Without a clock, so that a back-test says the same each time.
		Book: func() economy.Book { return risk.New(risk.Config{Fresh: -1}) },
	})
	settings := risk.Config{Hot: a.cfg.Economy.HotPlayers, Behind: func(f func()) {
		go func() { // on a thread of its own, which ends with it
			giveway.Now()
			f()
		}()
	}}
	if a.redis.Shared() && a.cfg.Economy.PackedMB > 0 { // one in this process would save nothing
		settings.Cold, settings.Resident = newCountedCold(a.redis.Blobs(), a.reg), a.cfg.Economy.PackedMB<<20
	}
	a.economy = economy.New(economy.Deps{
		Store: a.db, Book: func() economy.Book { return risk.New(settings) }, Rules: a.rules, Log: a.log,
		Saved: func(r io.Reader) (economy.Book, error) { return risk.Load(settings, r) },
		Expel: func(app engines.AppID, player engines.PlayerID) { //nolint:contextcheck // an end of a session outlives who asked for it
			if a.hub != nil {
				a.hub.Expel(app, player)
			}
			if a.voice != nil {
				a.voice.Dismiss(app, player)
			}
		},
		Tell: a.tellBan, Changed: a.banChanged, Counted: a.counter.Entries,
		Cased: a.cased, CloseCalmed: a.cfg.Economy.CloseCalmed,
	})
	return errors.Join(a.economy.Load(ctx), a.rules.Load(ctx))
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

// rulesNotice likewise says that a rule has changed.
const rulesNotice = "rules"

func (a *app) tellRules() { a.behind.Feed([]byte(rulesNotice + "\n" + a.node)) }

// heardRules takes such a note; false for any other.
func (a *app) heardRules(payload []byte) bool {
	notice, node, _ := strings.Cut(string(payload), "\n")
	if notice != rulesNotice {
		return false
	}
	if node != a.node {
		a.rules.Told()
	}
	return true
}
