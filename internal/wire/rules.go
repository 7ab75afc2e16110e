package wire

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	ruleTextAtMost = 500   // code points of one language, or of the comment
	ruleWhenAtMost = 16384 // code points: what is too long for the language is told by it
	casesAtMost    = 50    // of each kind
	flowsAtMost    = 200
)

var (
	ruleSubjects = []string{string(economy.OnPlayer), string(economy.OnTrade)}
	ruleStates   = func() (list []string) {
		for _, s := range economy.RuleStates {
			list = append(list, string(s))
		}
		return list
	}()
)

// ReadRule reads a rule as far as its shape goes; whether it makes sense is asked of
// the rules, and Merge puts the faults together. A rule that is only tried needs no
// state.
func ReadRule(o *Object, app engines.AppID, tried bool) economy.Rule {
	r := economy.Rule{App: app, State: economy.Draft}
	if !tried || o.Has("state") {
		r.State = economy.RuleState(o.required("state", ruleStates))
	}
	r.On = economy.RuleSubject(o.required("on", ruleSubjects))
	r.When = o.short("when", ruleWhenAtMost)
	if !o.Has("then") {
		o.Fault("then", "is required")
	}
	then := o.part("then")
	r.Then.Suggestion = engines.Suggestion(then.oneOf("suggestion", []string{string(engines.Review), string(engines.Block)}))
	r.Then.Factor, r.Then.Score = then.count("factor", 1, 100), then.count("score", 1, 100)
	text := o.part("text")
	r.Text = economy.Text{
		English: text.short("en", ruleTextAtMost), Japanese: text.short("ja", ruleTextAtMost),
		Chinese: text.short("zh", ruleTextAtMost), Korean: text.short("ko", ruleTextAtMost),
	}
	r.Comment, r.Author = o.short("comment", 4*ruleTextAtMost), o.ID("author", false)
	r.MustHit, r.MustPass = o.cases("must_hit", r.On), o.cases("must_pass", r.On)
	return r
}

// required reads a string that has to be one of list.
func (o *Object) required(name string, list []string) string {
	if !o.Has(name) {
		o.Fault(name, "is required")
	}
	return o.oneOf(name, list)
}

// short reads an optional string of at most most code points.
func (o *Object) short(name string, most int) string {
	s, _ := o.Text(name)
	if utf8.RuneCountInString(s) > most {
		o.Fault(name, fmt.Sprintf("must be at most %d code points", most))
		return ""
	}
	return s
}

// part is Object, and an empty one where it is not there.
func (o *Object) part(name string) *Object {
	if in := o.Object(name); in != nil {
		return in
	}
	return o.list(name)
}

// count reads a whole number, 0 where it is absent.
func (o *Object) count(name string, low, high int64) int {
	n, _ := o.Int(name, low, high)
	return int(n)
}

// Float reads a finite number in [low, high]; ok is false when it is absent or a fault.
func (o *Object) Float(name string, low, high float64) (x float64, ok bool) {
	v, ok := o.get(name)
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(v), 64)
	if v.Kind() != '0' || err != nil || !(x >= low && x <= high) { // written so that NaN is none
		o.Fault(name, fmt.Sprintf("must be a number from %g to %g", low, high))
		return 0, false
	}
	return x, true
}

// cases reads the cases of a rule.
func (o *Object) cases(name string, on economy.RuleSubject) (list []economy.RuleCase) {
	err := o.Each(name, casesAtMost, func(_ int, in *Object) {
		var c economy.RuleCase
		if on == economy.OnPlayer {
			c.Player = in.features()
		} else {
			trade := in.part("trade")
			c.Deal = trade.deal()
			c.Score, c.Reasons = trade.count("score", 0, 100), trade.IDs("reasons", flowsAtMost)
			c.Sender, c.Receiver = in.part("sender").features(), in.part("receiver").features()
		}
		list = append(list, c)
	})
	if err != nil {
		o.Fault(name, fmt.Sprintf("at most %d cases", casesAtMost))
	}
	return list
}

// mostOfFeature is larger than any number of a feature.
const mostOfFeature = 1e18

