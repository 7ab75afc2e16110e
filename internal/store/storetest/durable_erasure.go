package storetest

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// victim has what patterns, JSON and SQL stumble over.
const victim engines.PlayerID = `Víctor "100%_\ <o'>`

// scribble puts something of the victim everywhere where the store keeps players.
func scribble(t *testing.T, p Place, s *sqlstore.Store) {
	t.Helper()
	ctx, at := t.Context(), now()
	endpoint(t, s, "game", "h")
	must(t, s.PutPlayers(ctx, []economy.PlayerKey{{App: "game", Player: victim}, {App: "game", Player: "other"}, {App: "elsewhere", Player: victim}}))
	for i := range 250 { // more than one piece
		d := decision(engines.RequestID(fmt.Sprintf("r%d", i)))
		d.Player, d.CaseID = victim, ""
		must(t, s.PutDecisions(ctx, []store.Decision{d}))
	}
	d := decision("cased")
	e := exhibit("e1", victim, at)
	d.Player, d.Evidence = victim, &e
	m := message("s1", at, 1)
	m.Player = victim
	c := store.Case{ID: "c1", App: "game", Request: "cased", Player: victim, Scene: "s1", State: store.CaseOpen, Held: true, Created: at, Updated: at}
	must(t, s.PutDecision(ctx, d, &c, &m))
	said, answer := message("s1", at, 2), message("s1", at, 3)
	said.Player, answer.Player = victim, "other"
	must(t, s.PutSceneChunks(ctx, []store.SceneChunk{chunk(said, answer)}))
	theirs := decision("theirs")
	theirs.Player = "other"
	must(t, s.PutDecision(ctx, theirs, nil, nil))
	held := exhibit("e2", victim, at)
	must(t, s.PutEvidence(ctx, held))
	_, err := s.HoldEvidence(ctx, "e2", "ana", "court order")
	must(t, err)
	must(t, s.PutPending(ctx, store.Pending{App: "game", Request: "p1", Item: engines.Item{App: "game", RequestID: "p1", Player: victim, Text: "x"}, Created: at}))

	for _, alert := range []economy.Alert{
		{App: "game", Player: victim, Kind: economy.HighRisk, Score: 80, Level: economy.High, At: at.UnixMilli()},
		{App: "game", Player: "other", Kind: economy.BanEvasion, Score: 80, Link: &economy.Link{Banned: victim, BanID: "b1"}, At: at.UnixMilli()},
	} {
		_, _, err := s.OpenAlert(ctx, alert)
		must(t, err)
	}
	for _, b := range []economy.Ban{ban("lifted", victim, economy.TradeBan, at.UnixMilli()), ban("over", victim, economy.Temporary, at.UnixMilli()-5000)} {
		b.Reason = "of " + string(victim)
		_, err := s.PutBan(ctx, b)
		must(t, err)
	}
	_, err = s.LiftBans(ctx, economy.Lift{App: "game", Player: victim, ID: "lifted", At: at.UnixMilli(), Now: at.UnixMilli(), Key: "k", By: "app/game"})
	must(t, err)
	must(t, s.PutSnooze(ctx, economy.Snooze{App: "game", Rule: "a", Player: victim, Until: at.Add(time.Hour).UnixMilli(), By: "app/game"}))
	must(t, s.PutBacktest(ctx, economy.Backtest{
		App: "game", ID: "b1", Rule: "a", On: economy.OnTrade, State: economy.BacktestDone, By: "app/game", Created: at.UnixMilli(),
		BacktestResult: economy.BacktestResult{Sample: []economy.BacktestHit{{Player: "other", Receiver: victim}, {Player: victim}}},
	}))
	payload, err := json.Marshal(map[string]string{"subject": "player/" + string(victim), "player_id": string(victim)})
	must(t, err)
	must(t, s.PutDelivery(ctx, store.Delivery{ID: "d1", App: "game", Hook: "h", Event: "ev1", Type: "x", Payload: payload, State: store.DeliveryDead, Since: at, Next: at, Created: at}))

	entry := movement(victim, "l1", at.UnixMilli())
	entry.Device, entry.IP = "device", "198.51.100.7"
	old := movement(victim, "l2", at.UnixMilli()-40*dayMS)
	partner := economy.Entry{Log: economy.Trade, ID: "l3", Player: "other", At: at.UnixMilli(), Counterparty: victim, TradeID: "t", Deal: &economy.Deal{}}
	alike := partner
	alike.ID, alike.Counterparty = "l4", engines.PlayerID(strings.ToUpper(string(victim)))
	_, err = s.PutEntries(ctx, "game", []economy.Entry{entry, old, partner, alike})
	must(t, err)
	must(t, s.SaveBook(ctx, "game", economy.SavedBook{Place: "x"}, func(w io.Writer) error {
		_, err := io.WriteString(w, string(victim))
		return err
	}))
	scribbleCases(t, s, at)
	scribbleBatches(t, s, at)
	toldAll(t, s)
	scribbleRest(t, p)
}

