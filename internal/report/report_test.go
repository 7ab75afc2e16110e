package report

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/stats"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	"github.com/portcullis-gg/portcullis/internal/table"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// place is a store and a clock that the test moves, far ahead: the store sweeps what
// is old by its own.
type place struct {
	t   *testing.T
	db  *sqlstore.Store
	now time.Time
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
	return &place{t: t, db: db, now: time.Date(2126, 3, 2, 15, 10, 0, 0, time.UTC)}
}

func (p *place) clock() time.Time { return p.now }

// service is a gateway's.
func (p *place) service() *Service {
	log := slog.New(slog.DiscardHandler)
	figures := stats.New(stats.Deps{Store: p.db, Log: log, Now: p.clock})
	return New(Deps{Store: p.db, Figures: figures, Counts: p.db, Median: stats.WaitQuantile, Log: log, Now: p.clock})
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// fill counts a day's worth, with cases that were decided.
func (p *place) fill(at time.Time, scene string) {
	p.t.Helper()
	was := p.now
	p.now = at
	c := stats.NewCounter(p.db, review.Stated, slog.New(slog.DiscardHandler), p.clock)
	count := func(n int, s engines.Suggestion, a engines.Action, labels ...engines.Label) {
		for range n {
			c.Observed(&engines.Item{App: "game", Kind: engines.KindText, Scene: engines.SceneID(scene), Language: "ja"}, engines.Outcome{
				Took: 3 * time.Millisecond, Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: s, Labels: labels}, Action: a, Mode: engines.RealTimeBlock},
			}, "stream")
		}
	}
	hate := engines.Label{Category: engines.Hate, Source: engines.SourceModel}
	drugs := engines.Label{Category: engines.Illegal, SubLabel: "drugs", Source: engines.SourceLexicon}
	rude := engines.Label{Category: engines.Harassment, SubLabel: "profanity", Source: engines.SourceLexicon}
	extreme := engines.Label{Category: engines.Violence, SubLabel: "extremism", Source: engines.SourceRule}
	count(80, engines.Pass, engines.Deliver)
	count(6, engines.Block, engines.Drop, hate)
	count(3, engines.Block, engines.Drop, drugs, hate)
	count(1, engines.Block, engines.Drop, extreme, hate)
	count(5, engines.Review, engines.Mask, rude)
	count(5, engines.Review, engines.Hold, rude)
	c.Entries("game", []economy.Entry{{Log: economy.Currency, What: "gold", Action: economy.Earn, Amount: 5, Source: "<script>alert(1)</script>"}})
	p.must(c.Flush(p.t.Context()))
	p.now = was
	var facts []store.CaseFact
	stated := map[string]string{"reject": "terms/harassment/removed/", "approve": "terms/harassment//"}
	for i, decision := range []string{"reject", "reject", "approve"} {
		facts = append(facts, store.CaseFact{
			App: "game", ID: engines.CaseID(fmt.Sprint(at.Unix(), i)), Opened: at, Closed: at.Add(5 * time.Minute), Mode: engines.RealTimeBlock, Suggestion: engines.Review,
			Action: engines.Hold, Decision: decision, By: "ann", Marks: []store.CaseMark{{What: store.MarkCategory, Name: "harassment"}, {What: store.MarkRule, Name: "r<1>"}, {What: store.MarkStated, Name: stated[decision]}},
		})
	}
	// What the policy dropped, a person has looked at since: one was right, of the other
	// the person saw something else.
	facts = append(facts, store.CaseFact{
		App: "game", ID: engines.CaseID(fmt.Sprint(at.Unix(), "d")), Opened: at, Closed: at.Add(time.Minute), Suggestion: engines.Block, Action: engines.Drop, Decision: "approve",
		Marks: []store.CaseMark{{What: store.MarkStated, Name: "terms/hate//"}, {What: store.MarkEnded, Name: "terms/hate/removed/"}},
	}, store.CaseFact{
		App: "game", ID: engines.CaseID(fmt.Sprint(at.Unix(), "e")), Opened: at, Closed: at.Add(time.Minute), Suggestion: engines.Block, Action: engines.Drop, Decision: "reject",
		Marks: []store.CaseMark{{What: store.MarkStated, Name: "illegal/illegal/removed/"}, {What: store.MarkEnded, Name: "terms/hate/removed/"}},
	})
	for _, kind := range []string{"risk", "appeal"} { // which are not content's
		facts = append(facts, store.CaseFact{App: "game", ID: engines.CaseID(kind + strconv.FormatInt(at.Unix(), 10)), Kind: kind, Opened: at, Closed: at.Add(time.Hour), Decision: "reject"})
	}
	p.must(p.db.PutCaseFacts(p.t.Context(), facts, 1))
	day := strconv.FormatInt(at.Unix(), 10)
	for _, one := range []store.Penalty{{ID: "w" + day, Kind: store.PenaltyWarn}, {ID: "m" + day, Kind: store.PenaltyMuteText, By: "ladder"}, {ID: "b" + day, Kind: store.PenaltyBan, By: "app/game"}} {
		one.App, one.Player, one.Reason, one.Created = "game", engines.PlayerID("p"+one.ID), "x", at.UnixMilli()
		_, _, err := p.db.PutPenalty(p.t.Context(), one)
		p.must(err)
	}
	p.must(p.db.OpenAppeal(p.t.Context(), store.Appeal{ID: "a" + day, App: "game", Player: "p", Case: engines.CaseID("ca" + day), Against: "x", Penalty: day, State: store.AppealOpen, Created: at},
		store.Case{ID: engines.CaseID("ca" + day), App: "game", Request: engines.RequestID("a" + day), Kind: store.CaseOfAppeal, State: store.CaseOpen, Version: 1, Created: at, Updated: at},
		store.Audit{TS: at, Actor: "app/game", Action: "appeal.open", Object: "appeal", Detail: "{}"}))
	_, err := p.db.FileReport(p.t.Context(), store.Report{ID: "r" + day, App: "game", Reporter: "q", Player: "p", Message: engines.RequestID("m" + day), Reason: "spam", Created: at},
		store.Case{ID: engines.CaseID("cr" + day), App: "game", Request: engines.RequestID("cr" + day), Subject: engines.RequestID("m" + day), Kind: store.CaseOfReports, Group: "g" + day, State: store.CaseOpen, Version: 1, Created: at, Updated: at},
		func(*store.Case) {})
	p.must(err)
	_, err = p.db.PutBan(p.t.Context(), economy.Ban{App: "game", ID: strconv.FormatInt(at.Unix(), 10), Player: "p", Type: economy.Temporary, By: "ann", Created: at.UnixMilli()})
	p.must(err)
}

