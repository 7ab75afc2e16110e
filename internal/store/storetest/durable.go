package storetest

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// Place is where a durable store is kept.
type Place struct {
	Config sqlstore.Config
	// Core, Economy and History open the databases beside the store.
	Core, Economy, History func(t *testing.T) *sql.DB
}

// Open opens the store of the place; it is closed when the test ends.
func (p Place) Open(t *testing.T) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.Open(t.Context(), p.Config)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// Durable runs the suite; fresh makes an empty place.
func Durable(t *testing.T, fresh func(t *testing.T) Place) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*testing.T, Place)
	}{
		{"Secrets", testSecrets},
		{"SecretsAtRest", testSecretsAtRest},
		{"Tokens", testTokens},
		{"Users", testUsers},
		{"FirstAdminOnce", testFirstAdminOnce},
		{"Logins", testLogins},
		{"Decisions", testDecisions},
		{"DecisionWithCaseAndMessage", testDecisionWithCaseAndMessage},
		{"SceneMessages", testSceneMessages},
		{"Pending", testPending},
		{"Cases", testCases},
		{"CaseFilters", testCaseFilters},
		{"MoveCase", testMoveCase},
		{"MoveCaseConcurrent", testMoveCaseConcurrent},
		{"CaseEffects", testCaseEffects},
		{"CaseQueues", testCaseQueues},
		{"CasePairs", testCasePairs},
		{"SceneAround", testSceneAround},
		{"PlayerReports", testPlayerReports},
		{"PlayerReportsConcurrent", testPlayerReportsConcurrent},
		{"Appeals", testAppeals},
		{"Preferences", testPreferences},
		{"Entries", testEntries},
		{"EntriesConcurrent", testEntriesConcurrent},
		{"Replay", testReplayEntries},
		{"Follow", testFollow},
		{"FollowLateCommit", testFollowLateCommit},
		{"FollowConcurrent", testFollowConcurrent},
		{"Books", testBooks},
		{"Timeline", testTimeline},
		{"Bans", testBans},
		{"BansEnd", testBansEnd},
		{"BansConcurrent", testBansConcurrent},
		{"EndBans", testEndBans},
		{"Alerts", testAlerts},
		{"AlertsMoved", testAlertsMoved},
		{"Outbox", testOutbox},
		{"Hooks", testHooks},
		{"Deliveries", testDeliveries},
		{"Batches", testBatches},
		{"BatchKeys", testBatchKeys},
		{"BatchTurns", testBatchTurns},
		{"BatchConcurrent", testBatchConcurrent},
		{"Players", testPlayers},
		{"Strikes", testStrikes},
		{"StrikesConcurrent", testStrikesConcurrent},
		{"UndoStrike", testUndoStrike},
		{"SweepPenalties", testSweepPenalties},
		{"Penalties", testPenalties},
		{"PenaltiesEnd", testPenaltiesEnd},
		{"PenaltyBans", testPenaltyBans},
		{"Ladders", testLadders},
		{"Cards", testCards},
		{"CardsEarlier", testCardsEarlier},
		{"PlayerTimeline", testPlayerTimeline},
		{"Rules", testRules},
		{"RulesConcurrent", testRulesConcurrent},
		{"Snoozes", testSnoozes},
		{"Overrides", testOverrides},
		{"VoicePrints", testVoicePrints},
		{"VoiceErasure", testVoiceErasure},
		{"RuleCounts", testRuleCounts},
		{"Backtests", testBacktests},
		{"DayOf", testDayOf},
		{"Stats", testStats},
		{"StatsNarrow", testStatsNarrow},
		{"StatsRange", testStatsRange},
		{"StatsSwept", testStatsSwept},
		{"CaseFacts", testCaseFacts},
		{"Again", testAgain},
		{"AccountTallies", testAccountTallies},
		{"BatchTally", testBatchTally},
		{"StatLead", testStatLead},
		{"Anomalies", testAnomalies},
		{"Reports", testReports},
		{"BanTallies", testBanTallies},
		{"Policies", testPolicies},
		{"PoliciesConcurrent", testPoliciesConcurrent},
		{"Rollouts", testRollouts},
		{"RolloutsConcurrent", testRolloutsConcurrent},
		{"PolicyCounts", testPolicyCounts},
		{"PolicyBacktests", testPolicyBacktests},
		{"PastDecisions", testPastDecisions},
		{"ImageBanks", testImageBanks},
		{"ImageImports", testImageImports},
		{"ImageImportsConcurrent", testImageImportsConcurrent},
		{"Seen", testSeen},
		{"Audit", testAudit},
		{"Checkpoints", testCheckpoints},
		{"People", testPeople},
		{"Evidence", testEvidence},
		{"EvidenceChain", testEvidenceChain},
		{"EvidenceHold", testEvidenceHold},
		{"EvidenceFiles", testEvidenceFiles},
		{"Media", testMedia},
		{"DecisionContent", testDecisionContent},
		{"Statements", testStatements},
		{"SceneSweep", testSceneSweep},
		{"SceneChunks", testSceneChunks},
		{"CaseOfChunk", testCaseOfChunk},
		{"ChunkSweep", testChunkSweep},
		{"ChunkErasure", testChunkErasure},
		{"Erasure", testErasure},
		{"ErasureResumed", testErasureResumed},
		{"PlayerRecords", testPlayerRecords},
		{"FailuresStayAlone", testFailuresStayAlone},
		{"EndedContext", testEndedContext},
		{"Reopen", testReopen},
		{"OpenedTogether", testOpenedTogether},
		{"Ping", testPing},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, fresh(t)) })
	}
}