// toldAll empties the outbox: what is still to be told is the app's to hear.
func toldAll(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	events, err := s.Events(t.Context(), 100)
	must(t, err)
	for _, e := range events {
		must(t, s.Deliver(t.Context(), e.ID, nil))
	}
}

// testErasure holds what is left against every column of every table: a table that is
// new and has players fails here until it is erased as well.
func testErasure(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	scribble(t, p, s)
	started, err := s.StartErasure(ctx, "x1", "game", victim, "app/game")
	must(t, err)
	if again, err := s.StartErasure(ctx, "x2", "game", victim, "ana"); err != nil || again.ID != "x1" {
		t.Errorf("started again: %+v, %v, want the one that runs", again, err)
	}
	if strings.Contains(string(started.Pseudonym), "100%") || started.Pseudonym == s.Pseudonym("elsewhere", victim) {
		t.Errorf("pseudonym %q", started.Pseudonym)
	}

	done := erase(t, s, 0)
	if done.State != store.ErasureDone || done.Player != "" || done.Done.IsZero() {
		t.Errorf("erased: %+v", done)
	}
	maps.DeleteFunc(done.Counts, func(kind string, _ int64) bool {
		return slices.Contains([]string{"strike", "penalty", "player_card", "player_report", "appeal"}, kind)
	})
	same(t, "counts", done.Counts, map[string]int64{
		"batch_lines": 9, "batch_results": 3,
		"pending": 1, "held": 1, "evidence": 1, "decisions": 252, "messages": 2, "cases": 3, "bans": 2, "snoozes": 1, "economy_override": 1, "voice_print": 1,
		"deliveries": 1, "entries": 2, "partners": 1, "players": 1, "stranger": 1,
	})
	traces := tracesOf(t, p, victim)
	// What may name the player still: the audit log, which cannot be changed, what the
	// hold keeps, and another app's player of that name.
	same(t, "traces", traces, []string{"audit_log.detail", "audit_log.object", "evidence.player_id", "player.player_id"})

	dec, err := s.Decision(ctx, "game", "cased")
	must(t, err)
	if dec.Player != started.Pseudonym || dec.Content != "" || dec.Verdict.Masked != "" || dec.Session != "" || dec.ContentSHA256 != [32]byte{} || len(dec.Signals) != 2 {
		t.Errorf("decision: %+v", dec)
	}
	if dec, err := s.Decision(ctx, "game", "theirs"); err != nil || dec.Content == "" || dec.Player != "other" {
		t.Errorf("another player's decision: %+v, %v", dec, err)
	}
	if c, err := s.Case(ctx, "c1"); err != nil || c.State != store.CaseClosed || c.Held {
		t.Errorf("open case: %+v, %v", c, err)
	}
	if text, err := s.EvidenceContent(ctx, "e2"); err != nil || len(text) == 0 {
		t.Errorf("held evidence: %q, %v", text, err)
	}
	if entries, _, err := s.Timeline(ctx, "game", started.Pseudonym, economy.Mark{}, 10); err != nil || len(entries) != 2 || entries[0].Amount != 5 || entries[0].IP != "" {
		t.Errorf("entries: %+v, %v", entries, err)
	}
	must(t, s.VerifyAudit(ctx, "n1"))
	batchesErased(t, s)

	// The hold ends, and the erasure comes after it.
	_, err = s.ReleaseEvidence(ctx, "e2", "ana", "settled")
	must(t, err)
	_, err = s.EvidenceContent(ctx, "e2")
	wantErr(t, "content after its hold", err, store.ErrNotFound)
	e, links, err := s.EvidenceLinks(ctx, "e2")
	must(t, err)
	must(t, store.VerifyChain(e.SHA256, e.HeadHash, links))
	if e.Player != started.Pseudonym {
		t.Errorf("evidence of %q, want the pseudonym", e.Player)
	}
}

