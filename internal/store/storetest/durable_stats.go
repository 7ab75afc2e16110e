package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

const hourMS = int64(3_600_000)

func sceneCount(app engines.AppID, hour int64, scene, mode string, n int64) store.StatCount {
	return store.StatCount{Cube: store.StatScenes, App: app, Hour: hour, Dims: []string{scene, "text", mode}, Counts: []int64{n, 1, 0, 0}}
}

// testStats: counts of many gateways add up, by hour and by day.
func testStats(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	day := time.Now().UnixMilli() / dayMS * dayMS
	before := day - dayMS
	verdict := store.StatCount{Cube: store.StatVerdicts, App: "game", Hour: day, Dims: make([]string, 9), Counts: make([]int64, 16)}
	for i := range verdict.Dims {
		verdict.Dims[i] = fmt.Sprint("d", i)
	}
	for i := range verdict.Counts {
		verdict.Counts[i] = int64(i + 1)
	}
	hidden := sceneCount("game", day+2*hourMS, "rare\x00\xff", "m1", 7)
	hidden.OnlyHour = true
	shown := sceneCount("game", day+2*hourMS, "other", "m1", 7)
	shown.OnlyDay = true
	// Two gateways in opposite orders must not wait for each other.
	batch := []store.StatCount{
		sceneCount("game", day+hourMS+59*60_000, "lobby", "m1", 2), sceneCount("game", day+3*hourMS, "lobby", "m2", 3), sceneCount("game", before+23*hourMS, "lobby", "m1", 5),
		sceneCount("other", day, "lobby", "m1", 100), hidden, shown, verdict,
	}
	back := make([]store.StatCount, len(batch))
	for i := range batch {
		back[len(batch)-1-i] = batch[i]
	}
	const gateways = 10
	_, errs := race(gateways, func(i int) error {
		if i%2 == 0 {
			return s.AddStats(ctx, batch)
		}
		return s.AddStats(ctx, back)
	})
	for _, err := range errs {
		t.Error(err)
	}
	ask := func(q store.StatQuery) []store.StatSum {
		t.Helper()
		q.App = "game"
		list, err := s.Stats(ctx, q)
		must(t, err)
		return list
	}
	sum := func(at int64, n, review int64, dims ...string) store.StatSum {
		return store.StatSum{At: at, Dims: append([]string{}, dims...), Counts: []int64{n * gateways, review * gateways, 0, 0}}
	}
	scenes := func(from, to int64, step time.Duration, by ...string) store.StatQuery {
		return store.StatQuery{Cube: store.StatScenes, From: from, To: to, Step: step, By: by}
	}
	same(t, "by hour", ask(scenes(before, day+dayMS, store.StatHour)), []store.StatSum{
		sum(before+23*hourMS, 5, 1), sum(day+hourMS, 2, 1), sum(day+2*hourMS, 7, 1), sum(day+3*hourMS, 3, 1),
	})
	same(t, "by day and scene", ask(scenes(before, day+dayMS, store.StatDay, "scene")), []store.StatSum{
		sum(before, 5, 1, "lobby"), sum(day, 5, 2, "lobby"), sum(day, 7, 1, "other"),
	})
	same(t, "all of it", ask(scenes(before, day+dayMS, 0)), []store.StatSum{sum(0, 17, 4)})
	same(t, "days and the hours at their edges", ask(scenes(before-5*hourMS, day+dayMS+2*hourMS, 0, "mode")), []store.StatSum{sum(0, 14, 3, "m1"), sum(0, 3, 1, "m2")})
	same(t, "hours alone", ask(scenes(before+23*hourMS, day+2*hourMS, 0, "scene")), []store.StatSum{sum(0, 7, 2, "lobby")})
	same(t, "an hour's own names", ask(scenes(day+2*hourMS, day+3*hourMS, 0, "scene")), []store.StatSum{sum(0, 7, 1, "rare\uFFFD")})
	filtered := scenes(before, day+dayMS, 0)
	filtered.Where = map[string][]string{"scene": {"lobby", "none"}, "mode": {"m2"}}
	same(t, "with filters", ask(filtered), []store.StatSum{sum(0, 3, 1)})
	same(t, "none", ask(scenes(before-9*dayMS, before-8*dayMS, store.StatDay)), nil)
	all := ask(store.StatQuery{Cube: store.StatVerdicts, From: day, To: day + dayMS, Step: store.StatDay, By: []string{"degraded"}})
	if len(all) != 1 || all[0].Dims[0] != "d8" || all[0].Counts[15] != 16*gateways {
		t.Errorf("verdicts %+v", all)
	}
	// A long span, which is read in halves, is as whole as a short one, and in order.
	long := scenes(before-200*dayMS, day+dayMS, store.StatDay)
	must(t, s.AddStats(ctx, []store.StatCount{sceneCount("game", before-200*dayMS, "lobby", "m1", 1), sceneCount("game", before-99*dayMS, "lobby", "m1", 2), sceneCount("game", before-100*dayMS, "lobby", "m1", 4)}))
	var days []int64
	for _, sum := range ask(long) {
		days = append(days, (before-sum.At)/dayMS, sum.Counts[0])
	}
	same(t, "a long span by day", days, []int64{200, 1, 100, 4, 99, 2, 0, 5 * gateways, -1, 12 * gateways})
	long.Step = 0
	if got := ask(long); len(got) != 1 || got[0].Counts[0] != 17*gateways+7 {
		t.Errorf("all of a long span: %+v", got)
	}
	few := scenes(before, day+dayMS, store.StatDay, "scene", "mode")
	few.Keep, few.Where = map[string][]string{"mode": {"m2"}}, map[string][]string{"scene": {"lobby"}}
	same(t, "few by name", ask(few), []store.StatSum{sum(before, 5, 1, "lobby", "other"), sum(day, 3, 1, "lobby", "m2"), sum(day, 2, 1, "lobby", "other")})
	one := scenes(before, day+dayMS, 0)
	one.Measures = []string{"review"}
	if got := ask(one); len(got) != 1 || len(got[0].Counts) != 1 || got[0].Counts[0] != 4*gateways {
		t.Errorf("one measure: %+v", got)
	}
	for _, wrong := range []store.StatQuery{{Cube: store.StatScenes, Measures: []string{"took_us"}}, {Cube: store.StatScenes, By: []string{"way"}}, {Cube: store.StatScenes, Where: map[string][]string{"n; DROP TABLE ban": {"x"}}}} {
		if _, err := s.Stats(ctx, wrong); err == nil || errors.Is(err, store.ErrUnavailable) {
			t.Errorf("Stats(%+v) = %v, want an error about the query", wrong, err)
		}
	}
	if err := s.AddStats(ctx, []store.StatCount{{Cube: store.StatScenes}}); err == nil {
		t.Error("counts without names were added")
	}
}