// features reads what a rule may ask of a player; what is absent is 0, and an account
// without an age is one whose age the game has not said.
func (o *Object) features() economy.Features {
	f := economy.Features{
		AccountAge: -1, Score: o.count("score", 0, 100), ActiveDays: o.count("active_days", 0, math.MaxInt32),
		Partners: o.count("partners", 0, math.MaxInt32), Givers: o.count("givers", 0, math.MaxInt32),
		Takers: o.count("takers", 0, math.MaxInt32), Shared: o.count("shared_devices", 0, math.MaxInt32),
	}
	if age, ok := o.Float("account_age_days", -1, 1e6); ok {
		f.AccountAge = age
	}
	f.Got, _ = o.Float("got", 0, mostOfFeature)
	f.Gave, _ = o.Float("gave", 0, mostOfFeature)
	f.FreeGot, _ = o.Float("free_got", 0, mostOfFeature)
	f.FreeGave, _ = o.Float("free_gave", 0, mostOfFeature)
	factors := o.part("factors")
	for _, code := range factors.names() {
		n, _ := factors.Int(code, -100, 100)
		f.Factors = append(f.Factors, economy.Factor{Code: code, Score: int(n)})
	}
	for i, n := range o.windows("trades") {
		f.Trades[i] = int(n)
	}
	err := o.Each("flows", flowsAtMost, func(_ int, in *Object) {
		flow := economy.Flow{What: in.ID("currency", false), Source: in.ID("source", false), In: in.windows("in"), Out: in.windows("out")}
		for i, n := range in.windows("entries_in") {
			flow.Ins[i] = int(n)
		}
		for i, n := range in.windows("entries_out") {
			flow.Outs[i] = int(n)
		}
		f.Flows = append(f.Flows, flow)
	})
	if err != nil {
		o.Fault("flows", fmt.Sprintf("at most %d flows", flowsAtMost))
	}
	return f
}

// names are the members of an object, in their order.
func (o *Object) names() (list []string) {
	for i := range o.members {
		list = append(list, string(o.members[i].name))
	}
	return list
}

var windowNames = [economy.Spans]string{"1h", "24h", "7d", "30d"}

// windows reads an object of windows. A window that is absent holds at least what
// the shorter ones do.
func (o *Object) windows(name string) (w [economy.Spans]float64) {
	in := o.part(name)
	last := 0.0
	for i, window := range windowNames {
		if n, ok := in.Float(window, 0, mostOfFeature); ok {
			last = n
		}
		w[i] = last
	}
	return w
}

// Merge is nil, or one error with the faults that o has and those that err has of the
// same document; err's pointers begin at a member of o, "" for o itself. What is
// wrong in its shape is not told again. Other errors come back as they are.
func (o *Object) Merge(member string, err error) error {
	faults, ok := errors.AsType[economy.RuleFaults](err)
	if err != nil && !ok {
		return err
	}
	at := o.place()
	if member != "" {
		at = o.Pointer(member)
	}
	known := len(*o.faults)
	for _, f := range faults {
		pointer := at + f.Pointer
		told := false
		for _, have := range (*o.faults)[:known] {
			told = told || within(have.Pointer, pointer) || within(pointer, have.Pointer)
		}
		if !told {
			*o.faults = append(*o.faults, Field{pointer, f.Reason})
		}
	}
	return o.Err()
}

// within reports whether a pointer is another one or lies in it.
func within(pointer, in string) bool {
	return pointer == in || strings.HasPrefix(pointer, in+"/")
}

// SnoozeRequest leaves a player out of a rule for Hours, 0 being no longer.
type SnoozeRequest struct {
	Player engines.PlayerID
	Hours  int64
	Reason string
}

// ReadSnooze reads a snooze.
func ReadSnooze(o *Object) (SnoozeRequest, error) {
	z := SnoozeRequest{Player: engines.PlayerID(o.ID("player_id", true)), Reason: o.Label("reason", false)}
	if !o.Has("hours") {
		o.Fault("hours", "is required")
	}
	z.Hours, _ = o.Int("hours", 0, maxBanHours)
	return z, o.Err()
}

// BacktestRequest asks for a back-test; From and To are 0 where they are absent, and
// Rule is nil where the stored one is meant.
type BacktestRequest struct {
	From, To int64
	Rule     *economy.Rule
}

// ReadBacktest reads a back-test. Merge tells its faults.
func ReadBacktest(o *Object, app engines.AppID) BacktestRequest {
	b := BacktestRequest{From: o.date("from"), To: o.date("to")}
	if in := o.Object("rule"); in != nil {
		r := ReadRule(in, app, true)
		b.Rule = &r
	}
	return b
}

// date reads an ISO 8601 time, in epoch ms; 0 where it is absent.
func (o *Object) date(name string) int64 {
	s, ok := o.Text(name)
	if !ok {
		return 0
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.UnixMilli() <= 0 {
		o.Fault(name, "must be a time such as 2026-01-31T12:00:00Z")
		return 0
	}
	return t.UnixMilli()
}

// TryRequest asks what a rule would do to a player, or to a trade.
type TryRequest struct {
	Rule   economy.Rule
	Player engines.PlayerID
	Trade  economy.Proposal
}

// ReadTry reads a trial. Merge tells its faults.
func ReadTry(o *Object, app engines.AppID, now time.Time) TryRequest {
	var t TryRequest
	if !o.Has("rule") {
		o.Fault("rule", "is required")
	}
	if in := o.Object("rule"); in != nil {
		t.Rule = ReadRule(in, app, true)
	}
	switch t.Rule.On {
	case economy.OnPlayer:
		t.Player = engines.PlayerID(o.ID("player_id", true))
	case economy.OnTrade:
		in := o.Object("trade")
		if in == nil {
			if !o.Has("trade") {
				o.Fault("trade", "is required")
			}
			break
		}
		t.Trade = in.proposal(now)
	}
	return t
}