// testErasureResumed stops an erasure after each of its steps; whoever comes next goes
// on, and a player who came back is erased again.
func testErasureResumed(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	scribble(t, p, s)
	standing := ban("stands", victim, economy.Permanent, now().UnixMilli())
	_, err := s.PutBan(ctx, standing)
	must(t, err)
	toldAll(t, s)
	_, err = s.StartErasure(ctx, "x1", "game", victim, "app/game")
	must(t, err)
	for stop := 1; ; stop++ {
		if e := erase(t, s, stop); e.State == store.ErasureDone {
			if stop < 5 {
				t.Errorf("done after %d attempts, which tries nothing", stop)
			}
			if e.Counts["bans_kept"] < 1 || e.Counts["decisions"] != 252 || e.Counts["entries"] != 2 {
				t.Errorf("counts: %v", e.Counts)
			}
			break
		}
		_, err := s.LeaseErasure(ctx, now(), time.Minute)
		must(t, err) // the lease of the one that died has run out
		must(t, s.ExtendErasure(ctx, "x1", now().Add(-time.Second)))
	}
	_, err = s.LeaseErasure(ctx, now().Add(time.Hour), time.Minute)
	wantErr(t, "nothing is left to do", err, store.ErrNotFound)
	same(t, "traces", tracesOf(t, p, victim), []string{"audit_log.detail", "audit_log.object", "ban.player_id", "evidence.player_id", "player.player_id"})
	if list, err := s.Bans(ctx, economy.BanQuery{App: "game", Player: victim, Holding: true, At: now().UnixMilli(), Now: now().UnixMilli()}); err != nil || len(list) != 1 {
		t.Errorf("bans that stand: %+v, %v", list, err)
	}

	d := decision("later")
	d.Player = victim
	must(t, s.PutDecision(ctx, d, nil, nil))
	entry := movement(victim, "l1", now().UnixMilli()) // the very entry that was erased, sent again
	_, err = s.PutEntries(ctx, "game", []economy.Entry{entry})
	must(t, err)
	again, err := s.StartErasure(ctx, "x2", "game", victim, "ana")
	must(t, err)
	if again.ID != "x1" || again.State != store.ErasureRunning {
		t.Errorf("a second erasure: %+v", again)
	}
	if e := erase(t, s, 0); e.State != store.ErasureDone || e.Counts["decisions"] != 1 {
		t.Errorf("a second erasure: %+v", e)
	}
	list, err := s.ErasuresDone(ctx, now().Add(-time.Minute))
	must(t, err)
	if len(list) != 1 || list[0].Player != "" {
		t.Errorf("done: %+v", list)
	}
}

var errStop = errors.New("the gateway dies")

// erase takes the erasure that waits and does it, but dies before step number stop;
// 0 is never.
func erase(t *testing.T, s *sqlstore.Store, stop int) store.Erasure {
	t.Helper()
	e, err := s.LeaseErasure(t.Context(), now(), time.Minute)
	must(t, err)
	_, err = s.LeaseErasure(t.Context(), now(), time.Minute)
	wantErr(t, "leased twice", err, store.ErrNotFound)
	n := 0
	out, err := s.Erase(t.Context(), e, func(context.Context, store.Erasure) error {
		if n++; stop > 0 && n > 2 { // the step it had begun, and one more
			return errStop
		}
		return nil
	})
	if errors.Is(err, errStop) {
		must(t, s.ExtendErasure(t.Context(), e.ID, now().Add(-time.Second)))
		return out
	}
	must(t, err)
	return out
}

// column is one of a table; kind is TEXT, BLOB or another.
type column struct{ db, table, name, kind string }

// columns lists those of all databases, each table once.
func columns(t *testing.T, p Place, raw map[string]*sql.DB) (list []column) {
	t.Helper()
	seen := map[column]bool{}
	for _, db := range []string{"core", "economy", "history"} { // PostgreSQL has all in one: it is core's
		conn := raw[db]
		query := `SELECT m.name, p.name, upper(p.type) FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table'`
		if p.Config.URL != "" {
			query = `SELECT c.table_name, c.column_name, CASE c.data_type WHEN 'bytea' THEN 'BLOB' ELSE upper(c.data_type) END
				FROM information_schema.columns AS c WHERE c.table_schema = current_schema() AND NOT EXISTS
				(SELECT 1 FROM pg_inherits AS i JOIN pg_class AS k ON k.oid = i.inhrelid WHERE k.relname = c.table_name)`
		}
		rows, err := conn.QueryContext(t.Context(), query)
		must(t, err)
		for rows.Next() {
			c := column{db: db}
			must(t, rows.Scan(&c.table, &c.name, &c.kind))
			if plain := (column{"", c.table, c.name, ""}); !seen[plain] && !strings.HasPrefix(c.table, "goose") && !strings.HasPrefix(c.table, "sqlite") {
				seen[plain] = true
				list = append(list, c)
			}
		}
		must(t, errors.Join(rows.Err(), rows.Close()))
	}
	return list
}

// open opens the databases beside the store.
func open(t *testing.T, p Place) map[string]*sql.DB {
	t.Helper()
	raw := map[string]*sql.DB{"core": p.Core(t), "economy": p.Economy(t), "history": p.History(t)}
	t.Cleanup(func() {
		for _, db := range raw {
			_ = db.Close()
		}
	})
	return raw
}

