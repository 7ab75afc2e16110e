package sqlstore

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// PutVoicePrint keeps the voice of a player, sealed with the master key, with its audit
// entry, and reports whether it did: a player has one, and the first stays. Of one who is
// being erased, or was since it was last heard, none is kept: what was under way at another
// gateway comes too late.
func (s *Store) PutVoicePrint(ctx context.Context, p store.VoicePrint) (fresh bool, err error) {
	detail, err := json.Marshal(map[string]any{"ref": p.Ref, "spoken_ms": p.SpokenMS, "until": p.Until})
	if err != nil {
		return false, fmt.Errorf("keep voice: %w", err)
	}
	sealed := s.secrets.seal(p.App, voiceSeal(p.VoiceKey), string(voiceBytes(p.Voice)))
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		fresh = false
		var erased int
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM erasure WHERE app_id = $1 AND pseudonym = $2 AND (state = $3 OR done_ts >= $4)`,
			string(p.App), string(s.Pseudonym(p.App, p.Player)), store.ErasureRunning, p.Heard).Scan(&erased); err != nil || erased > 0 {
			return err
		}
		n, err := exec(ctx, q, `INSERT INTO voice_print (app_id, player_id, ref, since_ts, voice, spoken_ms, windows, heard_ts, kept_ts, until_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (app_id, player_id) DO NOTHING`,
			string(p.App), string(p.Player), p.Ref, p.Since, sealed, p.SpokenMS, p.Windows, p.Heard, p.Kept, p.Until)
		if fresh = n > 0; err != nil || !fresh {
			return err
		}
		return appendAudit(ctx, q, s.voiceEntry("voice.keep", p.VoiceKey, detail))
	})
	if err != nil {
		return false, fmt.Errorf("keep voice: %w", classify(err))
	}
	return fresh, nil
}

// DropVoicePrint forgets the voice of a player, with an audit entry that says why, and
// reports whether it did: of several gateways one does.
func (s *Store) DropVoicePrint(ctx context.Context, k store.VoiceKey, why string) (dropped bool, err error) {
	detail, err := json.Marshal(map[string]any{"why": why})
	if err != nil {
		return false, fmt.Errorf("drop voice: %w", err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `DELETE FROM voice_print WHERE app_id = $1 AND player_id = $2`, string(k.App), string(k.Player))
		if dropped = n > 0; err != nil || !dropped {
			return err
		}
		return appendAudit(ctx, q, s.voiceEntry("voice.drop", k, detail))
	})
	if err != nil {
		return false, fmt.Errorf("drop voice: %w", classify(err))
	}
	return dropped, nil
}

// VoicesKept lists whose voices are kept, of each when that was.
func (s *Store) VoicesKept(ctx context.Context) (map[store.VoiceKey]int64, error) {
	type row struct {
		of   store.VoiceKey
		kept int64
	}
	list, err := collect(ctx, s.core.read(), func(r scanner) (v row, err error) {
		err = r.Scan(&v.of.App, &v.of.Player, &v.kept)
		return v, err
	}, `SELECT app_id, player_id, kept_ts FROM voice_print`)
	if err != nil {
		return nil, fmt.Errorf("voices: %w", classify(err))
	}
	all := make(map[store.VoiceKey]int64, len(list))
	for _, v := range list {
		all[v.of] = v.kept
	}
	return all, nil
}

// VoicePrint returns a voice that is kept; store.ErrNotFound where none is.
func (s *Store) VoicePrint(ctx context.Context, k store.VoiceKey) (store.VoicePrint, error) {
	list, err := collect(ctx, s.core.read(), func(r scanner) (p store.VoicePrint, err error) {
		p.VoiceKey = k
		var sealed []byte
		if err = r.Scan(&p.Ref, &p.Since, &sealed, &p.SpokenMS, &p.Windows, &p.Heard, &p.Kept, &p.Until); err != nil {
			return p, err
		}
		plain, err := s.secrets.open(k.App, voiceSeal(k), sealed)
		if err == nil {
			p.Voice, err = voiceOf(plain)
		}
		return p, err
	}, `SELECT ref, since_ts, voice, spoken_ms, windows, heard_ts, kept_ts, until_ts FROM voice_print WHERE app_id = $1 AND player_id = $2`,
		string(k.App), string(k.Player))
	if err == nil && len(list) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return store.VoicePrint{}, fmt.Errorf("voice: %w", classify(err))
	}
	return list[0], nil
}

// voiceSeal ties a sealed voice to its player.
func voiceSeal(k store.VoiceKey) string { return "voice/" + string(k.Player) }

func (s *Store) voiceEntry(action string, k store.VoiceKey, detail []byte) store.Audit {
	return store.Audit{Chain: s.node, TS: time.Now(), Actor: systemName, Action: action, Object: "player/" + string(k.App) + "/" + string(k.Player), Detail: string(detail)}
}

// voiceLinked is the audit entry of a case that a voice has opened; none for others.
func (s *Store) voiceLinked(ctx context.Context, q querier, a *economy.Alert, c *store.Case) error {
	if a.Link == nil || a.Link.By != economy.ByVoice {
		return nil
	}
	detail, err := json.Marshal(map[string]any{"case": c.ID, "similarity": a.Link.Similarity, "threshold": a.Link.Threshold, "spoken_ms": a.Link.SpokenMS})
	if err != nil {
		return err
	}
	return appendAudit(ctx, q, s.voiceEntry("voice.link", store.VoiceKey{App: a.App, Player: a.Player}, detail))
}

func voiceBytes(v []float32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func voiceOf(b string) ([]float32, error) {
	if len(b)%4 != 0 {
		return nil, errors.New("a stored voice is cut short")
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32([]byte(b[4*i : 4*i+4])))
	}
	return v, nil
}
