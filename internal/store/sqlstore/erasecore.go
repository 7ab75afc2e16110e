package sqlstore

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// eraseAtOnce is how many records one transaction of an erasure changes.
const eraseAtOnce = 200

// inPieces runs piece, which changes at most eraseAtOnce records and counts them,
// until it finds none.
func (s *Store) inPieces(ctx context.Context, e *store.Erasure, kind string, piece func(context.Context, querier) (int64, error)) error {
	for {
		var n int64
		err := s.core.write(ctx, eraseAtOnce, func(ctx context.Context, q querier) (err error) {
			if n, err = piece(ctx, q); err == nil {
				err = s.count(ctx, q, e, kind, n)
			}
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// erasePending forgets checks that have no verdict yet.
func (s *Store) erasePending(ctx context.Context, e *store.Erasure) error {
	list, err := collect(ctx, s.core.read(), scanPending,
		`SELECT `+pendingFields+` FROM pending_check WHERE app_id = $1`, string(e.App))
	if err != nil {
		return err
	}
	for _, p := range list {
		if p.Item.Player != e.Player && p.Item.To != e.Player {
			continue
		}
		err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
			n, err := dropPending(ctx, q, p.App, p.Request)
			if err == nil {
				err = s.count(ctx, q, e, "pending", n)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseEvidence removes the content of evidence. What a hold keeps stays, with the
// pseudonym for when the hold ends, and is counted as such.
func (s *Store) eraseEvidence(ctx context.Context, e *store.Erasure) error {
	err := s.inPieces(ctx, e, "held", func(ctx context.Context, q querier) (int64, error) {
		return exec(ctx, q, `UPDATE evidence SET erase_as = $1 WHERE evidence_id IN
			(SELECT evidence_id FROM evidence WHERE app_id = $2 AND player_id = $3 AND held = 1 AND erase_as = '' LIMIT $4)`,
			string(e.Pseudonym), string(e.App), string(e.Player), eraseAtOnce)
	})
	if err != nil {
		return err
	}
	now := time.Now()
	return s.inPieces(ctx, e, "evidence", func(ctx context.Context, q querier) (int64, error) {
		ids, err := collect(ctx, q, scanID, `UPDATE evidence SET player_id = $1 WHERE evidence_id IN
			(SELECT evidence_id FROM evidence WHERE app_id = $2 AND player_id = $3 AND held = 0 LIMIT $4) AND held = 0 RETURNING evidence_id`,
			string(e.Pseudonym), string(e.App), string(e.Player), eraseAtOnce)
		for _, id := range ids {
			if err == nil {
				err = s.removeContent(ctx, q, id, "erasure", now)
			}
		}
		return int64(len(ids)), err
	})
}

// eraseDecisions takes content and identity out of decisions; what was found, and how
// often, stays.
func (s *Store) eraseDecisions(ctx context.Context, e *store.Erasure) error {
	return s.inPieces(ctx, e, "decisions", func(ctx context.Context, q querier) (int64, error) {
		keys, err := collect(ctx, q, scanDecisionKey, `SELECT app_id, request_id, verdict FROM decision WHERE app_id = $1 AND player_id = $2 LIMIT $3`,
			string(e.App), string(e.Player), eraseAtOnce)
		if err == nil {
			err = scrub(ctx, q, keys)
		}
		for _, k := range keys {
			if err == nil { // the hash of a short text can be tried out
				_, err = q.ExecContext(ctx, `UPDATE decision SET player_id = $1, session_id = '', content_sha256 = $2 WHERE app_id = $3 AND request_id = $4`,
					string(e.Pseudonym), make([]byte, 32), k.app, k.request)
			}
			if err == nil {
				err = eraseReasons(ctx, q, k)
			}
		}
		return int64(len(keys)), err
	})
}

// eraseReasons takes what moderators wrote out of the statements of a decision; what
// was decided, on what ground, stays.
func eraseReasons(ctx context.Context, q querier, k decisionKey) error {
	var text string
	err := q.QueryRowContext(ctx, `SELECT statement FROM decision WHERE app_id = $1 AND request_id = $2`, k.app, k.request).Scan(&text)
	if err != nil || text == "" {
		return err
	}
	list, err := decodeStatements(text)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].AutomatedDecision == store.AutomatedNot {
			list[i].Facts = ""
		}
	}
	if text, err = encodeStatements(list); err == nil {
		_, err = q.ExecContext(ctx, `UPDATE decision SET statement = $1 WHERE app_id = $2 AND request_id = $3`, text, k.app, k.request)
	}
	return err
}

// stateErased is the state of a message whose author was erased.
const stateErased = "erased"

// eraseMessages leaves the place of a message in its scene, and nothing of it.
func (s *Store) eraseMessages(ctx context.Context, e *store.Erasure) error {
	type key struct{ scene, message string }
	var last key
	for {
		keys, err := collect(ctx, s.core.read(), func(row scanner) (k key, err error) {
			err = row.Scan(&k.scene, &k.message)
			return k, err
		}, `SELECT scene_id, message_id FROM scene_message WHERE app_id = $1 AND (scene_id, message_id) > ($2, $3) AND player_id = $4
			ORDER BY scene_id, message_id LIMIT $5`, string(e.App), last.scene, last.message, string(e.Player), eraseAtOnce)
		if err != nil || len(keys) == 0 {
			return err
		}
		err = s.core.write(ctx, len(keys), func(ctx context.Context, q querier) error {
			var changed int64
			for _, k := range keys {
				n, err := exec(ctx, q, `UPDATE scene_message SET player_id = $1, session_id = '', content = $2, state = $3
					WHERE app_id = $4 AND scene_id = $5 AND message_id = $6 AND player_id = $7`,
					string(e.Pseudonym), []byte{}, stateErased, string(e.App), k.scene, k.message, string(e.Player))
				if err != nil {
					return err
				}
				changed += n
			}
			return s.count(ctx, q, e, "messages", changed)
		})
		if err != nil {
			return err
		}
		last = keys[len(keys)-1]
	}
}

// eraseCases closes the player's open cases, whose content is gone, and takes the
// identity out of all; also out of cases about others that name the player.
func (s *Store) eraseCases(ctx context.Context, e *store.Erasure) error {
	err := s.inPieces(ctx, e, "cases", func(ctx context.Context, q querier) (int64, error) {
		list, err := collect(ctx, q, scanCase, caseColumns+`WHERE app_id = $1 AND player_id = $2 LIMIT $3`, string(e.App), string(e.Player), eraseAtOnce)
		for i := range list {
			if err == nil {
				err = eraseCase(ctx, q, &list[i], e)
			}
		}
		return int64(len(list)), err
	})
	if err != nil {
		return err
	}
	for last := ""; ; {
		list, err := collect(ctx, s.core.read(), scanCase, caseColumns+`WHERE app_id = $1 AND kind <> '' AND case_id > $2 ORDER BY case_id LIMIT $3`,
			string(e.App), last, eraseAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if c := &list[i]; c.Alert == nil || c.Alert.Link == nil || c.Alert.Link.Banned != e.Player {
				continue
			}
			if err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return eraseDetails(ctx, q, &list[i], e) }); err != nil {
				return err
			}
		}
		last = string(list[len(list)-1].ID)
	}
}

func eraseCase(ctx context.Context, q querier, c *store.Case, e *store.Erasure) error {
	if c.State != store.CaseClosed {
		_, err := q.ExecContext(ctx, `UPDATE review_case SET state = $1, held = 0, decision = 'erased', decided_by = 'system', updated_ts = $2, version = version + 1
			WHERE case_id = $3`, store.CaseClosed, millis(time.Now()), string(c.ID))
		if err != nil {
			return err
		}
	}
	// The group names the player whom reports are about; what moderators wrote may.
	if _, err := q.ExecContext(ctx, `UPDATE review_case SET player_id = $1, report_group = '', reason = $2, note = NULL WHERE case_id = $3`,
		string(e.Pseudonym), []byte{}, string(c.ID)); err != nil {
		return err
	}
	if err := eraseEvents(ctx, q, c); err != nil {
		return err
	}
	// What was still to be done has nobody any more to do it to.
	if _, err := q.ExecContext(ctx, `DELETE FROM case_effect WHERE case_id = $1`, string(c.ID)); err != nil {
		return err
	}
	return eraseDetails(ctx, q, c, e)
}

// eraseEvents takes what moderators wrote out of a case's history; who did what, and
// when, stays.
func eraseEvents(ctx context.Context, q querier, c *store.Case) error {
	events, err := collect(ctx, q, func(row scanner) (v store.CaseEvent, err error) {
		var detail []byte
		err = row.Scan(&v.Version, &detail)
		v.Detail = string(detail)
		return v, err
	}, `SELECT version, detail FROM case_event WHERE case_id = $1 ORDER BY version`, string(c.ID))
	if err != nil {
		return err
	}
	for _, v := range events {
		said := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(v.Detail), &said); err != nil {
			said = nil // of another form: all of it goes
		}
		delete(said, "reason")
		if said == nil {
			said = map[string]json.RawMessage{}
		}
		detail, err := json.Marshal(said)
		if err == nil {
			_, err = q.ExecContext(ctx, `UPDATE case_event SET detail = $1 WHERE case_id = $2 AND version = $3`, detail, string(c.ID), v.Version)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseDetails takes the player out of what the economy found.
func eraseDetails(ctx context.Context, q querier, c *store.Case, e *store.Erasure) error {
	a := c.Alert
	if a == nil {
		return nil
	}
	if a.Player == e.Player {
		a.Player = e.Pseudonym
	}
	if a.Link != nil && a.Link.Banned == e.Player {
		a.Link.Banned = e.Pseudonym
	}
	details, err := encodeAlert(a)
	if err == nil {
		_, err = q.ExecContext(ctx, `UPDATE review_case SET details = $1 WHERE case_id = $2`, details, string(c.ID))
	}
	return err
}

// eraseBans takes the identity out of bans that are over. One that stands is kept, so
// that to be erased is no way around it, and is counted as such.
func (s *Store) eraseBans(ctx context.Context, e *store.Erasure) error {
	now := millis(time.Now())
	over := ` AND (lifted_ts > 0 OR ended_ts > 0 OR ends_ts > 0 AND ends_ts <= $3)`
	err := s.inPieces(ctx, e, "bans", func(ctx context.Context, q querier) (int64, error) {
		return exec(ctx, q, `UPDATE ban SET player_id = $4, reason = '', lift_reason = '' WHERE app_id = $1 AND player_id = $2`+over,
			string(e.App), string(e.Player), now, string(e.Pseudonym))
	})
	if err != nil {
		return err
	}
	return s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var stand int64
		err := q.QueryRowContext(ctx, `SELECT count(*) FROM ban WHERE app_id = $1 AND player_id = $2`, string(e.App), string(e.Player)).Scan(&stand)
		if err == nil {
			err = s.count(ctx, q, e, "bans_kept", stand)
		}
		return err
	})
}

func (s *Store) eraseSnoozes(ctx context.Context, e *store.Erasure) error {
	return s.inPieces(ctx, e, "snoozes", func(ctx context.Context, q querier) (int64, error) {
		return exec(ctx, q, `DELETE FROM economy_snooze WHERE app_id = $1 AND player_id = $2`, string(e.App), string(e.Player))
	})
}

// eraseBacktests takes the player out of the samples of back-tests.
func (s *Store) eraseBacktests(ctx context.Context, e *store.Erasure) error {
	type test struct{ id, result string }
	list, err := collect(ctx, s.core.read(), func(row scanner) (t test, err error) {
		err = row.Scan(&t.id, &t.result)
		return t, err
	}, `SELECT backtest_id, result FROM economy_backtest WHERE app_id = $1 AND result <> ''`, string(e.App))
	if err != nil {
		return err
	}
	for _, t := range list {
		var r economy.BacktestResult
		if err := decodeResult(&r, t.result); err != nil {
			return err
		}
		found := false
		for i := range r.Sample {
			h := &r.Sample[i]
			if h.Player == e.Player {
				h.Player, found = e.Pseudonym, true
			}
			if h.Receiver == e.Player {
				h.Receiver, found = e.Pseudonym, true
			}
		}
		if !found {
			continue
		}
		text, err := encodeResult(&r)
		if err == nil {
			_, err = s.execCore(ctx, `UPDATE economy_backtest SET result = $1 WHERE app_id = $2 AND backtest_id = $3`, text, string(e.App), t.id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseDeliveries removes what webhooks have told of the player. What is still to be
// told is the app's to hear, and goes once it was.
func (s *Store) eraseDeliveries(ctx context.Context, e *store.Erasure) error {
	needle, err := json.Marshal(string(e.Player))
	if err != nil {
		return err
	}
	type delivery struct {
		id      string
		payload []byte
	}
	for last := ""; ; {
		list, err := collect(ctx, s.core.read(), func(row scanner) (d delivery, err error) {
			err = row.Scan(&d.id, &d.payload)
			return d, err
		}, `SELECT delivery_id, payload FROM webhook_delivery WHERE app_id = $1 AND delivery_id > $2 AND state <> 'pending' ORDER BY delivery_id LIMIT $3`,
			string(e.App), last, eraseAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		last = list[len(list)-1].id
		for _, d := range list {
			if !bytes.Contains(d.payload, needle) && !bytes.Contains(d.payload, []byte("player/"+string(e.Player)+`"`)) {
				continue
			}
			err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
				n, err := exec(ctx, q, `DELETE FROM webhook_delivery WHERE delivery_id = $1 AND state <> 'pending'`, d.id)
				if err == nil {
					err = s.count(ctx, q, e, "deliveries", n)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
	}
}

func (s *Store) erasePlayer(ctx context.Context, e *store.Erasure) error {
	return s.inPieces(ctx, e, "players", func(ctx context.Context, q querier) (int64, error) {
		return exec(ctx, q, `DELETE FROM player WHERE app_id = $1 AND player_id = $2`, string(e.App), string(e.Player))
	})
}
