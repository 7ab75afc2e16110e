package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// touchCard notes that what is kept of a player for verdicts has changed.
func touchCard(ctx context.Context, q querier, app engines.AppID, player engines.PlayerID) error {
	_, err := q.ExecContext(ctx, `INSERT INTO player_card (app_id, player_id, changed_ts) VALUES ($1, $2, $3)
		ON CONFLICT (app_id, player_id) DO UPDATE SET changed_ts = excluded.changed_ts`, string(app), string(player), millis(time.Now()))
	return err
}

// Card reads what is kept of a player for verdicts, with the strikes that stand
// since a time, and what was found in its content of late. A player of whom nothing is
// kept has an empty one. Sessions open by the thousand, and most players have no card, no
// strikes and were not flagged: that is one query.
func (s *Store) Card(ctx context.Context, app engines.AppID, player engines.PlayerID, since int64) (store.Card, error) {
	c := store.Card{App: app, Player: player}
	var struck, flagged bool
	found := millis(time.Now().Add(-engines.EarlierWithin))
	// Strikes and warnings touch a card: where there is none there are none either.
	err := s.core.often().QueryRowContext(ctx, `SELECT c.app_id IS NOT NULL, COALESCE(segment, ''), COALESCE(region, ''), COALESCE(language, ''),
		COALESCE(age_verified, ''), COALESCE(registered_ts, 0), COALESCE(trust, ''), COALESCE(trust_until_ts, 0), COALESCE(trust_by, ''), COALESCE(trust_reason, ''),
		COALESCE(clean, 0), COALESCE(clean_ts, 0), COALESCE(clean_day, 0), COALESCE(version, 0), COALESCE(changed_ts, 0),
		EXISTS (SELECT 1 FROM strike AS s WHERE s.app_id = c.app_id AND s.player_id = c.player_id AND s.created_ts >= $3),
		(SELECT count(*) FROM penalty AS p WHERE p.app_id = c.app_id AND p.player_id = c.player_id AND p.told_ts = 0),
		EXISTS (SELECT 1 FROM decision AS d WHERE d.app_id = $1 AND d.player_id = $2 AND d.created_ts >= $4 AND d.suggestion <> 'pass')
		FROM (SELECT 1 AS one) AS o LEFT JOIN player_card AS c ON c.app_id = $1 AND c.player_id = $2`, string(app), string(player), since, found).Scan(
		&c.Stored, &c.Profile.Segment, &c.Profile.Region, &c.Profile.Language, &c.Profile.AgeVerified, &c.Profile.Registered,
		&c.Pin.Trust, &c.Pin.Until, &c.Pin.By, &c.Pin.Reason, &c.Clean, &c.CleanAt, &c.Day, &c.Version, &c.Changed, &struck, &c.Untold, &flagged)
	if err == nil && flagged {
		c.Earlier, err = s.earlierOf(ctx, app, player, found)
	}
	if err != nil {
		return store.Card{}, fmt.Errorf("card of a player: %w", classify(err))
	}
	if !struck {
		return c, nil
	}
	c.Strikes, err = collect(ctx, s.core.often(), func(row scanner) (w store.StrikeWeight, err error) {
		err = row.Scan(&w.Category, &w.Weight, &w.Created)
		return w, err
	}, `SELECT category, weight, created_ts FROM strike WHERE app_id = $1 AND player_id = $2 AND undone_ts = 0 AND created_ts >= $3
		ORDER BY created_ts, strike_id`, string(app), string(player), since)
	if err != nil {
		return store.Card{}, fmt.Errorf("card of a player: %w", classify(err))
	}
	return c, nil
}

// earlierOf reads what was found in a player's content since a time and stands.
func (s *Store) earlierOf(ctx context.Context, app engines.AppID, player engines.PlayerID, since int64) (list []engines.Earlier, err error) {
	rows, err := s.core.often().QueryContext(ctx, `SELECT request_id, kind, verdict, created_ts FROM decision AS d
		WHERE app_id = $1 AND player_id = $2 AND created_ts >= $3 AND suggestion <> 'pass'
		AND NOT EXISTS (SELECT 1 FROM review_case AS k WHERE k.case_id = d.case_id AND k.state = '`+store.CaseClosed+`' AND k.decision = '`+store.CaseApproved+`')
		AND NOT EXISTS (SELECT 1 FROM strike AS s WHERE s.app_id = d.app_id AND s.player_id = d.player_id AND s.request_id = d.request_id AND s.undone_ts > 0)
		ORDER BY created_ts DESC, request_id DESC LIMIT $4`, string(app), string(player), since, engines.EarlierMost)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what matters
	for rows.Next() {
		var id engines.RequestID
		var kind engines.Kind
		var text string
		var at int64
		if err := rows.Scan(&id, &kind, &text, &at); err != nil {
			return nil, err
		}
		v, err := decodeVerdict([]byte(text))
		if err != nil {
			return nil, err
		}
		list = engines.AppendEarlier(list, id, kind, at, &v)
	}
	return list, rows.Err()
}