// testStatsRange: sums that are past what a number holds stop growing.
func testStatsRange(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	much := store.StatCount{Cube: store.StatEconomy, App: "game", Hour: hourMS, Dims: []string{"currency", "gold", "earn", "x"}, Counts: []int64{1, 1 << 61, 0}}
	for range 5 {
		must(t, s.AddStats(ctx, []store.StatCount{much}))
	}
	much.Dims = []string{"currency", "gold", "earn", "y"}
	for range 5 {
		must(t, s.AddStats(ctx, []store.StatCount{much}))
	}
	list, err := s.Stats(ctx, store.StatQuery{Cube: store.StatEconomy, App: "game", From: 0, To: dayMS, By: []string{"what"}})
	must(t, err)
	if len(list) != 1 || list[0].Counts[0] != 10 || list[0].Counts[1] != 1<<62 {
		t.Errorf("sums %+v, want 10 entries and no more than 2^62", list)
	}
}

func testStatsSwept(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	must(t, s.CreateApp(ctx, "game", "k", "psk_x"))
	now := time.Now().UnixMilli()
	old, ancient := now-store.StatHoursKept.Milliseconds()-dayMS, now-store.StatDaysKept.Milliseconds()-2*dayMS
	for _, at := range []int64{ancient, ancient + hourMS, old, old + hourMS, now} {
		must(t, s.AddStats(ctx, []store.StatCount{sceneCount("game", at, "lobby", "m", 1)}))
	}
	count := func(step time.Duration) (n int) {
		t.Helper()
		list, err := s.Stats(ctx, store.StatQuery{Cube: store.StatScenes, App: "game", From: 0, To: now + dayMS, Step: step})
		must(t, err)
		return len(list)
	}
	fact := store.CaseFact{App: "game", ID: "old", Opened: time.UnixMilli(ancient), Closed: time.UnixMilli(ancient), Marks: []store.CaseMark{{What: store.MarkRule, Name: "r"}}}
	kept := fact
	kept.ID, kept.Closed = "new", time.UnixMilli(now)
	must(t, s.PutCaseFacts(ctx, []store.CaseFact{fact, kept}, 0))
	p.Open(t) // it sweeps when it is opened
	facts := func() (n int64) {
		t.Helper()
		tallies, err := s.CaseTallies(ctx, "game", 0, now+1, 0, false)
		must(t, err)
		marks, err := s.MarkTallies(ctx, "game", 0, now+1)
		must(t, err)
		for _, c := range tallies {
			n += c.N
		}
		for _, m := range marks {
			n += m.N
		}
		return n
	}
	for until := time.Now().Add(patience); facts() != 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d facts are kept, want that of one case and its mark", facts())
		}
	}
	for until := time.Now().Add(patience); count(store.StatHour) != 1 || count(store.StatDay) > 3; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d hours and %d days are kept", count(store.StatHour), count(store.StatDay))
		}
	}
	if got := count(store.StatDay); got < 2 {
		t.Errorf("%d days are kept, want the last two years'", got)
	}
}

