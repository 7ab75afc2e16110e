package sqlstore

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// exportAtOnce is how many records one query of an export reads.
const exportAtOnce = 500

// PlayerRecords hands on what is stored of a player, for the player: what it said,
// what was decided on it and why, what the game logged, its bans. An error of each
// ends it.
func (s *Store) PlayerRecords(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	for _, part := range []func(context.Context, engines.AppID, engines.PlayerID, func(store.PlayerRecord) error) error{
		s.playerDecisions, s.playerMessages, s.playerChunks, s.playerEntries, s.playerBans, s.playerVoice,
	} {
		if err := part(ctx, app, player, each); err != nil {
			return fmt.Errorf("records of a player: %w", classify(err))
		}
	}
	return nil
}

func (s *Store) playerDecisions(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	type key struct {
		at int64
		id engines.RequestID
	}
	var last key
	for {
		keys, err := collect(ctx, s.core.read(), func(row scanner) (k key, err error) {
			err = row.Scan(&k.at, &k.id)
			return k, err
		}, `SELECT created_ts, request_id FROM decision WHERE app_id = $1 AND player_id = $2 AND (created_ts, request_id) > ($3, $4)
			ORDER BY created_ts, request_id LIMIT $5`, string(app), string(player), last.at, string(last.id), exportAtOnce)
		if err != nil || len(keys) == 0 {
			return err
		}
		for _, k := range keys {
			d, err := s.Decision(ctx, app, k.id)
			if err == nil {
				err = each(store.PlayerRecord{Decision: &d})
			}
			if err != nil {
				return err
			}
		}
		last = keys[len(keys)-1]
	}
}

func (s *Store) playerMessages(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	var last store.SceneMessage
	for {
		list, err := collect(ctx, s.core.read(), func(row scanner) (m store.SceneMessage, err error) {
			var content []byte
			var sent int64
			m.App, m.Player = app, player
			err = row.Scan(&m.Scene, &m.Message, &content, &m.Language, &m.State, &sent)
			m.Content, m.Sent = string(content), fromMillis(sent)
			return m, err
		}, `SELECT scene_id, message_id, content, language, state, sent_ts FROM scene_message
			WHERE app_id = $1 AND (scene_id, message_id) > ($2, $3) AND player_id = $4 ORDER BY scene_id, message_id LIMIT $5`,
			string(app), string(last.Scene), string(last.Message), string(player), exportAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := each(store.PlayerRecord{Message: &list[i]}); err != nil {
				return err
			}
		}
		last = list[len(list)-1]
	}
}

func (s *Store) playerEntries(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	for before := (economy.Mark{}); ; {
		list, next, err := s.Timeline(ctx, app, player, before, exportAtOnce)
		if err != nil {
			return err
		}
		for i := range list {
			if err := each(store.PlayerRecord{Entry: &list[i]}); err != nil {
				return err
			}
		}
		if next == (economy.Mark{}) {
			return nil
		}
		before = next
	}
}

func (s *Store) playerBans(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	list, err := s.Bans(ctx, economy.BanQuery{App: app, Player: player})
	if err != nil {
		return err
	}
	for i := range list {
		if err := each(store.PlayerRecord{Ban: &list[i]}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) playerVoice(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	list, err := collect(ctx, s.core.read(), func(r scanner) (p store.VoicePrint, err error) {
		p.VoiceKey = store.VoiceKey{App: app, Player: player}
		err = r.Scan(&p.Ref, &p.Since, &p.SpokenMS, &p.Windows, &p.Heard, &p.Kept, &p.Until)
		return p, err
	}, `SELECT ref, since_ts, spoken_ms, windows, heard_ts, kept_ts, until_ts FROM voice_print WHERE app_id = $1 AND player_id = $2`, string(app), string(player))
	if err != nil {
		return err
	}
	for i := range list {
		if err := each(store.PlayerRecord{Voice: &list[i]}); err != nil {
			return err
		}
	}
	return nil
}
