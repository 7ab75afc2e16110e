package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// economyRows makes the entries of a game in which money is earned and spent, items
// are found and used, and some of both is traded. Balances and counts add up.
type economyRows struct {
	rng     *rand.Rand
	players []economyPlayer
	met     []int // players that have an entry: nobody knows of the others
	at      int64 // event time, epoch ms
	made    int
}

type economyPlayer struct {
	name        string
	gold, stack int64
	met         bool
}

// player is anybody, who is met with that.
func (g *economyRows) player() *economyPlayer {
	i := g.rng.IntN(len(g.players))
	p := &g.players[i]
	if !p.met {
		p.met = true
		g.met = append(g.met, i)
	}
	return p
}

// economyRow is one row as the bare insert stores it: the columns of the log table.
type economyRow struct {
	log                                             int
	player, id, action, what, source, device, extra string
	at, amount, after                               int64
}

// economyBatch is one submission: its route, its body without app_id, its rows.
type economyBatch struct {
	path string
	logs []json.RawMessage
	rows []economyRow
}

func newEconomyRows(players int, now time.Time) *economyRows {
	g := &economyRows{rng: rand.New(rand.NewPCG(7, 11)), at: now.Add(-time.Hour).UnixMilli()} //nolint:gosec // not for secrets: the same rows every time
	for i := range players {
		g.players = append(g.players, economyPlayer{name: fmt.Sprintf("player-%06d", i), gold: 1000, stack: 20})
	}
	return g
}

// batches makes n entries in submissions of size each: of twenty, sixteen are
// currency logs, three item logs and one a trade log.
func (g *economyRows) batches(n, size int) []economyBatch {
	var out []economyBatch
	for i := 0; n > 0; i++ {
		out = append(out, g.batch(i, min(n, size)))
		n -= size
	}
	return out
}

func (g *economyRows) batch(i, size int) economyBatch {
	kind, path := g.currency, "currency"
	switch i % 20 {
	case 6, 12, 18:
		kind, path = g.item, "item"
	case 19:
		kind, path = g.trade, "trade"
	}
	b := economyBatch{path: "/api/v1/economy/" + path + "-log"}
	for range size {
		g.made++
		g.at += g.rng.Int64N(3)
		fields, row := kind("e-" + strconv.Itoa(g.made))
		raw, err := json.Marshal(fields)
		if err != nil {
			panic("bench: an entry of strings and numbers: " + err.Error())
		}
		b.logs, b.rows = append(b.logs, raw), append(b.rows, row)
	}
	return b
}

// Sources by direction; a game has its own words.
var (
	earned = []string{"quest", "monster_drop", "daily_login", "npc_shop", "event_reward"}
	spent  = []string{"npc_shop", "repair", "enchant", "travel"}
)

func oneOf(rng *rand.Rand, list []string) string { return list[rng.IntN(len(list))] }

func (g *economyRows) currency(id string) (any, economyRow) {
	p := g.player()
	amount, action, source := 1+g.rng.Int64N(200), "earn", oneOf(g.rng, earned)
	if p.gold > amount && g.rng.IntN(3) == 0 {
		action, source = "spend", oneOf(g.rng, spent)
		p.gold -= amount
	} else {
		p.gold += amount
	}
	device := "device-" + p.name
	return map[string]any{
		"log_id": id, "timestamp": g.at, "player_id": p.name, "currency_type": "gold", "action": action, "amount": amount, "balance_after": p.gold,
		"source": source, "device_id": device,
	}, economyRow{1, p.name, id, action, "gold", source, device, "", g.at, amount, p.gold}
}

func (g *economyRows) item(id string) (any, economyRow) {
	p := g.player()
	count, action, source := 1+g.rng.Int64N(5), "acquire", "monster_drop"
	if p.stack > count && g.rng.IntN(2) == 0 {
		action, source = "consume", "craft"
		p.stack -= count
	} else {
		p.stack += count
	}
	return map[string]any{
		"log_id": id, "timestamp": g.at, "player_id": p.name, "item_id": "iron_ore", "action": action, "count": count, "count_after": p.stack,
		"source": source,
	}, economyRow{2, p.name, id, action, "iron_ore", source, "", "", g.at, count, p.stack}
}

// proposal is a trade between two players that were met, as /evaluate-trade takes it.
func (g *economyRows) proposal() map[string]any {
	from := g.rng.IntN(len(g.met))
	to := (from + 1 + g.rng.IntN(len(g.met)-1)) % len(g.met)
	return map[string]any{
		"sender_id": g.players[g.met[from]].name, "receiver_id": g.players[g.met[to]].name,
		"items":    []any{map[string]any{"item_id": "iron_ore", "count": 1 + g.rng.IntN(10)}},
		"currency": map[string]any{"type": "gold", "amount": g.rng.IntN(500)},
	}
}

func (g *economyRows) trade(id string) (any, economyRow) {
	t := g.proposal()
	t["log_id"], t["timestamp"], t["trade_id"], t["trade_type"], t["status"] = id, g.at, "t-"+id, "direct", "completed"
	sender, _ := t["sender_id"].(string) // proposal's own
	extra, err := json.Marshal(t)
	if err != nil {
		panic("bench: a trade of strings and numbers: " + err.Error())
	}
	return t, economyRow{log: 3, player: sender, id: id, extra: string(extra), at: g.at}
}
