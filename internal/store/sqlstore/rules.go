package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const ruleFields = `r.app_id, r.name, r.version, r.state, r.subject, r.print, r.body, r.author, r.made_by, r.changed_ts`

// newestRule keeps of the versions of r the newest.
const newestRule = `NOT EXISTS (SELECT 1 FROM economy_rule n WHERE n.app_id = r.app_id AND n.name = r.name AND n.version > r.version)`

func scanRule(row scanner) (r economy.Rule, err error) {
	var body string
	err = row.Scan(&r.App, &r.Name, &r.Version, &r.State, &r.On, &r.Print, &body, &r.Author, &r.By, &r.Changed)
	if err == nil {
		err = decodeRule(&r, body)
	}
	return r, err
}

// PutRule commits a version of a rule with its audit entry, and returns it as
// stored: with its number, was+1, and its time. economy.ErrRuleVersion: was is not
// the newest version; 0 is none.
func (s *Store) PutRule(ctx context.Context, r economy.Rule, was int) (economy.Rule, error) {
	r.Version, r.Changed = was+1, millis(time.Now())
	body, err := encodeRule(&r)
	if err != nil {
		return economy.Rule{}, fmt.Errorf("store rule %s: %w", r.Name, err)
	}
	entry, err := s.ruleAudit("rule", r.By, r.App, r.Name, map[string]any{
		"version": r.Version, "state": r.State, "author": r.Author, "comment": r.Comment, "print": r.Print,
	})
	if err != nil {
		return economy.Rule{}, fmt.Errorf("store rule %s: %w", r.Name, err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var newest int
		err := q.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM economy_rule WHERE app_id = $1 AND name = $2`, string(r.App), r.Name).Scan(&newest)
		if err != nil {
			return err
		}
		if newest != was {
			return store.ErrConflict
		}
		// Of two that come here together one meets the other's key.
		_, err = q.ExecContext(ctx, `INSERT INTO economy_rule (app_id, name, version, state, subject, print, body, author, made_by, changed_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			string(r.App), r.Name, r.Version, string(r.State), string(r.On), r.Print, body, r.Author, r.By, r.Changed)
		if err != nil {
			return err
		}
		return appendAudit(ctx, q, entry)
	})
	switch err = classify(err); {
	case errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrExists):
		return economy.Rule{}, fmt.Errorf("store rule %s: %w", r.Name, economy.ErrRuleVersion)
	case err != nil:
		return economy.Rule{}, fmt.Errorf("store rule %s: %w", r.Name, err)
	}
	return r, nil
}

// ruleAudit makes the audit entry of a change of a rule.
func (s *Store) ruleAudit(action, by string, app engines.AppID, name string, detail map[string]any) (store.Audit, error) {
	text, err := json.Marshal(detail)
	return store.Audit{
		Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: "rule/" + string(app) + "/" + name, Detail: string(text),
	}, err
}

// Rules lists the newest versions of an app's rules, by name.
func (s *Store) Rules(ctx context.Context, app engines.AppID) ([]economy.Rule, error) {
	list, err := collect(ctx, s.core.read(), scanRule, `SELECT `+ruleFields+` FROM economy_rule r WHERE r.app_id = $1 AND `+newestRule+` ORDER BY r.name`, string(app))
	if err != nil {
		return nil, fmt.Errorf("rules: %w", classify(err))
	}
	return list, nil
}

// RuleHistory lists versions of a rule below before, newest first; at 0 from the
// newest on. economy.ErrNoRule where there is no such rule.
func (s *Store) RuleHistory(ctx context.Context, app engines.AppID, name string, before, most int) ([]economy.Rule, error) {
	list, err := collect(ctx, s.core.read(), scanRule, `SELECT `+ruleFields+` FROM economy_rule r WHERE r.app_id = $1 AND r.name = $2
		AND ($3 = 0 OR r.version < $3) ORDER BY r.version DESC LIMIT $4`, string(app), name, before, most)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", name, classify(err))
	}
	if len(list) == 0 && before == 0 {
		return nil, fmt.Errorf("rule %s: %w", name, economy.ErrNoRule)
	}
	return list, nil
}

// RulesChanged lists the newest versions of the rules of all apps that were stored
// at or after since by our clock, epoch ms; 0 is all.
func (s *Store) RulesChanged(ctx context.Context, since int64) ([]economy.Rule, error) {
	list, err := collect(ctx, s.core.read(), scanRule, `SELECT `+ruleFields+` FROM economy_rule r WHERE r.changed_ts >= $1 AND `+newestRule, since)
	if err != nil {
		return nil, fmt.Errorf("changed rules: %w", classify(err))
	}
	return list, nil
}

// PutSnooze commits a snooze in the place of an earlier one of the same rule and
// player, with its audit entry.
func (s *Store) PutSnooze(ctx context.Context, z economy.Snooze) error {
	entry, err := s.ruleAudit("snooze", z.By, z.App, z.Rule, map[string]any{"player_id": z.Player, "until": z.Until, "reason": z.Reason})
	if err != nil {
		return fmt.Errorf("store snooze: %w", err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO economy_snooze (app_id, rule, player_id, until_ts, made_by, reason, changed_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (app_id, rule, player_id)
			DO UPDATE SET until_ts = excluded.until_ts, made_by = excluded.made_by, reason = excluded.reason, changed_ts = excluded.changed_ts`,
			string(z.App), z.Rule, string(z.Player), z.Until, z.By, z.Reason, millis(time.Now()))
		if err != nil {
			return err
		}
		return appendAudit(ctx, q, entry)
	})
	if err != nil {
		return fmt.Errorf("store snooze: %w", classify(err))
	}
	return nil
}

// SnoozesChanged lists the snoozes of all apps that were stored at or after since by
// our clock, epoch ms; at 0 those that end after now.
func (s *Store) SnoozesChanged(ctx context.Context, since, now int64) ([]economy.Snooze, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (z economy.Snooze, err error) {
		err = row.Scan(&z.App, &z.Rule, &z.Player, &z.Until, &z.By, &z.Reason, &z.Changed)
		return z, err
	}, `SELECT app_id, rule, player_id, until_ts, made_by, reason, changed_ts FROM economy_snooze
		WHERE changed_ts >= $1 AND ($1 > 0 OR until_ts > $2)`, since, now)
	if err != nil {
		return nil, fmt.Errorf("changed snoozes: %w", classify(err))
	}
	return list, nil
}