// testCaseFacts: what people made of cases is counted by when they did, and again
// when they did otherwise.
func testCaseFacts(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := now().Truncate(24 * time.Hour).Add(-2 * time.Hour)
	signals := []engines.Signal{{Category: engines.Hate, Rule: "r1", Source: engines.SourceRule}}
	open := func(id string) store.Case {
		c := store.Case{
			ID: engines.CaseID(id), App: "game", Request: engines.RequestID("q" + id), Player: "p", Scene: "s", State: store.CaseOpen, Version: 1, Created: at, Updated: at,
		}
		d := store.Decision{Request: c.Request, App: "game", Player: "p", Kind: engines.KindText, Signals: signals, Created: at, Verdict: engines.Verdict{
			Finding: engines.Finding{Suggestion: engines.Review, Labels: []engines.Label{{Category: engines.Hate, Source: engines.SourceRule}}}, Action: engines.Hold, Mode: engines.RealTimeBlock,
		}}
		must(t, s.PutDecision(ctx, d, &c, nil))
		return c
	}
	for _, id := range []string{"c1", "c2", "c3"} {
		open(id)
	}
	waiting, err := s.WaitingCases(ctx, "game")
	must(t, err)
	same(t, "waiting", waiting, []store.Waiting{{State: store.CaseOpen, N: 3, Oldest: at}})
	_, err = DecideCase(ctx, s, "c1", 1, "reject", "ann", "", at.Add(time.Hour))
	must(t, err)
	changed, err := s.CasesChanged(ctx, at.UnixMilli(), "c2", 10)
	must(t, err)
	if len(changed) != 2 || changed[0].ID != "c3" || changed[1].ID != "c1" || changed[1].Case.Decision != "reject" || changed[1].State != store.CaseClosed {
		t.Fatalf("changed cases %+v", changed)
	}
	same(t, "its signals", changed[1].Opened.Signals, signals)
	same(t, "its suggestion", changed[1].Opened.Verdict.Suggestion, engines.Review)
	fact := func(id, decision string, after time.Duration) store.CaseFact {
		f := store.CaseFact{
			App: "game", ID: engines.CaseID(id), Opened: at, Closed: at.Add(after), Mode: engines.RealTimeBlock, Suggestion: engines.Review, Action: engines.Hold,
			Decision: decision, By: "ann", Marks: []store.CaseMark{{What: store.MarkCategory, Name: "hate"}, {What: store.MarkRule, Name: "r1\x00"}},
		}
		return f
	}
	facts := []store.CaseFact{fact("c1", "reject", time.Hour), fact("c2", "approve", 3*time.Hour), fact("c3", "reject", 90*time.Second)}
	_, errs := race(4, func(int) error { return s.PutCaseFacts(ctx, facts, 7) })
	for _, err := range errs {
		t.Error(err)
	}
	must(t, s.PutCaseFacts(ctx, nil, 5)) // another gateway is behind
	reached, err := s.StatReached(ctx)
	must(t, err)
	same(t, "reached", reached, int64(7))
	tallies := func(step time.Duration) []store.CaseTally {
		t.Helper()
		list, err := s.CaseTallies(ctx, "game", at.UnixMilli(), at.Add(24*time.Hour).UnixMilli(), step, true)
		must(t, err)
		return list
	}
	tally := func(at int64, decision string, waits ...int) store.CaseTally {
		c := store.CaseTally{At: at, Mode: "real_time_block", Suggestion: "review", Action: "hold", Decision: decision, N: int64(len(waits))}
		for _, i := range waits {
			c.Waits[i]++
		}
		return c
	}
	same(t, "closed", tallies(0), []store.CaseTally{tally(0, "approve", 10), tally(0, "reject", 3, 8)})
	first := at.UnixMilli()
	same(t, "closed by hour", tallies(store.StatHour), []store.CaseTally{tally(first, "reject", 3), tally(first+hourMS, "reject", 8), tally(first+3*hourMS, "approve", 10)})
	same(t, "closed by day", tallies(store.StatDay), []store.CaseTally{tally(first-22*hourMS, "reject", 3, 8), tally(first+2*hourMS, "approve", 10)})
	marks := func() []store.MarkTally {
		t.Helper()
		list, err := s.MarkTallies(ctx, "game", at.UnixMilli(), at.Add(24*time.Hour).UnixMilli())
		must(t, err)
		return list
	}
	mark := func(what, name, decision string, n int64) store.MarkTally {
		return store.MarkTally{CaseMark: store.CaseMark{What: what, Name: name}, Decision: decision, N: n}
	}
	same(t, "marks", marks(), []store.MarkTally{
		mark("category", "hate", "approve", 1), mark("category", "hate", "reject", 2), mark("rule", "r1", "approve", 1), mark("rule", "r1", "reject", 2),
	})
	// One is opened again, another decided otherwise, later.
	again := fact("c1", "", 0)
	again.Closed = time.Time{}
	must(t, s.PutCaseFacts(ctx, []store.CaseFact{again, fact("c2", "reject", 4*time.Hour)}, 8))
	same(t, "closed now", tallies(0), []store.CaseTally{tally(0, "reject", 3, 10)})
	same(t, "marks now", marks(), []store.MarkTally{mark("category", "hate", "reject", 2), mark("rule", "r1", "reject", 2)})
	opened, err := s.OpenedCases(ctx, "game", at.UnixMilli(), at.UnixMilli()+1)
	must(t, err)
	same(t, "opened", opened, int64(3))
}