// PutProfile commits what a game says of a player, who is known from then on. A
// moderator's change has its audit entry; that of an app is its own business.
func (s *Store) PutProfile(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Profile, moderator string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := lockPlayer(ctx, q, app, player); err != nil {
			return err
		}
		_, err := q.ExecContext(ctx, `INSERT INTO player_card (app_id, player_id, segment, region, language, age_verified, registered_ts, changed_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (app_id, player_id) DO UPDATE SET segment = excluded.segment, region = excluded.region,
			language = excluded.language, age_verified = excluded.age_verified, registered_ts = excluded.registered_ts, changed_ts = excluded.changed_ts`,
			string(app), string(player), p.Segment, p.Region, p.Language, p.AgeVerified, p.Registered, millis(time.Now()))
		if err != nil || moderator == "" {
			return err
		}
		return s.cardAudit(ctx, q, "profile", moderator, app, player, map[string]any{
			"segment": p.Segment, "region": p.Region, "language": p.Language, "age_verified": p.AgeVerified, "registered": p.Registered,
		})
	})
	if err != nil {
		return fmt.Errorf("store profile: %w", classify(err))
	}
	return nil
}

// PutPin commits the trust that a person fixes, with its audit entry.
func (s *Store) PutPin(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Pin) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO player_card (app_id, player_id, trust, trust_until_ts, trust_by, trust_reason, changed_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (app_id, player_id) DO UPDATE SET trust = excluded.trust, trust_until_ts = excluded.trust_until_ts,
			trust_by = excluded.trust_by, trust_reason = excluded.trust_reason, changed_ts = excluded.changed_ts`,
			string(app), string(player), p.Trust, p.Until, p.By, p.Reason, millis(time.Now()))
		if err != nil {
			return err
		}
		return s.cardAudit(ctx, q, "trust", p.By, app, player, map[string]any{"trust": p.Trust, "until": p.Until, "reason": p.Reason})
	})
	if err != nil {
		return fmt.Errorf("store trust: %w", classify(err))
	}
	return nil
}

func (s *Store) cardAudit(ctx context.Context, q querier, action, by string, app engines.AppID, player engines.PlayerID, detail map[string]any) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	return appendAudit(ctx, q, store.Audit{
		Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: "player/" + string(app) + "/" + string(player), Detail: string(text),
	})
}

// PutCredits commits credits for clean days, each where the card still has the
// version that it was made of; the others are left out. A credit is no change of a card:
// whoever counted it has it at hand already, and each player has one every day. A card
// that only credits made has a changed_ts of 0.
func (s *Store) PutCredits(ctx context.Context, list []store.Card) error {
	if len(list) == 0 {
		return nil
	}
	err := s.core.write(ctx, len(list), func(ctx context.Context, q querier) error {
		for i := range list {
			c := &list[i]
			_, err := q.ExecContext(ctx, `INSERT INTO player_card (app_id, player_id, clean, clean_ts, clean_day, version, changed_ts)
				VALUES ($1, $2, $3, $4, $5, 1, 0) ON CONFLICT (app_id, player_id) DO UPDATE SET clean = excluded.clean, clean_ts = excluded.clean_ts,
				clean_day = excluded.clean_day, version = player_card.version + 1 WHERE player_card.version = $6`,
				string(c.App), string(c.Player), c.Clean, c.CleanAt, c.Day, c.Version)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store %d credits: %w", len(list), classify(err))
	}
	return nil
}

// CardsChanged lists the players whose cards changed, in the order of the changes,
// up to most of those that come after one. A card that changes while it is asked for
// may have an earlier time: ask from a little before.
func (s *Store) CardsChanged(ctx context.Context, after store.CardKey, most int) ([]store.CardKey, error) {
	list, err := collect(ctx, s.core.often(), func(row scanner) (k store.CardKey, err error) {
		err = row.Scan(&k.App, &k.Player, &k.Changed)
		return k, err
	}, `SELECT app_id, player_id, changed_ts FROM player_card WHERE changed_ts > 0 AND (changed_ts, app_id, player_id) > ($1, $2, $3)
		ORDER BY changed_ts, app_id, player_id LIMIT $4`, after.Changed, string(after.App), string(after.Player), most)
	if err != nil {
		return nil, fmt.Errorf("changed cards: %w", classify(err))
	}
	return list, nil
}