// scribbleRest fills the tables that have players and nothing of the victim: those of
// other areas, and one that nobody knows. Every free text, which is a BLOB, names the
// victim: a table that has some fails the test until there is a rule that clears it.
func scribbleRest(t *testing.T, p Place) {
	t.Helper()
	raw := open(t, p)
	core := raw["core"]
	_, err := core.ExecContext(t.Context(), `CREATE TABLE stranger (app_id TEXT NOT NULL, player_id TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (app_id, player_id))`)
	must(t, err)
	tables := map[string][]column{}
	for _, c := range columns(t, p, raw) {
		tables[c.table] = append(tables[c.table], c)
	}
	traced := append([]string{""}, tracesOf(t, p, victim)...)
	for name, cols := range tables {
		has := func(col string) bool { return slices.ContainsFunc(cols, func(c column) bool { return c.name == col }) }
		if cols[0].db == "core" && playerless[name] == "" && !has("player_id") && !strings.Contains(strings.Join(traced, " "), " "+name+".") {
			t.Errorf("the table %s has nothing of the player: scribble some, or say in playerless why there is never any", name)
		}
		if cols[0].db != "core" || name == "erasure" || strings.HasPrefix(name, "economy_log") || !has("app_id") || !has("player_id") {
			continue
		}
		var n int
		must(t, core.QueryRowContext(t.Context(), `SELECT count(*) FROM `+name+` WHERE app_id = 'game' AND player_id = $1`, string(victim)).Scan(&n))
		if n == 0 {
			scribbleInto(t, core, name, cols)
		}
	}
}

// scribbleInto puts one row into a table of which nothing but its columns is known.
func scribbleInto(t *testing.T, db *sql.DB, table string, cols []column) {
	t.Helper()
	var names, marks []string
	var args []any
	for _, c := range cols {
		var value any
		switch {
		case c.name == "app_id":
			value = "game"
		case c.name == "player_id" || c.name == "reporter_id":
			value = string(victim)
		case c.kind == "BLOB":
			value = []byte("words of " + string(victim))
		case c.kind == "TEXT":
			value = table + "-" + c.name
		case c.kind == "BOOLEAN":
			value = false
		default: // numbers: what is over, not what stands
			value = 1
		}
		names, marks, args = append(names, c.name), append(marks, fmt.Sprintf("$%d", len(args)+1)), append(args, value)
	}
	_, err := db.ExecContext(t.Context(), `INSERT INTO `+table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+`)`, args...)
	must(t, err)
}

// tracesOf lists the columns in which a player's id stands, as it is or in JSON.
func tracesOf(t *testing.T, p Place, player engines.PlayerID) []string {
	t.Helper()
	quoted, err := json.Marshal(string(player))
	must(t, err)
	quoted = bytes.Trim(quoted, `"`)
	raw, found := open(t, p), map[string]bool{}
	for _, c := range columns(t, p, raw) {
		if c.kind != "TEXT" && c.kind != "BLOB" {
			continue
		}
		rows, err := raw[c.db].QueryContext(t.Context(), `SELECT `+c.name+` FROM `+c.table+` WHERE `+c.name+` IS NOT NULL`)
		must(t, err)
		for rows.Next() {
			var value []byte
			must(t, rows.Scan(&value))
			if bytes.Contains(value, quoted) || bytes.Contains(value, []byte(player)) {
				found[c.table+"."+c.name] = true
			}
		}
		must(t, errors.Join(rows.Err(), rows.Close()))
	}
	return slices.Sorted(maps.Keys(found))
}

// testPlayerRecords: a player gets all of its own, and nothing of others.
func testPlayerRecords(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	scribble(t, p, s)
	counts := map[string]int{}
	err := s.PlayerRecords(ctx, "game", victim, func(r store.PlayerRecord) error {
		var owner engines.PlayerID
		switch {
		case r.Decision != nil:
			counts["decisions"]++
			owner = r.Decision.Player
		case r.Message != nil:
			counts["messages"]++
			owner = r.Message.Player
		case r.Entry != nil:
			counts["entries"]++
			owner = r.Entry.Player
		case r.Ban != nil:
			counts["bans"]++
			owner = r.Ban.Player
		case r.Voice != nil:
			counts["voices"]++
			owner = r.Voice.Player
		}
		if owner != victim {
			t.Errorf("a record of %q: %+v", owner, r)
		}
		return nil
	})
	must(t, err)
	same(t, "records", counts, map[string]int{"decisions": 252, "messages": 2, "entries": 2, "bans": 2, "voices": 1})
	wantErr(t, "an error of who reads", s.PlayerRecords(ctx, "game", victim, func(store.PlayerRecord) error { return errStop }), errStop)
	must(t, s.PlayerRecords(ctx, "game", "nobody", func(store.PlayerRecord) error { return errStop }))
}
