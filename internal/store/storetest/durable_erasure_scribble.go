package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// playerless are the tables that hold nothing of players, and why. One that is not here
// has to hold something of the victim once scribble is done, and nothing once it is
// erased.
var playerless = map[string]string{
	"api_token":            "of apps",
	"app":                  "of apps",
	"app_secret":           "of apps",
	"audit_chain":          "heads of chains",
	"audit_checkpoint":     "heads of chains",
	"batch":                "counts; lines are in batch_chunk",
	"case_pair":            "who of the moderators decided what",
	"core_probe":           "a gateway and a time",
	"economy_book":         "how far a book has come; it is made again from the log",
	"economy_probe":        "a gateway and a time",
	"economy_rule":         "an app's own rules",
	"economy_rule_count":   "counts by rule",
	"evidence_log":         "hash chain of who saw what; moderators say why",
	"image_bank":           "an app's own, of pictures that are known",
	"image_bank_chunk":     "hashes of known pictures",
	"image_bank_gone":      "entries that no longer count",
	"image_bank_import":    "who of the moderators filled a bank",
	"image_bank_match":     "counts",
	"login":                "of moderators",
	"loose_blob":           "hashes of files that the next sweep looks at",
	"moderator":            "of moderators",
	"moderator_preference": "of moderators",
	"outbox":               "what is still to be told is the app's to hear",
	"password_link":        "of moderators",
	"penalty_ladder":       "an app's own rules",
	"policy":               "an app's own rules",
	"policy_backtest":      "its samples are ids of requests",
	"policy_count":         "counts",
	"policy_rollout":       "an app's own rules",
	"policy_sample":        "ids of requests",
	"report_run":           "sums by period",
	"stat_statement":       "counts",
	"report_schedule":      "periods",
	"seen":                 "goes before the steps, by its owner: testSeen",
	"stat_anomaly":         "sums",
	"stat_case":            "ids of cases",
	"stat_case_mark":       "ids of cases",
	"stat_economy":         "sums",
	"stat_job":             "progress",
	"stat_label":           "sums",
	"stat_scene":           "sums",
	"stat_verdict":         "sums",
	"store_lock":           "names of locks",
	"webhook":              "of apps",
	"webhook_secret":       "of apps",
}

// scribbleCases has moderators write of the victim: on its cases, in their history, in
// the reasons of decisions; and leaves something to be done.
func scribbleCases(t *testing.T, s *sqlstore.Store, at time.Time) {
	t.Helper()
	words := "said of " + string(victim)
	detail, err := json.Marshal(map[string]string{"reason": words, "to": "ana"})
	must(t, err)
	c := store.Case{
		ID: "c2", App: "game", Request: "c2", Player: victim, State: store.CaseOpen, Kind: store.CaseOfReports, Group: "player\n" + string(victim),
		Version: 1, Created: at, Updated: at,
	}
	r := store.Report{ID: "rep1", App: "game", Reporter: "other", Player: victim, Reason: "spam", Detail: words, Content: words, Weight: 1, Created: at}
	_, err = s.FileReport(t.Context(), r, c, func(*store.Case) {})
	must(t, err)
	_, _, err = s.MoveCase(t.Context(), "c1", "decide", "k", func(f store.CaseFacts) (store.CaseChange, error) {
		x := store.CaseChange{Case: f.Case}
		x.Case.Reason, x.Case.Note, x.Case.Updated = words, words, at
		x.Case.Version++
		x.Event = store.CaseEvent{Version: x.Case.Version, At: at, Actor: "ana", Action: "decide", State: x.Case.State, Detail: string(detail), Key: "k"}
		x.Effects = []store.Effect{{Case: "c1", Version: x.Case.Version, Kind: store.EffectRuled, App: "game", Player: victim, Message: "cased", Reason: words, At: at, Next: at}}
		x.States = []store.PersonDecision{{Reject: true, Category: "hate", Ground: "rule 3", Facts: words, At: at}}
		x.Audit = store.Audit{TS: at, Actor: "ana", Action: "case.decide", Object: "case/c1", Detail: "{}"}
		return x, nil
	})
	must(t, err)
}

// victimLines are lines of a batch: three of the victim, one of them escaped and one
// that cannot be read, and two of others.
func victimLines(t *testing.T) (body []byte) {
	t.Helper()
	name, err := json.Marshal(string(victim))
	must(t, err)
	var escaped strings.Builder
	for _, r := range string(victim) {
		fmt.Fprintf(&escaped, `\u%04x`, r)
	}
	for _, line := range []string{
		`{"kind":"text","content":"mine","user_id":` + string(name) + `}`,
		`{"kind":"text","content":"theirs","user_id":"other"}`,
		`{"kind":"text","content":"mine","user_id":"` + escaped.String() + `"}`,
		`{"kind":"text","content":"broken","user_id":"` + string(victim),
		`{"kind":"text","content":"nobody\u0027s"}`,
	} {
		body = store.AppendLine(body, store.LineText, len(line), []byte(line))
	}
	return body
}

