package storetest

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// testVoicePrints: a player has one voice, which lies sealed; it goes once, and each of
// these, and a case that it opens, has its audit entry.
func testVoicePrints(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := now().UnixMilli()
	v := store.VoicePrint{
		VoiceKey: store.VoiceKey{App: "game", Player: victim}, Ref: "ban1", Since: at - 5, Voice: make([]float32, 256),
		SpokenMS: 12_000, Windows: 4, Heard: at - 1, Kept: at, Until: at + 1000,
	}
	for i := range v.Voice {
		v.Voice[i] = float32(i%7) / 64
	}
	put := func(v store.VoicePrint) bool {
		t.Helper()
		fresh, err := s.PutVoicePrint(ctx, v)
		must(t, err)
		return fresh
	}
	second := v
	second.Ref, second.Kept = "ban2", at+1
	if !put(v) || put(second) {
		t.Error("want the first kept, and no second one")
	}
	elsewhere := v
	elsewhere.App = "elsewhere"
	put(elsewhere)
	got, err := s.VoicePrint(ctx, v.VoiceKey)
	must(t, err)
	same(t, "a voice", got, v)
	all, err := s.VoicesKept(ctx)
	must(t, err)
	same(t, "all voices", all, map[store.VoiceKey]int64{v.VoiceKey: at, elsewhere.VoiceKey: at})

	var sealed []byte
	core := p.Core(t)
	defer func() { must(t, core.Close()) }()
	must(t, core.QueryRowContext(ctx, `SELECT voice FROM voice_print WHERE app_id = 'game'`).Scan(&sealed))
	if plain := []byte{0, 0, 128, 60, 0, 0, 0, 61}; len(sealed) < 4*256 || bytes.Contains(sealed, plain) {
		t.Error("a voice lies open in the database")
	}
	_, err = core.ExecContext(ctx, `UPDATE voice_print SET voice = $1 WHERE app_id = 'elsewhere'`, sealed)
	must(t, err)
	if _, err := s.VoicePrint(ctx, elsewhere.VoiceKey); err == nil {
		t.Error("a voice of another app opens")
	}

	for i, want := range []bool{true, false} {
		if dropped, err := s.DropVoicePrint(ctx, v.VoiceKey, "ended"); err != nil || dropped != want {
			t.Errorf("dropped %d: %v, %v", i, dropped, err)
		}
	}
	_, err = s.VoicePrint(ctx, v.VoiceKey)
	wantErr(t, "a voice that was dropped", err, store.ErrNotFound)

	a := economy.Alert{
		App: "game", Player: "new", Kind: economy.BanEvasion, At: at,
		Link: &economy.Link{Banned: victim, BanID: "ban1", By: economy.ByVoice, Seats: 2, Similarity: 0.97, Threshold: 0.93, SpokenMS: 11_000},
	}
	for i, want := range []bool{true, false} {
		if _, opened, err := s.OpenAlert(ctx, a); err != nil || opened != want {
			t.Errorf("case %d: %v, %v", i, opened, err)
		}
	}
	cases, err := s.Cases(ctx, store.CaseQuery{App: "game", Limit: 10})
	must(t, err)
	if len(cases) != 1 || cases[0].Alert == nil {
		t.Fatalf("cases: %+v", cases)
	}
	same(t, "why", *cases[0].Alert.Link, *a.Link)
	counts := map[string]int{}
	rows, err := core.QueryContext(ctx, `SELECT action FROM audit_log WHERE action LIKE 'voice.%'`)
	must(t, err)
	for rows.Next() {
		var action string
		must(t, rows.Scan(&action))
		counts[action]++
	}
	must(t, errors.Join(rows.Err(), rows.Close()))
	same(t, "audit entries", counts, map[string]int{"voice.keep": 2, "voice.drop": 1, "voice.link": 1})
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

// testVoiceErasure: a voice that was under way while its player was erased comes too late;
// one that was heard since is another matter, and so is the same name in another app.
func testVoiceErasure(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	put := func(what string, app engines.AppID, heard time.Time, want bool) {
		t.Helper()
		fresh, err := s.PutVoicePrint(ctx, store.VoicePrint{
			VoiceKey: store.VoiceKey{App: app, Player: victim}, Ref: "ban1", Voice: make([]float32, 256), Heard: heard.UnixMilli(), Kept: now().UnixMilli(), Until: now().Add(time.Hour).UnixMilli(),
		})
		if must(t, err); fresh != want {
			t.Errorf("%s: kept %v, want %v", what, fresh, want)
		}
	}
	_, err := s.StartErasure(ctx, "e1", "game", victim, "app/game")
	must(t, err)
	put("while its player is erased", "game", now(), false)
	before := now()
	erase(t, s, 0)
	put("heard before", "game", before, false)
	put("in another app", "elsewhere", before, true)
	put("of who came back", "game", now().Add(time.Second), true)
}
