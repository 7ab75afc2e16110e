package stats

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/store/storetest"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// today is some minutes into an hour, and far ahead: the store sweeps what is old by
// its own clock.
var today = time.Date(2126, 3, 2, 15, 10, 0, 0, time.UTC)

// place is a service on a store of its own, with a clock that the test moves.
type place struct {
	t       *testing.T
	db      *sqlstore.Store
	counter *Counter
	service *Service
	now     time.Time
	told    []store.Anomaly
}

func open(t *testing.T) *place {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: filepath.Join(t.TempDir(), "data"), MasterKey: [32]byte{1}, Node: "n"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	p := &place{t: t, db: db, now: today}
	clock := func() time.Time { return p.now }
	log := slog.New(slog.DiscardHandler)
	p.counter = NewCounter(db, nil, log, clock)
	p.service = New(Deps{Store: db, Log: log, Now: clock, Told: func(a *store.Anomaly) { p.told = append(p.told, *a) }})
	p.must(db.CreateApp(t.Context(), "game", "k", "psk_x"))
	return p
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// at counts n verdicts at a time, and writes them.
func (p *place) at(when time.Time, n int, scene, language string, o engines.Outcome) {
	p.t.Helper()
	was := p.now
	p.now = when
	for range n {
		p.counter.Observed(text(scene, language), o, "rest")
	}
	p.must(p.counter.Flush(p.t.Context()))
	p.now = was
}

// ask returns the tables of an answer as text.
func (p *place) ask(kind string, q table.Query) []string {
	p.t.Helper()
	q.App = "game"
	if q.To.IsZero() {
		q.To = p.now
	}
	if q.From.IsZero() {
		q.From = q.To.Add(-48 * time.Hour)
	}
	a, err := p.service.Answer(p.t.Context(), kind, q)
	p.must(err)
	var list []string
	for i := range a.Tables {
		list = append(list, a.Tables[i].ID+"\n"+string(a.Tables[i].AppendCSV(nil)))
	}
	return list
}

func (p *place) want(kind string, q table.Query, want ...string) {
	p.t.Helper()
	for i, w := range want {
		want[i] = crlf(w)
	}
	if diff := cmp.Diff(want, p.ask(kind, q)); diff != "" {
		p.t.Errorf("%s %+v (-want +got):\n%s", kind, q, diff)
	}
}

// crlf ends the lines of a table as CSV does, that of its id apart.
func crlf(s string) string {
	id, rest, _ := strings.Cut(s, "\n")
	return id + "\n" + strings.ReplaceAll(rest, "\n", "\r\n")
}

var (
	hate    = engines.Label{Category: engines.Hate, Source: engines.SourceModel}
	insult  = engines.Label{Category: engines.Harassment, SubLabel: "insult", Source: engines.SourceLexicon}
	passing = outcome(engines.Pass)
)

func TestAnswers(t *testing.T) {
	p := open(t)
	yesterday := today.Add(-24 * time.Hour)
	p.at(yesterday, 10, "lobby", "ja", passing)
	p.at(yesterday, 2, "lobby", "ja", outcome(engines.Review, insult))
	p.at(today.Add(-time.Hour), 5, "lobby", "en", passing)
	p.at(today, 3, "arena", "ja", outcome(engines.Block, hate, insult))

	day := table.Query{Step: store.StatDay}
	p.want("volume", table.Query{}, `rows
verdicts,pass,review,block,deliver,hold,drop,mask,degraded,block_share,review_share
20,15,2,3,15,2,3,0,0,0.15,0.1
`)
	p.want("volume", day, `rows
at,verdicts,pass,review,block,deliver,hold,drop,mask,degraded,block_share,review_share
2126-03-01T00:00:00Z,12,10,2,0,10,2,0,0,0,0,0.166667
2126-03-02T00:00:00Z,8,5,0,3,5,0,3,0,0,0.375,0
`)
	compared := table.Query{From: today.Add(-12 * time.Hour), Compare: true, Where: map[string][]string{"language": {"ja"}}, To: today.Truncate(time.Hour).Add(time.Hour)}
	p.want("volume", compared, `rows
verdicts,pass,review,block,deliver,hold,drop,mask,degraded,block_share,review_share,previous_verdicts,change
3,0,0,3,0,0,3,0,0,1,0,12,-0.75
`)
	compared.From = compared.To.Add(-24 * time.Hour)
	p.want("languages", compared, `rows
language,verdicts,pass,review,block,deliver,hold,drop,mask,degraded,block_share,review_share,previous_verdicts,change
ja,3,0,0,3,0,0,3,0,0,1,0,12,-0.75
`)
	p.want("categories", table.Query{}, `rows
category,verdicts,labels,review,block,share
harassment,5,5,2,3,0.625
hate,3,3,0,3,0.375
`)
	p.want("categories", table.Query{By: []string{"sub_label"}, Where: map[string][]string{"suggestion": {"block"}}}, `rows
category,sub_label,labels,share
harassment,insult,3,0.5
hate,,3,0.5
`)
	p.want("scenes", table.Query{Top: 1}, `rows
scene,verdicts,pass,review,block,degraded,block_share,review_share,share
lobby,17,15,2,0,0,0,0.117647,0.85
other,3,0,0,3,0,1,0,0.15
`)
	p.want("scenes", table.Query{Top: 1, Step: store.StatDay, Compare: true}, `rows
at,scene,verdicts,pass,review,block,degraded,block_share,review_share,share,previous_verdicts,change
2126-03-01T00:00:00Z,lobby,12,10,2,0,0,0,0.166667,1,0,
2126-03-02T00:00:00Z,lobby,5,5,0,0,0,0,0,0.625,0,
2126-03-02T00:00:00Z,other,3,0,0,3,0,1,0,0.375,0,
`)
	p.want("volume", table.Query{Where: map[string][]string{"scene": {"arena"}}, Step: store.StatHour, From: today.Add(-time.Hour)}, `rows
at,verdicts,pass,review,block,degraded,block_share,review_share,share
2126-03-02T15:00:00Z,3,0,0,3,0,1,0,1
`)
	p.want("engines", table.Query{}, `rows
source,labels,share
lexicon,5,0.625
model,3,0.375
`)
	p.want("modes", table.Query{From: today}, `rows
mode,verdicts,pass,review,block,deliver,hold,drop,mask,degraded,block_share,review_share
real_time_block,3,0,0,3,0,0,3,0,0,1,0
`)
	p.want("latency", table.Query{}, `rows
kind,way,verdicts,mean_ms,p50_ms,p90_ms,p99_ms,within_20_ms,le_1,le_2,le_5,le_8,le_12,le_15,le_18,le_20,le_25,le_50,le_100,le_250,le_1000,over_1000
text,rest,20,3,3.5,4.7,4.97,1,0,0,20,0,0,0,0,0,0,0,0,0,0,0
`)
	p.want("trends", table.Query{From: today.Truncate(24 * time.Hour), To: today.Truncate(24 * time.Hour).Add(24 * time.Hour)}, `rows
category,verdicts,share,previous_verdicts,previous_share,change,direction
harassment,3,0.375,2,0.166667,1.25,steady
hate,3,0.375,0,0,,steady
`, `anomalies
category,began_at,last_at,found,verdicts,share,usual_share,ratio,chance,found_at
`)
	p.want("volume", table.Query{From: today.Add(-90 * 24 * time.Hour), To: today.Add(-80 * 24 * time.Hour)}, `rows
verdicts,pass,review,block,deliver,hold,drop,mask,degraded,block_share,review_share
0,0,0,0,0,0,0,0,0,,
`)
}

func TestFaults(t *testing.T) {
	p := open(t)
	for param, c := range map[string]struct {
		kind string
		q    table.Query
	}{
		"from":  {"volume", table.Query{From: today, To: today.Add(-time.Hour)}},
		"step":  {"volume", table.Query{From: today.Add(-32 * 24 * time.Hour), To: today, Step: store.StatHour}},
		"by":    {"languages", table.Query{From: today.Add(-time.Hour), To: today, By: []string{"language"}}},
		"scene": {"languages", table.Query{From: today.Add(-time.Hour), To: today, Where: map[string][]string{"scene": {"x"}}}},
		"kind":  {"accuracy", table.Query{From: today.Add(-time.Hour), To: today, Where: map[string][]string{"kind": {"x"}}}},
	} {
		_, err := p.service.Answer(t.Context(), c.kind, c.q)
		if fault, ok := errors.AsType[*table.Fault](err); !ok || fault.Param != param {
			t.Errorf("%s: %v, want a fault of %s", c.kind, err, param)
		}
	}
	_, err := p.service.Answer(t.Context(), "volume", table.Query{From: today.Add(-900 * 24 * time.Hour), To: today, Step: store.StatDay})
	if _, ok := errors.AsType[*table.Fault](err); !ok {
		t.Errorf("nine hundred days: %v", err)
	}
}

// closeCase makes a case of what was found and has it decided.
func (p *place) closeCase(id string, at time.Time, wait time.Duration, decision string, o engines.Outcome, rules ...string) {
	p.t.Helper()
	c := store.Case{ID: engines.CaseID(id), App: "game", Request: engines.RequestID("q" + id), State: store.CaseOpen, Version: 1, Created: at, Updated: at}
	d := store.Decision{Request: c.Request, App: "game", Kind: engines.KindText, Verdict: o.Verdict, Created: at}
	for _, r := range rules {
		d.Signals = append(d.Signals, engines.Signal{Category: engines.Hate, Rule: r})
	}
	p.must(p.db.PutDecision(p.t.Context(), d, &c, nil))
	if decision == "" {
		return
	}
	_, err := storetest.DecideCase(p.t.Context(), p.db, c.ID, 1, decision, "ann", "", at.Add(wait))
	p.must(err)
}

func TestAccuracyAndQueue(t *testing.T) {
	p := open(t)
	start := today.Add(-3 * time.Hour)
	for i := range 3 {
		p.closeCase(fmt.Sprint("r", i), start, time.Minute, rejected, outcome(engines.Review, hate), "slur")
	}
	p.must(p.service.Follow(t.Context()))
	p.closeCase("a0", start, 40*time.Minute, approved, outcome(engines.Review, insult), "slur", "rude")
	p.closeCase("a1", start, 2*time.Hour, approved, outcome(engines.Block, insult))
	p.closeCase("open", start.Add(time.Hour), 0, "", outcome(engines.Review, insult))
	p.at(start, 4, "lobby", "en", outcome(engines.Block, hate))
	for range 2 { // what was followed stays as it is
		p.must(p.service.Follow(t.Context()))
	}
	p.want("accuracy", table.Query{}, `summary
closed,rejected,approved,precision,overturn_rate,blocked_closed,blocked_overturned,blocked_overturn_rate,restrictions
5,3,2,0.6,0.4,1,1,1,4
`, `by_category
category,closed,rejected,approved,precision
hate,3,3,0,1
harassment,2,0,2,0
`, `by_label
label,closed,rejected,approved,precision
harassment/insult,2,0,2,0
`, `by_source
source,closed,rejected,approved,precision
model,3,3,0,1
lexicon,2,0,2,0
`, `by_rule
rule,closed,rejected,approved,precision
slur,4,3,1,0.75
rude,1,0,1,0
`)
	p.want("queue", table.Query{From: start, Step: store.StatHour}, `summary
open,oldest_at,oldest_seconds,opened,closed,approved,rejected,median_seconds,p90_seconds,closed_per_hour
1,2126-03-02T13:10:00Z,7200,6,5,2,3,55,5400,1.25
`, `by_state
state,cases,oldest_at
open,1,2126-03-02T13:10:00Z
`, `rows
at,closed,approved,rejected,median_seconds,p90_seconds
2126-03-02T12:00:00Z,4,1,3,50,2880
2126-03-02T14:00:00Z,1,1,0,5400,6840
`)
}

// Whoever looks once more is put beside it, and what a case was decided to be counts,
// whatever was found; what a person stated, and what that ended.
func TestLookedAtAgain(t *testing.T) {
	p := open(t)
	p.service.deps.Extra = p.db
	p.want("accuracy", table.Query{}, `summary
closed,rejected,approved,precision,overturn_rate,blocked_closed,blocked_overturned,blocked_overturn_rate,restrictions,appeals,appeal_rate,appeals_closed,appeals_granted,appeal_overturn_rate,appeal_median_seconds,blind_pairs,blind_agreement,undone,player_reports,reports_upheld
0,0,0,,,0,0,,0,0,,0,0,,,0,,0,0,0
`, `by_category
category,closed,rejected,approved,precision
`, `by_label
label,closed,rejected,approved,precision
`, `by_source
source,closed,rejected,approved,precision
`, `by_rule
rule,closed,rejected,approved,precision
`)
	removed := store.Statement{Ground: "terms", Category: "harassment", Visibility: "removed"}
	ended, theirs := removed, store.Statement{Ground: "illegal", Category: "illegal", Visibility: "removed"}
	ended.Ends = today
	nothing := store.Statement{Ground: "terms", Category: "harassment"}
	closed := func(decision string, category engines.Category, statements ...store.Statement) *store.ChangedCase {
		c := &store.ChangedCase{Case: store.Case{ID: "c", State: store.CaseClosed, Decision: decision, Category: category, Decided: today, Updated: today.Add(time.Hour)}}
		c.Opened.Verdict, c.Opened.Statements = outcome(engines.Block, insult).Verdict, statements
		return c
	}
	for name, test := range map[string]struct {
		c    *store.ChangedCase
		want string
	}{
		"another category":       {closed(rejected, engines.Hate), "category hate, stated terms/hate/removed/"},
		"none of its own":        {closed(rejected, ""), "category harassment, stated terms/harassment/removed/"},
		"right to let it stand":  {closed(approved, engines.Hate), "category harassment"},
		"a statement":            {closed(rejected, engines.Illegal, ended, theirs), "category illegal, ended terms/harassment/removed/, stated illegal/illegal/removed/"},
		"a statement of nothing": {closed(approved, "", ended, nothing), "category harassment, ended terms/harassment/removed/, stated terms/harassment//"},
		"one taken back":         {closed(approved, "", removed, ended), "category harassment"},
		"nothing had been done":  {closed(rejected, engines.Hate, func() store.Statement { s := nothing; s.Ends = today; return s }()), "category hate, stated terms/hate/removed/"},
	} {
		f := factOf(test.c)
		var marks []string
		for _, m := range f.Marks {
			if m.What == store.MarkCategory || m.What == store.MarkStated || m.What == store.MarkEnded {
				marks = append(marks, m.What+" "+m.Name)
			}
		}
		slices.Sort(marks)
		if got := strings.Join(marks, ", "); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if !f.Closed.Equal(today) {
			t.Errorf("%s: closed at %v, want when it was decided", name, f.Closed)
		}
	}
}

// Statements are counted by what they say.
func TestStatementsAreCounted(t *testing.T) {
	p := open(t)
	p.counter.stated = func(item *engines.Item, v engines.Verdict) (store.Statement, bool) {
		return store.Statement{
			Ground: store.GroundTerms, Category: "hate", ContentType: string(item.Kind), Source: store.SourceOwnInitiative, AutomatedDecision: store.AutomatedFully,
			Visibility: store.VisibilityRemoved,
		}, v.Suggestion != engines.Pass
	}
	p.at(today, 3, "lobby", "en", outcome(engines.Block, hate))
	p.at(today, 5, "lobby", "en", passing)
	p.at(today, 2, "lobby", "en", outcome(engines.Block, hate))
	hour := today.Truncate(time.Hour).UnixMilli()
	got, err := p.db.Stats(t.Context(), store.StatQuery{Cube: store.StatStatements, App: "game", From: hour, To: hour + hourMS, By: store.StatStatements.Shape().Dims})
	p.must(err)
	want := []store.StatSum{{Dims: []string{"terms", "hate", "text", "own_initiative", "fully", "removed", ""}, Counts: []int64{5}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
}

func TestEconomyFigures(t *testing.T) {
	p := open(t)
	entry := func(action economy.Action, amount int64, source string) economy.Entry {
		return economy.Entry{Log: economy.Currency, What: "gold", Action: action, Amount: amount, Source: source}
	}
	p.counter.Entries("game", []economy.Entry{
		entry(economy.Earn, 100, "quest"), entry(economy.Earn, 50, "quest"), entry(economy.Spend, 30, "=shop"),
		{Log: economy.Item, What: "ore", Action: economy.Acquire, Amount: 9},
		{Log: economy.Trade, Deal: &economy.Deal{Type: "mail", Money: economy.Money{Type: "gold", Amount: 7}}},
	})
	p.must(p.counter.Flush(t.Context()))
	_, err := p.db.PutBan(t.Context(), economy.Ban{App: "game", ID: "b", Player: "p", Type: economy.Permanent, By: "ann", Created: today.UnixMilli()})
	p.must(err)
	var facts []store.CaseFact
	for i, decision := range []string{approved, rejected} {
		facts = append(facts, store.CaseFact{App: "game", ID: engines.CaseID(strconv.Itoa(i)), Kind: "risk", Opened: today.Add(-time.Hour), Closed: today, Decision: decision})
	}
	p.must(p.db.PutCaseFacts(t.Context(), facts, 0))
	p.want("economy", table.Query{}, `rows
log,entries
currency,3
item,1
trade,1
`, `supply
currency,entries,in,out,net
gold,3,150,30,120
`, `flows
currency,action,source,entries,in,out,net
gold,earn,quest,2,150,0,150
gold,spend,'=shop,1,0,30,-30
`, `bans
type,by,bans,lifted
permanent,moderator,1,0
`, `cases
kind,closed,approved,rejected
risk,2,1,1
`)
}

// An attack is told of once, while it lasts, and again when another one comes.
func TestAnomalyIsToldOnce(t *testing.T) {
	p := open(t)
	hour := today.Truncate(time.Hour)
	for week := weeksBack; week > 0; week-- {
		for h := -2; h <= 12; h++ {
			at := hour.Add(-time.Duration(week)*7*24*time.Hour + time.Duration(h)*time.Hour)
			p.at(at, 200, "lobby", "en", passing)
			p.at(at, 2, "lobby", "en", outcome(engines.Block, hate))
			p.at(at, 20, "lobby", "en", outcome(engines.Review, insult))
		}
	}
	look := func(h int) {
		t.Helper()
		p.must(p.service.Look(t.Context(), hour.Add(time.Duration(h)*time.Hour).UnixMilli()))
	}
	look(0) // nothing was counted yet
	p.at(hour, 200, "lobby", "en", passing)
	p.at(hour, 25, "lobby", "en", outcome(engines.Review, insult))
	look(0)
	if len(p.told) != 0 {
		t.Fatalf("told %+v where all is as usual", p.told)
	}
	p.at(hour, 30, "lobby", "en", outcome(engines.Block, hate))
	for range 3 {
		look(0)
	}
	p.at(hour.Add(time.Hour), 100, "lobby", "en", passing)
	p.at(hour.Add(time.Hour), 40, "lobby", "en", outcome(engines.Block, hate))
	look(1)
	if len(p.told) != 1 || p.told[0].Category != "hate" || p.told[0].Found != 30 || p.told[0].Verdicts != 255 || p.told[0].Ratio < 3 {
		t.Fatalf("told %+v, want hate, once", p.told)
	}
	p.at(hour.Add(9*time.Hour), 100, "lobby", "en", passing)
	p.at(hour.Add(9*time.Hour), 40, "lobby", "en", outcome(engines.Block, hate))
	look(9)
	if len(p.told) != 2 {
		t.Errorf("told %d times, want another one eight hours later", len(p.told))
	}
	p.now = hour.Add(10 * time.Hour)
	got := p.ask("trends", table.Query{From: hour})[1]
	if strings.Count(got, "\n") != 4 { // the id, the columns, and both
		t.Errorf("anomalies:\n%s", got)
	}
}

// busyStore answers nothing until it is let.
type busyStore struct {
	Store
	asked chan struct{}
	let   chan struct{}
}

func (b *busyStore) Stats(ctx context.Context, _ store.StatQuery) ([]store.StatSum, error) {
	b.asked <- struct{}{}
	select {
	case <-b.let:
		return nil, nil
	case <-ctx.Done():
		return nil, engines.ErrUnavailable
	}
}

// However many ask, the store is asked little at once, and nobody waits for ever.
func TestQuestionsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &busyStore{asked: make(chan struct{}, 100), let: make(chan struct{})}
		s := New(Deps{Store: b})
		ends := make(chan error, 10)
		for range cap(ends) {
			go func() {
				_, err := s.Answer(t.Context(), "volume", table.Query{From: today.Add(-time.Hour), To: today})
				ends <- err
			}()
		}
		synctest.Wait()
		if n := len(b.asked); n != answersAtOnce {
			t.Errorf("the store is asked %d things at once, want %d", n, answersAtOnce)
		}
		began := time.Now()
		for range cap(ends) {
			if err := <-ends; !errors.Is(err, engines.ErrUnavailable) {
				t.Errorf("error %v, want not available", err)
			}
		}
		if took := time.Since(began); took != answerWithin {
			t.Errorf("they waited %v, want %v", took, answerWithin)
		}
	})
}