// scribbleBatches leaves lines of the victim in batches that arrive, that wait and that
// a worker has in hand, and results of them in one that is done.
func scribbleBatches(t *testing.T, s *sqlstore.Store, at time.Time) {
	t.Helper()
	ctx := t.Context()
	put := func(id string) {
		must(t, s.BeginBatch(ctx, store.Batch{ID: id, App: "game", By: "app/game", Created: at}))
		must(t, s.PutBatchChunk(ctx, store.BatchChunk{Batch: id, First: 1, Lines: 5, Body: victimLines(t)}))
	}
	queue := func(id string) {
		_, _, err := s.QueueBatch(ctx, store.BatchOrder{Batch: store.Batch{ID: id, App: "game", Lines: 5, Created: at}, AtOnce: 100, LinesADay: 1000})
		must(t, err)
	}
	put("done")
	queue("done")
	c, err := s.ClaimChunk(ctx, "n1", at, at.Add(time.Minute))
	must(t, err)
	d := decision("batched")
	d.Player, d.CaseID = victim, ""
	name, err := json.Marshal(string(victim))
	must(t, err)
	results := `{"line":1,"id":"a","request_id":"batched","result":{"content":"m*** \u0001"}}` + "\n" +
		`{"line":2,"id":"b","request_id":"other","result":{}}` + "\n" + `{"line":3,"id":` + string(name) + `,"request_id":"pass","result":{}}` + "\n" +
		`{"line":4,"error":{"code":1001}}` + "\n" + `{"line":5,"request_id":"none","result":{}}` + "\n" +
		`{"line":6,"result":{"fields":{"name":{"request_id":"pass"},"motto":{"request_id":"batched"}}}}` + "\n" +
		`{"line":7,"result":{"fields":{"motto":{"request_id":"none"}}}}` + "\n"
	_, err = s.FinishChunk(ctx, store.BatchResult{Chunk: c, Results: []byte(results), Counts: store.Batch{Done: 5, Passed: 5}, Decisions: []store.Decision{d}}, at)
	must(t, err)
	put("claimed")
	queue("claimed")
	_, err = s.ClaimChunk(ctx, "n1", at, at.Add(time.Hour))
	must(t, err)
	put("waits")
	queue("waits")
	put("arrives")
}

// batchesErased looks at what an erasure left of them.
func batchesErased(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	ctx, at := t.Context(), now().Add(time.Minute)
	stale := store.BatchChunk{Batch: "claimed", App: "game", Seq: 0, First: 1, Lines: 5, Owner: "n1"}
	_, err := s.FinishChunk(ctx, store.BatchResult{Chunk: stale, Results: []byte("x"), Counts: store.Batch{Done: 5}}, at)
	wantErr(t, "who had the lines before finishes them", err, store.ErrConflict)
	for range 2 {
		c, err := s.ClaimChunk(ctx, "n2", at, at.Add(time.Minute))
		must(t, err)
		var kinds []store.LineKind
		for rest := c.Body; len(rest) > 0; {
			kind, _, _, next, err := store.CutLine(rest)
			must(t, err)
			kinds, rest = append(kinds, kind), next
		}
		same(t, "lines of "+c.Batch, kinds, []store.LineKind{store.LineErased, store.LineText, store.LineErased, store.LineErased, store.LineText})
	}
	p, err := s.BatchPart(ctx, "done", 1)
	must(t, err)
	same(t, "results", string(p.Results), `{"line":1,"erased":true}`+"\n"+`{"line":2,"id":"b","request_id":"other","result":{}}`+"\n"+
		`{"line":3,"erased":true}`+"\n"+`{"line":4,"error":{"code":1001}}`+"\n"+`{"line":5,"request_id":"none","result":{}}`+"\n"+
		`{"line":6,"erased":true}`+"\n"+`{"line":7,"result":{"fields":{"motto":{"request_id":"none"}}}}`+"\n")
	events, err := s.CaseEvents(ctx, "c1")
	must(t, err)
	if len(events) != 1 || events[0].Detail != `{"to":"ana"}` || events[0].Actor != "ana" {
		t.Errorf("history of a case: %+v", events)
	}
	d, err := s.Decision(ctx, "game", "cased")
	must(t, err)
	if len(d.Statements) == 0 || d.Statements[len(d.Statements)-1].GroundText != "rule 3" || d.Statements[len(d.Statements)-1].Facts != "" {
		t.Errorf("statements: %+v", d.Statements)
	}
	due, err := s.ClaimEffects(ctx, "c1", at.Add(time.Hour), at.Add(2*time.Hour), 10)
	if err != nil || len(due) > 0 {
		t.Errorf("still to be done: %+v, %v", due, err)
	}
}
