package wire

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	reasonBytes = 2000
	policyBytes = 200
	// NoVersion is the version of a request that names none.
	NoVersion = -1
)

// CaseMove is what a moderator asks of a case.
type CaseMove struct {
	Version int // NoVersion when absent
	Reason  string
	To      string
	Until   time.Time
	Queue   string
	Reopen  bool
}

// ReadCaseMove reads the body of a move; need names the members that must be there.
func ReadCaseMove(o *Object, need ...string) (CaseMove, error) {
	for _, name := range need {
		if s, ok := o.Text(name); !o.Has(name) || ok && s == "" {
			o.Fault(name, "is required")
		}
	}
	m := CaseMove{
		Version: o.version(false), Reason: o.atMost("reason", reasonBytes), To: o.ID("to", false), Queue: o.ID("queue", false), Reopen: o.Bool("reopen"),
	}
	_ = o.oneOf("role", []string{"senior", "admin"}) // both have the seniors' queue, which is where no queue is named
	if s, ok := o.Text("until"); ok && s != "" {
		var err error
		if m.Until, err = time.Parse(time.RFC3339, s); err != nil {
			o.Fault("until", "must be an ISO 8601 time")
		}
	}
	return m, o.Err()
}

func (o *Object) version(required bool) int {
	if !o.Has("version") {
		if required {
			o.Fault("version", "is required")
		}
		return NoVersion
	}
	n, _ := o.Int("version", 0, math.MaxInt32)
	return int(n)
}

// Decision is what a moderator decides of a case.
type Decision struct {
	Approve   bool
	Version   int
	Reason    string
	Category  engines.Category
	SubLabel  string
	Severity  int
	Policy    string
	Note      string
	Statement string // to the player, of an appeal
}

// ReadDecision reads the body of POST /cases/{id}/decide. Every decision says the rule
// that it rests on and its reason: a statement of reasons is made of them. The category
// of a rejection may be left out where it is the case's. An appeal is upheld or denied by
// these words too.
func ReadDecision(o *Object) (Decision, error) {
	var d Decision
	switch word := o.Require("decision"); word {
	case "approve", "uphold":
		d.Approve = true
	case "reject", "deny":
	default:
		if o.Has("decision") {
			o.Fault("decision", "must be approve or reject")
		}
	}
	d.Version = max(o.version(true), 0)
	d.Policy, d.Reason = o.needed("policy", policyBytes), o.needed("reason", reasonBytes)
	d.Category, d.SubLabel = engines.Category(o.ID("category", false)), o.ID("sub_label", false)
	severity, _ := o.Int("severity", 1, 4)
	d.Severity = int(severity)
	d.Note, d.Statement = o.atMost("note", reasonBytes), o.atMost("statement", reasonBytes)
	switch {
	case d.Category != "" && !KnownCategory(d.Category):
		o.Fault("category", "is no category")
	case d.Category == "" && (d.SubLabel != "" || d.Severity != 0):
		o.Fault("category", "is required with a sub_label or a severity")
	}
	return d, o.Err()
}

// needed reads a string of bounded length that says something.
func (o *Object) needed(name string, most int) string {
	s, ok := o.Text(name)
	switch {
	case !ok && o.Has(name): // the fault is noted
	case strings.TrimSpace(s) == "":
		o.Fault(name, "is required")
	case len(s) > most:
		o.Fault(name, "at most "+string(appendInt(nil, int64(most)))+" bytes")
	default:
		return s
	}
	return ""
}

// KnownCategory reports whether c is a category of the contract.
func KnownCategory(c engines.Category) bool {
	return slices.Contains(engines.TextCategories, c) || slices.Contains(engines.MediaCategories, c)
}

// Preferences are a moderator's own settings.
type Preferences struct {
	OptOut        []engines.Category
	ExposureLimit int
}

// ReadPreferences reads the body of PUT /me/preferences, which replaces all of them.
func ReadPreferences(o *Object) (Preferences, error) {
	var p Preferences
	for _, c := range o.IDs("opt_out", len(engines.TextCategories)+len(engines.MediaCategories)) {
		if c != "" && !KnownCategory(engines.Category(c)) {
			o.Fault("opt_out", c+" is no category")
		}
		p.OptOut = append(p.OptOut, engines.Category(c))
	}
	n, _ := o.Int("exposure_limit", 0, 10_000)
	p.ExposureLimit = int(n)
	return p, o.Err()
}

// AppendSignals appends what engines said of a text, for operators alone.
func AppendSignals(dst []byte, signals []engines.Signal) []byte {
	return List(dst, "signals", len(signals), func(dst []byte, i int) []byte {
		s := &signals[i]
		dst = Some(Str(dst, "category", string(s.Category)), "sub_label", s.SubLabel)
		dst = Real(Num(dst, "severity", int64(s.Severity)), "confidence", s.Confidence)
		dst = Some(Some(Str(dst, "source", string(s.Source)), "rule", s.Rule), "language", s.Language)
		return Num(Num(dst, "start", int64(s.Span.Start)), "end", int64(s.Span.End))
	})
}