func testStatLead(t *testing.T, p Place) {
	t.Helper()
	s, at := p.Open(t), now()
	lead := func(s *sqlstore.Store, at time.Time) bool {
		t.Helper()
		mine, err := s.LeadStats(t.Context(), at, at.Add(time.Minute))
		must(t, err)
		return mine
	}
	other := p
	other.Config.Node = "n2"
	two := other.Open(t)
	if !lead(s, at) || lead(two, at) || !lead(s, at.Add(30*time.Second)) || lead(two, at.Add(80*time.Second)) || !lead(two, at.Add(90*time.Second)) || lead(s, at.Add(90*time.Second)) {
		t.Error("the lease is not with one alone, until its end")
	}
}

// testAnomalies: one anomaly is told once, however many gateways and hours see it.
func testAnomalies(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	endpoint(t, s, "game", "h")
	a := store.Anomaly{App: "game", Category: "hate", Began: 10 * hourMS, Last: 10 * hourMS, Found: 30, Verdicts: 100, Share: .3, Usual: .01, Ratio: 30, P: 1e-9, Seen: now()}
	open := func(a store.Anomaly) int {
		t.Helper()
		n := make(chan bool, 8)
		_, errs := race(8, func(int) error {
			opened, err := s.OpenAnomaly(ctx, a, 2*time.Hour)
			n <- opened
			return err
		})
		for _, err := range errs {
			t.Error(err)
		}
		close(n)
		news := 0
		for opened := range n {
			if opened {
				news++
			}
		}
		return news
	}
	later, worse, spam, next := a, a, a, a
	later.Began, later.Last, later.Ratio, later.Found = 12*hourMS, 12*hourMS, 5, 5
	worse.Began, worse.Last, worse.Ratio, worse.Found = 11*hourMS, 11*hourMS, 40, 40
	spam.Category = "spam"
	next.Began, next.Last = 15*hourMS, 15*hourMS
	same(t, "how often each is new", []int{open(a), open(later), open(worse), open(spam), open(next)}, []int{1, 0, 0, 1, 1})
	list, err := s.Anomalies(ctx, "game", 12*hourMS, 13*hourMS, 10)
	must(t, err)
	merged := worse
	merged.Began, merged.Last = a.Began, later.Last
	same(t, "seen in an hour", list, []store.Anomaly{merged})
	list, err = s.Anomalies(ctx, "game", 0, 99*hourMS, 2)
	must(t, err)
	if len(list) != 2 || list[0].Last != next.Last || list[1].Last != merged.Last {
		t.Errorf("newest first: %+v", list)
	}
	events, err := s.Events(ctx, 100)
	must(t, err)
	if len(events) != 3 || events[0].Type != store.EventAnomaly {
		t.Fatalf("told %+v, want three anomalies", events)
	}
	told, err := store.ReadFact[store.Anomaly](&events[0])
	must(t, err)
	same(t, "told", told, a)
}

