package bench

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"
)

// killRows makes submissions for economy-kill. Most players are ordinary; some have
// money from nowhere and some give all to one, so that scores are not all 0. Event
// times run over the last forty hours: an app whose events lag the clock by 48 has
// another time than ours.
type killRows struct {
	mu   sync.Mutex
	rows *economyRows
	n    int // submissions made
}

func newKillRows(players int, seed uint64, now time.Time) *killRows {
	g := newEconomyRows(players, now.Add(-40*time.Hour))
	g.rng = rand.New(rand.NewPCG(seed, 11)) //nolint:gosec // not for secrets
	return &killRows{rows: g}
}

// next is the next submission, of one to three entries, all in one log.
func (k *killRows) next() economyBatch {
	k.mu.Lock()
	defer k.mu.Unlock()
	g := k.rows
	k.n++
	if g.at < time.Now().Add(-time.Hour).UnixMilli() {
		g.at += g.rng.Int64N(40_000)
	}
	size := 1 + g.rng.IntN(3)
	switch g.rng.IntN(25) {
	case 0: // a villain's gold grows in silence
		p := &g.players[g.rng.IntN(max(1, len(g.players)/50))]
		p.gold += 50_000
	case 1: // the next of them give to one and get nothing
		return k.funnel(size)
	}
	return g.batch(k.n, size)
}

func (k *killRows) funnel(size int) economyBatch {
	g := k.rows
	b := economyBatch{path: "/api/v1/economy/trade-log"}
	first := max(1, len(g.players)/50)
	for range size {
		g.made++
		id := "e-" + strconv.Itoa(g.made)
		t := map[string]any{
			"log_id": id, "timestamp": g.at, "trade_id": "t-" + id, "sender_id": g.players[first+1+g.rng.IntN(first)].name,
			"receiver_id": g.players[first].name, "items": []any{}, "currency": map[string]any{"type": "gold", "amount": 5000},
			"trade_type": "direct", "status": "completed",
		}
		raw, err := json.Marshal(t)
		if err != nil {
			panic("bench: a trade of strings and numbers: " + err.Error())
		}
		b.logs = append(b.logs, raw)
	}
	return b
}
