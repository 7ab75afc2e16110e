package sqlstore

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// erasedPrefix begins every pseudonym.
const erasedPrefix = "erased-"

// Pseudonym is what stands in the place of a player who was erased: the same each
// time, so that counts stay counts of people, and nobody without the master key can
// tell, or try out, who it was.
func (s *Store) Pseudonym(app engines.AppID, player engines.PlayerID) engines.PlayerID {
	mac := hmac.New(sha256.New, s.pseudonyms[:])
	_, _ = mac.Write([]byte(string(app) + "\x00" + string(player))) // a hash takes all
	return engines.PlayerID(erasedPrefix + hex.EncodeToString(mac.Sum(nil)[:16]))
}

const erasureFields = `erasure_id, app_id, player_id, pseudonym, state, step, made_by, created_ts, done_ts, counts`

func scanErasure(row scanner) (e store.Erasure, err error) {
	var created, done int64
	var counts string
	err = row.Scan(&e.ID, &e.App, &e.Player, &e.Pseudonym, &e.State, &e.Step, &e.By, &created, &done, &counts)
	if err == nil {
		err = json.Unmarshal([]byte(counts), &e.Counts)
	}
	e.Created, e.Done = fromMillis(created), fromZero(done)
	return e, err
}

// StartErasure begins to erase a player, or begins anew where that was done before:
// the player may have come back. One that runs goes on.
func (s *Store) StartErasure(ctx context.Context, id string, app engines.AppID, player engines.PlayerID, by string) (e store.Erasure, err error) {
	now, pseudonym := time.Now(), s.Pseudonym(app, player)
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) (err error) {
		n, err := exec(ctx, q, `INSERT INTO erasure (`+erasureFields+`, lease_ts) VALUES ($1, $2, $3, $4, $5, '', $6, $7, 0, '{}', 0)
			ON CONFLICT (app_id, pseudonym) DO UPDATE SET player_id = excluded.player_id, state = excluded.state, step = '', made_by = excluded.made_by,
				created_ts = excluded.created_ts, done_ts = 0, counts = '{}', lease_ts = 0
			WHERE erasure.state = 'done'`, id, string(app), string(player), string(pseudonym), store.ErasureRunning, by, millis(now))
		if err != nil {
			return err
		}
		e, err = scanErasure(q.QueryRowContext(ctx, `SELECT `+erasureFields+` FROM erasure WHERE app_id = $1 AND pseudonym = $2`, string(app), string(pseudonym)))
		if err != nil || n == 0 {
			return err
		}
		return appendAudit(ctx, q, store.Audit{
			Chain: s.node, TS: now, Actor: by, Action: "player.erase", Object: "player/" + string(app) + "/" + string(pseudonym), Detail: `{"erasure_id":"` + e.ID + `"}`,
		})
	})
	if err != nil {
		return store.Erasure{}, fmt.Errorf("start erasure: %w", classify(err))
	}
	return e, nil
}

// Erasure returns one of an app.
func (s *Store) Erasure(ctx context.Context, app engines.AppID, id string) (store.Erasure, error) {
	e, err := scanErasure(s.core.read().QueryRowContext(ctx, `SELECT `+erasureFields+` FROM erasure WHERE app_id = $1 AND erasure_id = $2`, string(app), id))
	if err != nil {
		return store.Erasure{}, fmt.Errorf("erasure %s: %w", id, classify(err))
	}
	return e, nil
}

// LeaseErasure takes an erasure that runs and that nobody works on, for some time.
// store.ErrNotFound: there is none.
func (s *Store) LeaseErasure(ctx context.Context, now time.Time, lasts time.Duration) (e store.Erasure, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) (err error) {
		e, err = scanErasure(q.QueryRowContext(ctx, `UPDATE erasure SET lease_ts = $1 WHERE erasure_id =
			(SELECT erasure_id FROM erasure WHERE state = 'running' AND lease_ts <= $2 ORDER BY created_ts LIMIT 1)
			AND lease_ts <= $2 RETURNING `+erasureFields, millis(now.Add(lasts)), millis(now)))
		return err
	})
	if err != nil {
		return store.Erasure{}, fmt.Errorf("take an erasure: %w", classify(err))
	}
	return e, nil
}

// ErasuresDone lists what was done at or after a time, without whom it was about.
func (s *Store) ErasuresDone(ctx context.Context, since time.Time) ([]store.Erasure, error) {
	list, err := collect(ctx, s.core.read(), scanErasure, `SELECT `+erasureFields+` FROM erasure WHERE state = 'done' AND done_ts >= $1 ORDER BY done_ts`, millis(since))
	if err != nil {
		return nil, fmt.Errorf("erasures that are done: %w", classify(err))
	}
	return list, nil
}