func (r *Report) sectionOf(t *testing.T, id string) string {
	t.Helper()
	for i := range r.Sections {
		if r.Sections[i].ID == id {
			return strings.ReplaceAll(string(r.Sections[i].AppendCSV(nil)), "\r", "")
		}
	}
	t.Fatalf("no section %s in %s", id, r.Kind)
	return ""
}

func TestTransparency(t *testing.T) {
	p := open(t)
	p.fill(p.now.Add(-5*time.Hour), "lobby")
	r, err := p.service().Make(t.Context(), "game", Transparency, "UTC", p.now.Add(-24*time.Hour), p.now)
	p.must(err)
	for id, want := range map[string]string{
		"restrictions": `verdicts,removed,masked,ended_by_people,removed_by_people,restrictions,automated_share,people_decided,median_seconds
100,10,5,2,3,16,0.8125,5,150
`,
		"restrictions_by_ground": `ground,removed,masked,ended_by_people,removed_by_people,restrictions
illegal,4,0,0,1,5
terms,6,5,2,2,11
`,
		"restrictions_by_category": `category,ground,removed,masked,ended_by_people,removed_by_people,restrictions,automated_share
harassment,terms,0,5,0,2,7,0.714286
hate,terms,6,0,2,0,4,1
illegal,illegal,3,0,0,1,4,0.75
violence,illegal,1,0,0,0,1,1
`,
		"restrictions_by_visibility": `visibility,by_machines,ended_by_people,by_people
removed,10,2,3
masked,5,0,0
disabled,5,0,0
`,
		"decisions_by_automation": `automated_decision,decisions
fully,20
partially,0
not,3
`,
		"complaints": `appeals,appeals_closed,appeals_granted,appeal_overturn_rate,appeal_median_seconds,player_reports,reports_upheld
1,0,0,,,1,0
`,
		"automated_time": `kind,verdicts,p50_ms,p99_ms
text,100,3.5,4.97
`,
		"account_restrictions": `penalty,by,given,lifted
mute_text,ladder,1,0
suspend,moderator,1,0
ban,app,1,0
`,
		"languages": `language,verdicts,review,block,drop,mask
ja,100,10,10,10,5
`,
	} {
		if diff := cmp.Diff(want, r.sectionOf(t, id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// Days are those of the zone.
func TestDaysOfTheZone(t *testing.T) {
	p := open(t)
	p.fill(time.Date(2126, 3, 1, 14, 30, 0, 0, time.UTC), "lobby") // 23:30 in Tokyo
	p.fill(time.Date(2126, 3, 1, 15, 30, 0, 0, time.UTC), "lobby") // 0:30 of the next day
	r, err := p.service().Make(t.Context(), "game", Operations, "Asia/Tokyo", time.Date(2126, 2, 28, 15, 0, 0, 0, time.UTC), p.now)
	p.must(err)
	want := "day,verdicts,pass,review,block,degraded\n2126-03-01,100,80,10,10,0\n2126-03-02,100,80,10,10,0\n"
	if diff := cmp.Diff(want, r.sectionOf(t, "days")); diff != "" {
		t.Errorf("days (-want +got):\n%s", diff)
	}
}

func TestMakeRefuses(t *testing.T) {
	p := open(t)
	for param, c := range map[string][2]string{"time_zone": {Operations, "Mars/Base"}, "kind": {"weather", "UTC"}} {
		_, err := p.service().Make(t.Context(), "game", c[0], c[1], p.now.Add(-time.Hour), p.now)
		var fault *table.Fault
		if !errors.As(err, &fault) || fault.Param != param {
			t.Errorf("Make(%v) = %v, want a fault of %s", c, err, param)
		}
	}
	if _, err := Zone("Local"); err == nil {
		t.Error("the machine's zone is taken")
	}
}

// The page is whole, needs nothing beside it, and takes no name for markup.
func TestPage(t *testing.T) {
	p := open(t)
	for day := range 7 {
		p.fill(p.now.Add(-time.Duration(day*24+1)*time.Hour), `<b onclick="x">&`)
	}
	for _, kind := range Kinds {
		r, err := p.service().Make(t.Context(), "game", kind, "Asia/Tokyo", p.now.Add(-7*24*time.Hour), p.now)
		p.must(err)
		for _, language := range Languages {
			html, err := r.HTML(language)
			p.must(err)
			text := string(html)
			for _, bad := range []string{"<b onclick", "<script", "http:", "https:", "src=", "href=", "style=", "ZgotmplZ", "@import", "url("} {
				if strings.Contains(text, bad) {
					t.Errorf("%s in %s has %q", kind, language, bad)
				}
			}
			for _, tag := range []string{"section", "table", "dl", "svg", "tr", "td", "div"} {
				if a, b := strings.Count(text, "<"+tag+">")+strings.Count(text, "<"+tag+" "), strings.Count(text, "</"+tag+">"); a != b {
					t.Errorf("%s in %s opens %d <%s> and closes %d", kind, language, a, tag, b)
				}
			}
			style := text[strings.Index(text, "<style>")+len("<style>") : strings.Index(text, "</style>")]
			sum := sha256.Sum256([]byte(style))
			if !strings.Contains(PageCSP, base64.StdEncoding.EncodeToString(sum[:])) {
				t.Errorf("the policy does not allow the page's style")
			}
			if !strings.Contains(text, words["title."+kind][slices.Index(Languages, language)]) {
				t.Errorf("%s in %s has no title", kind, language)
			}
		}
	}
}

// Whatever a report has a heading for is said in every language, by words that differ
// where they should.
func TestWords(t *testing.T) {
	p := open(t)
	p.fill(p.now.Add(-25*time.Hour), "lobby")
	p.fill(p.now.Add(-time.Hour), "lobby")
	for _, kind := range Kinds {
		r, err := p.service().Make(t.Context(), "game", kind, "UTC", p.now.Add(-48*time.Hour), p.now)
		p.must(err)
		for _, s := range r.Sections {
			want := []string{s.ID}
			for _, c := range s.Columns {
				if !hidden(c) {
					want = append(want, c)
				}
			}
			for _, id := range want {
				if _, ok := words[id]; !ok {
					t.Errorf("%s: section %s: no word for %q", kind, s.ID, id)
				}
			}
		}
	}
	for _, c := range engines.TextCategories {
		if _, ok := words[string(c)]; !ok {
			t.Errorf("no word for category %s", c)
		}
	}
	for _, m := range engines.Modes {
		if _, ok := words[string(m)]; !ok {
			t.Errorf("no word for mode %s", m)
		}
	}
	kana, hangul, han := regexp.MustCompile(`[\p{Hiragana}\p{Katakana}\p{Han}]`), regexp.MustCompile(`\p{Hangul}`), regexp.MustCompile(`\p{Han}`)
	for id, w := range words {
		for i, s := range w {
			if strings.TrimSpace(s) != s || s == "" {
				t.Errorf("%s in %s: %q", id, Languages[i], s)
			}
		}
		if strings.HasPrefix(id, "p50") || strings.HasPrefix(id, "p90_ms") || strings.HasPrefix(id, "p99") {
			continue // the same everywhere
		}
		if kana.MatchString(w[0]) || !kana.MatchString(w[1]) || !han.MatchString(w[2]) || !hangul.MatchString(w[3]) {
			t.Errorf("%s is not in its languages: %q", id, w)
		}
	}
}

func TestPeriods(t *testing.T) {
	at := func(zone, s string) time.Time {
		t.Helper()
		place, err := Zone(zone)
		if err != nil {
			t.Fatal(err)
		}
		local, err := time.ParseInLocation("2006-01-02 15:04", s, place)
		if err != nil {
			t.Fatal(err)
		}
		return local
	}
	for _, c := range []struct{ period, zone, at, begin, end string }{
		{Day, "UTC", "2026-03-02 15:10", "2026-03-02 00:00", "2026-03-03 00:00"},
		{Day, "UTC", "2026-03-02 00:00", "2026-03-02 00:00", "2026-03-03 00:00"},
		{Day, "Asia/Tokyo", "2026-01-01 08:00", "2026-01-01 00:00", "2026-01-02 00:00"},
		{Week, "UTC", "2026-03-01 23:59", "2026-02-23 00:00", "2026-03-02 00:00"}, // a Sunday
		{Week, "UTC", "2026-03-02 00:00", "2026-03-02 00:00", "2026-03-09 00:00"},
		{Month, "UTC", "2026-12-31 12:00", "2026-12-01 00:00", "2027-01-01 00:00"},
		{Month, "America/New_York", "2026-02-28 23:00", "2026-02-01 00:00", "2026-03-01 00:00"},
		{Day, "America/New_York", "2026-03-08 12:00", "2026-03-08 00:00", "2026-03-09 00:00"}, // 23 hours
		{Day, "America/New_York", "2026-11-01 12:00", "2026-11-01 00:00", "2026-11-02 00:00"}, // 25 hours
		{Day, "Asia/Kolkata", "2026-03-08 03:00", "2026-03-08 00:00", "2026-03-09 00:00"},
	} {
		zone, _ := Zone(c.zone)
		when := at(c.zone, c.at)
		if got := Begin(c.period, when, zone); !got.Equal(at(c.zone, c.begin)) {
			t.Errorf("%s in %s of %s begins %v, want %s", c.period, c.zone, c.at, got.In(zone), c.begin)
		}
		if got := End(c.period, when, zone); !got.Equal(at(c.zone, c.end)) {
			t.Errorf("%s in %s of %s ends %v, want %s", c.period, c.zone, c.at, got.In(zone), c.end)
		}
	}
	// One period ends where the next one begins, all year round.
	for _, name := range []string{"UTC", "Asia/Tokyo", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Cairo"} {
		zone, err := Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, period := range Periods {
			for when := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); when.Year() < 2027; {
				end := End(period, when, zone)
				if !end.After(when) || !Begin(period, end, zone).Equal(end) || !Begin(period, end.Add(-time.Second), zone).Equal(Begin(period, when, zone)) {
					t.Fatalf("%s in %s from %v: ends %v, which is in %v", period, name, when, end, Begin(period, end, zone))
				}
				when = end
			}
		}
	}
}

// Each period has its report, once, whatever runs and does not run meanwhile.
func TestTurns(t *testing.T) {
	p := open(t)
	one, two := p.service(), p.service()
	_, err := one.Schedule(t.Context(), "game", []store.ReportSchedule{{Kind: Operations, Period: Day, Zone: "Asia/Kolkata"}, {Kind: Transparency, Period: Month, Zone: "UTC"}}, "ann")
	p.must(err)
	turns := func() {
		t.Helper()
		errs := make(chan error, 2)
		for _, s := range []*Service{one, two} {
			go func() { errs <- s.Turns(t.Context()) }()
		}
		for range 2 {
			p.must(<-errs)
		}
	}
	runs := func(kind string) (list []store.ReportRun) {
		t.Helper()
		list, err := one.Reports(t.Context(), "game", kind, economy.Mark{}, 500)
		p.must(err)
		slices.Reverse(list)
		return list
	}
	turns()
	if list := runs(""); len(list) != 0 {
		t.Errorf("%d reports before any period has ended", len(list))
	}
	p.fill(p.now, "lobby")
	p.now = time.Date(2126, 3, 2, 18, 31, 0, 0, time.UTC) // midnight in Kolkata is 18:30; counts are not yet written
	turns()
	if list := runs(""); len(list) != 0 {
		t.Errorf("%d reports in the minute in which the day ended", len(list))
	}
	p.now = p.now.Add(2 * time.Minute)
	turns()
	turns()
	p.now = p.now.Add(5 * 24 * time.Hour) // nothing ran for days
	turns()
	list := runs(Operations)
	if len(list) != 6 {
		t.Fatalf("%d reports, want one for each of six days: %+v", len(list), list)
	}
	for i := range list {
		if from := list[i].From; i > 0 && !from.Equal(list[i-1].To) || list[i].To.Sub(from) != 24*time.Hour {
			t.Errorf("report %d is of %v to %v, after %v", i, from, list[i].To, list[max(i-1, 0)].To)
		}
	}
	r, err := two.Report(t.Context(), "game", list[0].ID)
	p.must(err)
	if got := strings.Split(r.sectionOf(t, "volume"), "\n")[1]; !strings.HasPrefix(got, "100,80,10,10,") {
		t.Errorf("the first day's volume: %s", got)
	}
	p.now = time.Date(2126, 10, 1, 12, 0, 0, 0, time.UTC) // half a year later
	turns()
	days, months := runs(Operations), runs(Transparency)
	if got := days[len(days)-1].To; !got.Equal(time.Date(2126, 9, 30, 18, 0, 0, 0, time.UTC)) {
		t.Errorf("the newest day ends %v", got)
	}
	if first := days[6].To; p.now.Sub(first) > catchUp {
		t.Errorf("a day is told of %v later", p.now.Sub(first))
	}
	if got := months[len(months)-1]; !got.To.Equal(time.Date(2126, 10, 1, 0, 0, 0, 0, time.UTC)) || !got.From.Equal(time.Date(2126, 9, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("the newest month is %v to %v", got.From, got.To)
	}
}

// One app's report that cannot be made keeps none of the others back.
func TestTurnThatFails(t *testing.T) {
	p := open(t)
	s := p.service()
	for _, app := range []engines.AppID{"a", "game"} {
		_, err := s.Schedule(t.Context(), app, []store.ReportSchedule{{Kind: Operations, Period: Day, Zone: "UTC"}}, "ann")
		p.must(err)
	}
	p.now = p.now.Add(24 * time.Hour)
	whole := s.deps.Figures
	s.deps.Figures = figuresFunc(func(ctx context.Context, kind string, q table.Query) (*table.Answer, error) {
		if q.App == "a" {
			return nil, errors.New("no figures")
		}
		return whole.Answer(ctx, kind, q)
	})
	if err := s.Turns(t.Context()); err == nil || !strings.Contains(err.Error(), "no figures") {
		t.Errorf("Turns() = %v", err)
	}
	list, err := s.Reports(t.Context(), "game", "", economy.Mark{}, 10)
	p.must(err)
	if len(list) != 1 {
		t.Errorf("%d reports of the other app, want 1", len(list))
	}
}

type figuresFunc func(context.Context, string, table.Query) (*table.Answer, error)

func (f figuresFunc) Answer(ctx context.Context, kind string, q table.Query) (*table.Answer, error) {
	return f(ctx, kind, q)
}

// What is stored is read as it was; what is not of ours is refused.
func TestStoredForm(t *testing.T) {
	r := &Report{Sections: []table.Table{{ID: "a", Single: true, Columns: []string{"t", "n", "x", "at", "none"}, Rows: [][]table.Value{{
		table.Text("=\"\x00日本"), table.Int(-5), table.Real(1e-300), table.At(1_700_000_000_123), {},
	}}}, {ID: "b", Columns: []string{"c"}}}}
	body, err := r.body()
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(&store.ReportRun{Body: body})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Sections, got.Sections); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []string{"", "{}", `[{"Columns":["a"],"Rows":[["i"]]}]`, `[{"Columns":["a"],"Rows":[["x1"]]}]`, `[{"Columns":["a"],"Rows":[["i1","i2"]]}]`} {
		if _, err := read(&store.ReportRun{Body: []byte(bad)}); !errors.Is(err, ErrUnreadable) {
			t.Errorf("read(%q) = %v, want ErrUnreadable", bad, err)
		}
	}
}

func TestReportAsCSV(t *testing.T) {
	p := open(t)
	p.fill(p.now.Add(-time.Hour), "=cmd")
	r, err := p.service().Make(t.Context(), "game", Operations, "UTC", p.now.Add(-24*time.Hour), p.now)
	p.must(err)
	for part := range strings.SplitSeq(string(r.AppendCSV(nil)), "\r\n\r\n") {
		id, rest, _ := strings.Cut(part, "\r\n")
		rows, err := csv.NewReader(strings.NewReader(rest)).ReadAll()
		if err != nil || len(rows) == 0 {
			t.Errorf("section %q: %v", id, err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if strings.HasPrefix(cell, "=") {
					t.Errorf("section %q has a formula: %q", id, cell)
				}
			}
		}
	}
}
