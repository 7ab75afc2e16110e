package store

import (
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Spans of statistics; both begin in UTC.
const (
	StatHour = time.Hour
	StatDay  = 24 * time.Hour
)

// How long counts are kept by hour and by day.
const (
	StatHoursKept = 62 * StatDay
	StatDaysKept  = 750 * StatDay
)

// StatBounds are the upper bounds of the latency buckets in ms; what took longer is
// in one more bucket.
var StatBounds = [...]int64{1, 2, 5, 8, 12, 15, 18, 20, 25, 50, 100, 250, 1000}

// StatBuckets is how many latency buckets there are.
const StatBuckets = len(StatBounds) + 1

// StatOther is the name of what does not stand by its own.
const StatOther = "other"

// StatCube is one set of counts.
type StatCube uint8

// The cubes.
const (
	StatVerdicts   StatCube = iota // one count for each verdict
	StatLabels                     // one for each label that was found
	StatScenes                     // verdicts by scene
	StatEconomy                    // entries of the economy's logs
	StatStatements                 // statements of reasons that machines made
	statCubes
)

// StatCubes lists the cubes.
func StatCubes() []StatCube {
	return []StatCube{StatVerdicts, StatLabels, StatScenes, StatEconomy, StatStatements}
}

// StatShape is what a cube counts by, and what it counts.
type StatShape struct {
	Table    string
	Dims     []string
	Measures []string
	// Narrow are dims of which days are kept a second time, summed up over the other
	// dims: what asks for no others reads so many rows less. Each is written together
	// with its day.
	Narrow [][]string
}

var statShapes = [statCubes]StatShape{
	StatVerdicts: {
		"stat_verdict",
		[]string{"kind", "way", "mode", "language", "region", "segment", "suggestion", "action", "degraded"},
		[]string{"n", "took_us", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11", "t12", "t13"},
		nil,
	},
	StatLabels: {
		"stat_label",
		[]string{"category", "sub_label", "source", "kind", "mode", "language", "region", "segment", "suggestion", "action"},
		[]string{"n", "verdicts"},
		// What was found and where, and in whose content: a day of all dims has thousands of
		// rows, of either of these some hundred.
		[][]string{{"category", "source", "kind", "mode", "suggestion"}, {"category", "language", "region", "segment", "suggestion"}},
	},
	StatScenes:  {"stat_scene", []string{"scene", "kind", "mode"}, []string{"n", "review", "block", "degraded"}, nil},
	StatEconomy: {"stat_economy", []string{"log", "what", "action", "source"}, []string{"n", "amount_in", "amount_out"}, nil},
	StatStatements: {
		"stat_statement",
		[]string{"ground", "category", "content_type", "source", "automated", "visibility", "account"},
		[]string{"n"},
		nil,
	},
}

// Shape returns a cube's shape, which nobody may write to.
func (c StatCube) Shape() *StatShape { return &statShapes[c] }

// StatCount is what a gateway adds to the counts of one hour and of its day. Its
// fields of text and numbers are in the order of the cube's shape.
type StatCount struct {
	Cube   StatCube
	App    engines.AppID
	Hour   int64 // beginning of the hour, epoch ms
	Dims   []string
	Counts []int64
	// OnlyHour and OnlyDay leave the other one out: what stands by its name in an
	// hour may be among "other" in its day.
	OnlyHour, OnlyDay bool
}

// StatQuery asks for the sums of a cube over [From, To), whole hours, epoch ms.
type StatQuery struct {
	Cube     StatCube
	App      engines.AppID
	From, To int64
	// Step is StatHour, StatDay (From and To are of whole days then), or 0 for one
	// sum over all of it.
	Step time.Duration
	By   []string // dims of the cube
	// Measures are those to sum up; nil is all. Each costs.
	Measures []string
	// Keep names the values of a dim of By that stand by their name; all others are
	// summed up under StatOther. nil keeps all.
	Keep map[string][]string
	// Where names the values that a dim may have.
	Where map[string][]string
}

// StatSum is a row of the answer, in the order of time.
type StatSum struct {
	At     int64    // 0 where Step is
	Dims   []string // as By
	Counts []int64  // as Measures
}

// CaseArea is what statistics count a kind of case among.
type CaseArea uint8

// The areas.
const (
	AreaContent CaseArea = iota // what engines found, or players report
	AreaEconomy                 // what the economy found
	AreaAgain                   // somebody looks at a decision again: appeals, disputes
)

// AreaOf is a kind's area.
func AreaOf(kind string) CaseArea {
	switch kind {
	case string(economy.HighRisk), string(economy.BanEvasion):
		return AreaEconomy
	case "", "report":
		return AreaContent
	}
	return AreaAgain
}

// CaseMark is one thing that a closed case was about.
type CaseMark struct{ What, Name string }

// What a CaseMark names.
const (
	MarkCategory = "category"
	MarkLabel    = "label" // category/sub_label
	MarkSource   = "source"
	MarkRule     = "rule"
	// MarkStated is what the person's statement of reasons says that holds, MarkEnded
	// what the machine's said that a person has ended; see StatedName.
	MarkStated = "stated"
	MarkEnded  = "ended"
)

// StatedName is a statement as a mark of a case has it.
func StatedName(s *Statement) string {
	return strings.Join([]string{s.Ground, s.Category, s.Visibility, s.Account}, "/")
}

// ReadStated is what such a mark tells of a statement.
func ReadStated(name string) (s Statement) {
	if part := strings.Split(name, "/"); len(part) == 4 {
		s.Ground, s.Category, s.Visibility, s.Account = part[0], part[1], part[2], part[3]
	}
	return s
}

// ChangedCase is a case that was changed lately, with the decision that opened it
// (the zero one where it is past its retention).
type ChangedCase struct {
	Case
	Opened Decision
}

// CaseFact is what statistics keep of a case: Closed is zero of one that is open (again).
type CaseFact struct {
	App        engines.AppID
	ID         engines.CaseID
	Opened     time.Time
	Closed     time.Time
	Kind       string
	Mode       engines.Mode
	Suggestion engines.Suggestion // of the engines
	Action     engines.Action
	Decision   string
	By         string
	Marks      []CaseMark
}

// CaseTally counts closed cases that are alike.
type CaseTally struct {
	At         int64 // beginning of the hour or day in which they were closed; 0: of all
	Kind       string
	Mode       string
	Suggestion string
	Action     string
	Decision   string
	N          int64
	// Waits counts them by how long they had waited, see WaitBounds.
	Waits [WaitBuckets]int64
}

// WaitBounds are the upper bounds of the buckets of a case's wait.
var WaitBounds = [...]time.Duration{
	10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute, time.Hour,
	2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour,
}

// WaitBuckets is how many there are.
const WaitBuckets = len(WaitBounds) + 1

// MarkTally counts closed cases by what they were about.
type MarkTally struct {
	CaseMark
	Decision string
	N        int64
}

// Waiting counts the cases that wait, by state.
type Waiting struct {
	State  string
	N      int64
	Oldest time.Time
}

// Again is what became of decisions when somebody looked once more.
type Again struct {
	Opened, Closed, Granted int64              // appeals by players; the last two by when they were decided
	Waits                   [WaitBuckets]int64 // how long those closed had waited
	Pairs, Agreed           int64              // blind second looks, and those that said the same
	Undone                  int64              // decisions that were taken back or turned round, and stand so
	Reports, Upheld         int64              // by players, and those of which a person has said so since
}

// AccountTally counts what was taken from players' accounts, by kind (a PenaltyKind, or
// a type of ban that is none) and by whom: "ladder", "app" or "moderator".
type AccountTally struct {
	Kind, By string
	N        int64
	Lifted   int64 // of these
}

// BatchTally is what batches that began in a period had to do and did.
type BatchTally struct {
	Batches, Lines, Passed, Reviewed, Blocked, Errors int64
}

// BanTally counts bans that were made, by type and by whom: "app" or "moderator".
type BanTally struct {
	Type, By string
	N        int64
	Lifted   int64 // of these
}

// Anomaly is a category that was found far more often than usual.
type Anomaly struct {
	App      engines.AppID
	Category string
	Began    int64 // beginning of its first hour, epoch ms
	Last     int64 // beginning of the newest hour in which it was seen
	// Found of Verdicts had the category in that hour, a Share that is Ratio times the
	// Usual one; P is how likely that is by chance.
	Found, Verdicts     int64
	Share, Usual, Ratio float64
	P                   float64
	Seen                time.Time // when it was found out
}

// ReportRun is a report as it was when it was made.
type ReportRun struct {
	App      engines.AppID
	ID       string
	Kind     string
	Period   string // day, week, month, or "" for one that was asked for
	Zone     string
	From, To time.Time
	Body     []byte
	By       string
	Created  time.Time
}

// ReportSchedule has a report made each period.
type ReportSchedule struct {
	App     engines.AppID
	Kind    string
	Period  string
	Zone    string // of the IANA database
	Next    time.Time
	By      string
	Changed time.Time
}