// now is cut to what is stored.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, doing string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %v", doing, err, want)
	}
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// race runs fn n times at once and returns how often it returned no error and the
// errors of the others.
func race(n int, fn func(i int) error) (wins int, errs []error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			err := fn(i)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				wins++
			} else {
				errs = append(errs, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return wins, errs
}

func testFailuresStayAlone(t *testing.T, p Place) {
	t.Helper()
	s := p.Open(t)
	must(t, s.CreateApp(t.Context(), "taken", "k", "psk_x"))
	const n = 400
	wins, errs := race(n, func(i int) error {
		if i%2 == 0 {
			return s.CreateApp(t.Context(), "taken", "k", "psk_x")
		}
		return s.CreateApp(t.Context(), engines.AppID(Unique("app")), "k", "psk_x")
	})
	if wins != n/2 {
		t.Errorf("%d writes of %d succeeded, want %d", wins, n, n/2)
	}
	for _, err := range errs {
		wantErr(t, "CreateApp of a taken name", err, store.ErrExists)
	}
	apps, err := s.Apps(t.Context())
	must(t, err)
	if got, want := len(apps), n/2+1; got != want {
		t.Errorf("%d apps are stored, want %d", got, want)
	}
}

func testEndedContext(t *testing.T, p Place) {
	t.Helper()
	s := p.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantErr(t, "write", s.CreateApp(ctx, "a", "k", "psk_x"), store.ErrUnavailable)
	_, err := s.Apps(ctx)
	wantErr(t, "read", err, store.ErrUnavailable)
	must(t, s.CreateApp(t.Context(), "b", "k", "psk_x"))
}

func testReopen(t *testing.T, p Place) {
	t.Helper()
	s, err := sqlstore.Open(t.Context(), p.Config)
	must(t, err)
	must(t, s.CreateApp(t.Context(), "a", "k", "psk_x"))
	must(t, s.Close())
	secrets, err := p.Open(t).Secrets(t.Context(), "a")
	must(t, err)
	if len(secrets) != 1 || secrets[0].Secret != "psk_x" {
		t.Errorf("secrets after reopening: %d, want the one that was stored", len(secrets))
	}
}

func testOpenedTogether(t *testing.T, p Place) {
	t.Helper()
	stores := make([]*sqlstore.Store, 4)
	wins, errs := race(len(stores), func(i int) (err error) {
		stores[i], err = sqlstore.Open(t.Context(), p.Config)
		return err
	})
	if wins != len(stores) {
		t.Fatalf("opened together: %v", errs)
	}
	for i, s := range stores {
		must(t, s.CreateApp(t.Context(), engines.AppID(Unique("app")), "k", "psk_x"))
		if i > 0 {
			must(t, s.Close())
		}
	}
	apps, err := stores[0].Apps(t.Context())
	must(t, err)
	if len(apps) != len(stores) {
		t.Errorf("%d apps, want %d", len(apps), len(stores))
	}
	must(t, stores[0].Close())
}

func testPing(t *testing.T, p Place) {
	t.Helper()
	s := p.Open(t)
	must(t, s.Ping(t.Context()))
	for _, db := range []struct {
		open  func(*testing.T) *sql.DB
		table string
	}{{p.Core, "core_probe"}, {p.Economy, "economy_probe"}} {
		raw := db.open(t)
		var n int
		err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM "+db.table).Scan(&n)
		must(t, errors.Join(err, raw.Close()))
		if n != 1 {
			t.Errorf("Ping left %d rows in %s, want 1", n, db.table)
		}
	}
}
