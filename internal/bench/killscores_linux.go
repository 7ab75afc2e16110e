package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/economy/risk"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

const (
	// settleWithin is how long scores may take to show what was counted last. A book answers from
	// a snapshot that may be 250 ms old, or eight times as old as its making takes, which on a
	// busy machine is seconds.
	settleWithin = 20 * time.Second
	settleEvery  = 50 * time.Millisecond
)

// scores holds the players' scores against those of the replays.
func (k *killing) scores(ctx context.Context, r *KillReport, players []string) error {
	books, err := k.replay(ctx)
	if err != nil {
		return err
	}
	until := time.Now().Add(settleWithin)
	for _, p := range players {
		var want []int
		for _, book := range books {
			risk, _ := book.Risk(engines.PlayerID(p), time.Now().UnixMilli())
			want = append(want, risk.Score)
		}
		score, difference, err := settled(ctx, until, want, func() (int, error) {
			var answer struct {
				Score int `json:"risk_score"`
			}
			err := k.caller.call(ctx, http.MethodGet, "/api/v1/economy/risk-score?player_id="+url.QueryEscape(p), nil, &answer)
			return answer.Score, err
		})
		if err != nil {
			return err
		}
		r.Scores++
		if score > 0 {
			r.Risky++
		}
		r.Difference = max(r.Difference, difference)
	}
	return nil
}

// settled asks for a score until none of those wanted is more than 1 away, or the time is over,
// and returns what was answered last and how far that is away.
func settled(ctx context.Context, until time.Time, want []int, ask func() (int, error)) (score, difference int, err error) {
	for {
		if score, err = ask(); err != nil {
			return 0, 0, err
		}
		difference = 0
		for _, w := range want {
			difference = max(difference, w-score, score-w)
		}
		if difference <= 1 || !time.Now().Before(until) {
			return score, difference, nil
		}
		select {
		case <-ctx.Done():
			return 0, 0, fmt.Errorf("scores: %w", context.Cause(ctx))
		case <-time.After(settleEvery):
		}
	}
}

// replay counts the store's entries in books of their own: as the store hands them
// on, and in the order in which they were acknowledged.
func (k *killing) replay(ctx context.Context) (books []economy.Book, err error) {
	key, err := sqlstore.LoadMasterKey(k.place.data())
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	db, err := sqlstore.Open(ctx, sqlstore.Config{Dir: k.place.data(), URL: k.in.database, MasterKey: key, Node: "bench"})
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	stored, acknowledged := risk.New(risk.Config{}), risk.New(risk.Config{})
	byKey := map[entryKey]economy.Entry{}
	err = db.Replay(ctx, k.caller.app, 0, func(economy.Place) {}, func(list []economy.Entry) {
		stored.Apply(list)
		for _, e := range list {
			byKey[entryKey{e.Log.String(), string(e.Player), e.ID}] = e
		}
	})
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	for _, e := range k.book.list {
		if e, ok := byKey[e.entryKey]; ok {
			acknowledged.Apply([]economy.Entry{e})
		}
	}
	return []economy.Book{stored, acknowledged}, nil
}