// testReports: a turn's report is stored once, and told of; the turn moves on.
func testReports(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	endpoint(t, s, "game", "h")
	daily := store.ReportSchedule{App: "game", Kind: "operations", Period: "day", Zone: "Asia/Tokyo", Next: at.Add(-time.Hour)}
	monthly := store.ReportSchedule{App: "game", Kind: "transparency", Period: "month", Zone: "UTC", Next: at.Add(time.Hour)}
	must(t, s.PutSchedules(ctx, "game", []store.ReportSchedule{daily, monthly}, "ann", at))
	moved := daily
	moved.Next = at.Add(9 * time.Hour)
	must(t, s.PutSchedules(ctx, "game", []store.ReportSchedule{moved, monthly}, "ann", at)) // the turn of what stays stays
	must(t, s.PutSchedules(ctx, "other", []store.ReportSchedule{monthly}, "ann", at))
	must(t, s.VerifyAudit(ctx, p.Config.Node))
	daily.By, daily.Changed, monthly.By, monthly.Changed = "ann", at, "ann", at
	list, err := s.Schedules(ctx, "game")
	must(t, err)
	same(t, "schedules", list, []store.ReportSchedule{daily, monthly})
	due, err := s.DueSchedules(ctx, at, 10)
	must(t, err)
	same(t, "due", due, []store.ReportSchedule{daily})
	run := func(i int) store.ReportRun {
		return store.ReportRun{
			App: "game", ID: fmt.Sprint("r", i), Kind: "operations", Period: "day", Zone: "Asia/Tokyo", From: at.Add(-25 * time.Hour), To: at.Add(-time.Hour),
			Body: []byte{0, 1, 0xff}, By: "schedule", Created: at.Add(time.Duration(i) * time.Second),
		}
	}
	put := func(n int, turn store.ReportSchedule) (stored int) {
		t.Helper()
		c := make(chan bool, n)
		_, errs := race(n, func(i int) error {
			ok, err := s.PutReport(ctx, run(int(turn.Next.Unix())*100+i), turn, turn.Next.Add(24*time.Hour))
			c <- ok
			return err
		})
		for _, err := range errs {
			t.Error(err)
		}
		close(c)
		for ok := range c {
			if ok {
				stored++
			}
		}
		return stored
	}
	changed := daily
	changed.Zone = "UTC"
	same(t, "stored of a schedule that was another", put(1, changed), 0)
	same(t, "stored of eight", put(8, daily), 1)
	same(t, "stored again", put(1, daily), 0)
	daily.Next = daily.Next.Add(24 * time.Hour)
	must(t, s.SkipReport(ctx, daily, daily.Next.Add(24*time.Hour)))
	same(t, "stored of a turn that was skipped", put(1, daily), 0)
	daily.Next = daily.Next.Add(24 * time.Hour)
	same(t, "stored of the next turn", put(1, daily), 1)
	runs, err := s.ReportRuns(ctx, "game", "operations", economy.Mark{}, 10)
	must(t, err)
	if len(runs) != 2 || runs[0].Body != nil || !runs[0].Created.After(runs[1].Created) {
		t.Fatalf("reports %+v, want two, the newest first, without bodies", runs)
	}
	rest, err := s.ReportRuns(ctx, "game", "", economy.Mark{At: runs[0].Created.UnixMilli(), ID: runs[0].ID}, 10)
	must(t, err)
	same(t, "after the first", rest, runs[1:])
	none, err := s.ReportRuns(ctx, "game", "transparency", economy.Mark{}, 10)
	must(t, err)
	same(t, "of another kind", none, nil)
	one, err := s.ReportRun(ctx, "game", runs[0].ID)
	must(t, err)
	same(t, "body", one.Body, []byte{0, 1, 0xff})
	_, err = s.ReportRun(ctx, "other", runs[0].ID)
	wantErr(t, "another app's report", err, store.ErrNotFound)
	events, err := s.Events(ctx, 10)
	must(t, err)
	if len(events) != 2 || events[0].Type != store.EventReport {
		t.Fatalf("told %+v, want two reports", events)
	}
	told, err := store.ReadFact[store.ReportRun](&events[0])
	must(t, err)
	if told.Body != nil || told.Kind != "operations" || told.Zone != "Asia/Tokyo" {
		t.Errorf("told of %+v, want the report without its body", told)
	}
}

func testBanTallies(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	one, two, three, late := ban("b1", "p1", economy.Temporary, at), ban("b2", "p2", economy.Temporary, at), ban("b3", "p3", economy.Permanent, at), ban("b4", "p4", economy.Permanent, at+10)
	one.By, two.By, three.By = "app/game", "app/game", "ann"
	for _, b := range []economy.Ban{one, two, three, late} {
		_, err := s.PutBan(ctx, b)
		must(t, err)
	}
	_, err := s.LiftBans(ctx, economy.Lift{App: "game", Player: "p2", At: at, Now: at, Key: "k", By: "ann"})
	must(t, err)
	list, err := s.BanTallies(ctx, "game", at, at+10)
	must(t, err)
	same(t, "bans", list, []store.BanTally{{Type: "permanent", By: "moderator", N: 1}, {Type: "temporary", By: "app", N: 2, Lifted: 1}})
}
