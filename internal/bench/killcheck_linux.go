package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// entryKey names an entry as the contract does: by log, player and id.
type entryKey struct {
	Log    string
	Player string
	ID     string
}

// sentEntry is what is compared of an entry.
type sentEntry struct {
	entryKey
	At     int64
	Amount int64
}

// shownEntry is an entry as it is sent, and as a timeline shows it.
type shownEntry struct {
	Log       string `json:"log"`
	ID        string `json:"log_id"`
	Timestamp int64  `json:"timestamp"`
	Player    string `json:"player_id"`
	Sender    string `json:"sender_id"`
	Amount    int64  `json:"amount"`
	Count     int64  `json:"count"`
	Currency  struct {
		Amount int64 `json:"amount"`
	} `json:"currency"`
}

func (s *shownEntry) sent(log, player string) sentEntry {
	if log == "trade" {
		s.Player = s.Sender
	}
	if player != "" {
		s.Player = player
	}
	return sentEntry{entryKey{log, s.Player, s.ID}, s.Timestamp, s.Amount + s.Count + s.Currency.Amount}
}

// add notes that a submission was acknowledged.
func (l *ledger) add(b *economyBatch) error {
	log := strings.TrimSuffix(b.path[strings.LastIndexByte(b.path, '/')+1:], "-log")
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, raw := range b.logs {
		var s shownEntry
		if err := json.Unmarshal(raw, &s); err != nil {
			return fmt.Errorf("what was sent: %w", err)
		}
		l.list = append(l.list, s.sent(log, ""))
	}
	return nil
}

// compare counts what is wrong with what is stored, given what was acknowledged.
func (r *KillReport) compare(acknowledged, stored []sentEntry) {
	left := make(map[entryKey]sentEntry, len(acknowledged))
	for _, e := range acknowledged {
		left[e.entryKey] = e
	}
	r.Entries = len(left)
	seen := make(map[entryKey]bool, len(stored))
	for _, e := range stored {
		want, ok := left[e.entryKey]
		switch {
		case !ok:
			r.Unsent++
		case seen[e.entryKey]:
			r.Doubled++
		case e != want:
			r.Changed++
		}
		seen[e.entryKey] = true
	}
	for key := range left {
		if !seen[key] {
			r.Lost++
		}
	}
}

// check reads everything back and compares.
func (k *killing) check(ctx context.Context, r *KillReport) error {
	var players []string
	for _, e := range k.book.list {
		players = append(players, e.Player)
	}
	slices.Sort(players)
	players = slices.Compact(players)
	var stored []sentEntry
	for _, p := range players {
		list, err := k.timeline(ctx, p)
		if err != nil {
			return err
		}
		stored = append(stored, list...)
	}
	r.compare(k.book.list, stored)

	return k.scores(ctx, r, players)
}

// timeline is all that the gateway shows of a player.
func (k *killing) timeline(ctx context.Context, player string) (list []sentEntry, err error) {
	for cursor := ""; ; {
		var page struct {
			Entries []shownEntry `json:"entries"`
			Cursor  string       `json:"cursor"`
		}
		target := "/api/v1/economy/players/" + url.PathEscape(player) + "/timeline?limit=500&cursor=" + url.QueryEscape(cursor)
		if err := k.caller.call(ctx, http.MethodGet, target, nil, &page); err != nil {
			return nil, err
		}
		for _, e := range page.Entries {
			list = append(list, e.sent(e.Log, player))
		}
		if cursor = page.Cursor; cursor == "" {
			return list, nil
		}
	}
}
