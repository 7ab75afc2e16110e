package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// PlayerTimeline is a page of what happened with a player, newest first: penalties
// and bans, strikes, cases, decisions that were not a pass, and what others reported.
func (s *Store) PlayerTimeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) ([]store.PlayerEvent, error) {
	var all []store.PlayerEvent
	penalties, err := s.Penalties(ctx, store.PenaltyQuery{App: app, Player: player, Before: before, Limit: most})
	if err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	for i := range penalties {
		p := &penalties[i]
		all = append(all, store.PlayerEvent{At: p.Created, ID: p.ID, Kind: store.TimelinePenalty, Penalty: p})
	}
	strikes, err := s.Strikes(ctx, app, player, before, most)
	if err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	for i := range strikes {
		st := &strikes[i]
		all = append(all, store.PlayerEvent{At: st.Created, ID: st.ID, Kind: store.TimelineStrike, Strike: st})
	}
	p := page{caseColumns + `WHERE app_id = $1 AND player_id = $2`, []any{string(app), string(player)}}
	p.part("case_id", before, most)
	cases, err := collect(ctx, s.core.read(), scanCase, p.query, p.args...)
	if err != nil {
		return nil, fmt.Errorf("timeline: %w", classify(err))
	}
	for i := range cases {
		c := &cases[i]
		all = append(all, store.PlayerEvent{At: millis(c.Created), ID: string(c.ID), Kind: store.TimelineCase, Case: c})
	}
	decisions, err := s.flaggedOf(ctx, app, player, before, most)
	if err != nil {
		return nil, fmt.Errorf("timeline: %w", classify(err))
	}
	for i := range decisions {
		d := &decisions[i]
		all = append(all, store.PlayerEvent{At: millis(d.Created), ID: string(d.Request), Kind: store.TimelineDecision, Decision: d})
	}
	reports, err := s.Reports(ctx, store.ReportQuery{App: app, Player: player, Before: before, Limit: most})
	if err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	for i := range reports {
		r := &reports[i]
		all = append(all, store.PlayerEvent{At: millis(r.Created), ID: r.ID, Kind: store.TimelineReport, Report: r})
	}
	slices.SortFunc(all, func(a, b store.PlayerEvent) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.ID, a.ID)) })
	return all[:min(len(all), most)], nil
}

func (s *Store) flaggedOf(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) ([]store.Decision, error) {
	p := page{`SELECT request_id, scene_id, session_id, kind, language, verdict, case_id, took_us, created_ts FROM decision
		WHERE app_id = $1 AND player_id = $2 AND suggestion <> 'pass'`, []any{string(app), string(player)}}
	p.part("request_id", before, most)
	return collect(ctx, s.core.read(), func(row scanner) (store.Decision, error) {
		d := store.Decision{App: app, Player: player}
		var verdict string
		var took, created int64
		err := row.Scan(&d.Request, &d.Scene, &d.Session, &d.Kind, &d.Language, &verdict, &d.CaseID, &took, &created)
		if err == nil {
			d.Verdict, err = decodeVerdict([]byte(verdict))
		}
		d.Took, d.Created = time.Duration(took)*time.Microsecond, fromMillis(created)
		return d, err
	}, p.query, p.args...)
}

// CountsOf counts what there is of a player.
func (s *Store) CountsOf(ctx context.Context, app engines.AppID, player engines.PlayerID) (n store.PlayerCounts, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM penalty WHERE app_id = $1 AND player_id = $2) + (SELECT count(*) FROM ban WHERE app_id = $1 AND player_id = $2
			AND type IN ('temporary', 'permanent', 'trade')
			AND NOT EXISTS (SELECT 1 FROM penalty WHERE penalty.app_id = ban.app_id AND penalty.penalty_id = ban.ban_id)),
		(SELECT count(*) FROM strike WHERE app_id = $1 AND player_id = $2 AND undone_ts = 0),
		(SELECT count(*) FROM review_case WHERE app_id = $1 AND player_id = $2),
		(SELECT count(*) FROM decision WHERE app_id = $1 AND player_id = $2 AND suggestion <> 'pass')`,
		string(app), string(player)).Scan(&n.Penalties, &n.Strikes, &n.Cases, &n.Flagged)
	if err != nil {
		return n, fmt.Errorf("counts of a player: %w", classify(err))
	}
	return n, nil
}