// count adds to what an erasure has counted, in the transaction of what it counts.
func (s *Store) count(ctx context.Context, q querier, e *store.Erasure, kind string, n int64) error {
	if n == 0 {
		return nil
	}
	var text string
	err := q.QueryRowContext(ctx, `UPDATE erasure SET counts = counts WHERE erasure_id = $1 RETURNING counts`, e.ID).Scan(&text)
	if err != nil {
		return err
	}
	counts := map[string]int64{}
	if err := json.Unmarshal([]byte(text), &counts); err != nil {
		return err
	}
	counts[kind] += n
	b, err := json.Marshal(counts)
	if err == nil {
		_, err = q.ExecContext(ctx, `UPDATE erasure SET counts = $1 WHERE erasure_id = $2`, string(b), e.ID)
	}
	return err
}

// eraseStep is one part of an erasure. It may be run again from its start.
type eraseStep struct {
	name string
	run  func(*Store, context.Context, *store.Erasure) error
}

// eraseSteps are all parts, in order: what others read a player's identity from comes
// first. A test holds them against the tables that have a player.
var eraseSteps = []eraseStep{
	{"lines", (*Store).eraseLines},
	{"pending", (*Store).erasePending},
	{"evidence", (*Store).eraseEvidence},
	{"decisions", (*Store).eraseDecisions},
	{"results", (*Store).eraseResults},
	{"messages", (*Store).eraseMessages},
	{"history", (*Store).eraseChunks},
	{"cases", (*Store).eraseCases},
	{"bans", (*Store).eraseBans},
	{"snoozes", (*Store).eraseSnoozes},
	{"others", (*Store).eraseOthers},
	{"backtests", (*Store).eraseBacktests},
	{"deliveries", (*Store).eraseDeliveries},
	{"economy", (*Store).eraseEntries},
	{"partners", (*Store).erasePartners},
	{"books", (*Store).eraseBooks},
	{"players", (*Store).erasePlayer},
}

// Erase does what is left of an erasure that the caller has leased, step by step, and
// forgets whom it was about. extend is called before each step.
func (s *Store) Erase(ctx context.Context, e store.Erasure, extend func(context.Context, store.Erasure) error) (store.Erasure, error) {
	begun := e.Step == ""
	for _, step := range eraseSteps {
		if !begun && step.name != e.Step {
			continue // done before
		}
		begun = true
		if _, err := s.execCore(ctx, `UPDATE erasure SET step = $1 WHERE erasure_id = $2 AND state = 'running'`, step.name, e.ID); err != nil {
			return e, fmt.Errorf("erase %s: %w", step.name, classify(err))
		}
		if err := extend(ctx, e); err != nil {
			return e, err
		}
		if err := step.run(s, ctx, &e); err != nil {
			return e, fmt.Errorf("erase %s: %w", step.name, classify(err))
		}
	}
	return s.endErasure(ctx, e)
}

// ExtendErasure goes on with a lease.
func (s *Store) ExtendErasure(ctx context.Context, id string, until time.Time) error {
	_, err := s.execCore(ctx, `UPDATE erasure SET lease_ts = $1 WHERE erasure_id = $2 AND state = 'running'`, millis(until), id)
	if err != nil {
		return fmt.Errorf("go on with erasure %s: %w", id, classify(err))
	}
	return nil
}

func (s *Store) endErasure(ctx context.Context, e store.Erasure) (store.Erasure, error) {
	now := time.Now()
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		done, err := scanErasure(q.QueryRowContext(ctx, `UPDATE erasure SET state = 'done', step = '', player_id = '', done_ts = $1, lease_ts = 0
			WHERE erasure_id = $2 AND state = 'running' RETURNING `+erasureFields, millis(now), e.ID))
		if errors.Is(classify(err), store.ErrNotFound) { // another gateway was faster
			return nil
		}
		if err != nil {
			return err
		}
		e = done
		detail, err := json.Marshal(map[string]any{"erasure_id": e.ID, "counts": maps.Clone(e.Counts)})
		if err != nil {
			return err
		}
		return appendAudit(ctx, q, store.Audit{
			Chain: s.node, TS: now, Actor: "system", Action: "player.erased", Object: "player/" + string(e.App) + "/" + string(e.Pseudonym), Detail: string(detail),
		})
	})
	if err != nil {
		return e, fmt.Errorf("end erasure %s: %w", e.ID, classify(err))
	}
	return e, nil
}
