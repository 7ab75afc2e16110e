package casework_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
)

var (
	ann  = casework.Person{Name: "ann", Role: "moderator"}
	bob  = casework.Person{Name: "bob", Role: "moderator"}
	sue  = casework.Person{Name: "sue", Role: "senior"}
	noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
)

func open() store.Case {
	return store.Case{
		ID: "c1", App: "game", Request: "m1", Player: "p", Scene: "s", State: store.CaseOpen, Category: engines.Harassment, Severity: 2,
		Version: 1, Created: noon, Due: noon.Add(time.Hour),
	}
}

// play takes a case through moves, each a minute after the one before, and returns what
// the last one made of it.
func play(t *testing.T, cfg casework.Config, f store.CaseFacts, moves ...casework.Move) (store.CaseChange, error) {
	t.Helper()
	rules := casework.NewRules(cfg)
	var x store.CaseChange
	for i, m := range moves {
		if m.Version == 0 {
			m.Version = casework.AnyVersion
		}
		if m.At.IsZero() {
			m.At = noon.Add(time.Duration(i+1) * time.Minute)
		}
		var err error
		if x, err = rules.Step(f, m); err != nil {
			if i < len(moves)-1 {
				t.Fatalf("move %d, %s: %v", i, m.Action, err)
			}
			return x, err
		}
		f.Case = x.Case
		if f.Message != nil && x.Message != "" {
			msg := *f.Message
			msg.State = x.Message
			f.Message = &msg
		}
	}
	return x, nil
}

func claim(p casework.Person) casework.Move {
	return casework.Move{Action: casework.Claim, By: p, Version: casework.AnyVersion}
}

func decide(p casework.Person, decision string) casework.Move {
	return casework.Move{Action: casework.Decide, By: p, Decision: decision, Category: engines.Hate, Policy: "§1", Reason: "r"}
}

func undo(p casework.Person, reopen bool) casework.Move {
	return casework.Move{Action: casework.Undo, By: p, Reason: "mistake", Reopen: reopen}
}

func at(m casework.Move, when time.Time) casework.Move { m.At = when; return m }

// TestLife goes through what may and what may not be done with a case.
func TestLife(t *testing.T) {
	later := noon.Add(3 * time.Hour)
	hold := casework.Move{Action: casework.Hold, By: ann, Until: later, Reason: "r"}
	escalate := casework.Move{Action: casework.Escalate, By: ann, Reason: "r"}
	move := func(a casework.Action, p casework.Person) casework.Move {
		return casework.Move{Action: a, By: p, Reason: "r"}
	}
	over := casework.Move{Action: casework.HandOver, By: ann, To: bob}
	type outcome struct {
		State, Assignee string
		Version         int
		Err             error
	}
	for what, test := range map[string]struct {
		moves []casework.Move
		want  outcome
	}{
		"claim":                             {[]casework.Move{claim(ann)}, outcome{"claimed", "ann", 2, nil}},
		"claim again is a heart-beat":       {[]casework.Move{claim(ann), claim(ann)}, outcome{"claimed", "ann", 2, nil}},
		"claim of another's":                {[]casework.Move{claim(ann), claim(bob)}, outcome{Err: store.ErrConflict}},
		"claim of another's by a senior":    {[]casework.Move{claim(ann), claim(sue)}, outcome{Err: store.ErrConflict}},
		"claim once the lease is out":       {[]casework.Move{claim(ann), at(claim(bob), noon.Add(time.Hour))}, outcome{"claimed", "bob", 3, nil}},
		"escalate to nowhere":               {[]casework.Move{{Action: casework.Escalate, By: ann, Queue: "nowhere", Reason: "r"}}, outcome{Err: store.ErrConflict}},
		"hold for good":                     {[]casework.Move{{Action: casework.Hold, By: ann, Until: noon.AddDate(100, 0, 0), Reason: "r"}}, outcome{Err: store.ErrConflict}},
		"renew":                             {[]casework.Move{claim(ann), move(casework.Renew, ann)}, outcome{"claimed", "ann", 2, nil}},
		"renew when nobody came":            {[]casework.Move{claim(ann), at(move(casework.Renew, ann), later)}, outcome{"claimed", "ann", 2, nil}},
		"renew when it lapsed":              {[]casework.Move{claim(ann), at(move(casework.Lapse, ann), later), at(move(casework.Renew, ann), later)}, outcome{Err: store.ErrConflict}},
		"renew of another's":                {[]casework.Move{claim(ann), move(casework.Renew, bob)}, outcome{Err: store.ErrConflict}},
		"release":                           {[]casework.Move{claim(ann), move(casework.Release, ann)}, outcome{"open", "", 3, nil}},
		"release of another's":              {[]casework.Move{claim(ann), move(casework.Release, bob)}, outcome{Err: store.ErrConflict}},
		"release of another's by a senior":  {[]casework.Move{claim(ann), move(casework.Release, sue)}, outcome{"open", "", 3, nil}},
		"release of nobody's":               {[]casework.Move{move(casework.Release, ann)}, outcome{Err: store.ErrConflict}},
		"hand over":                         {[]casework.Move{claim(ann), over}, outcome{"claimed", "bob", 3, nil}},
		"hand over what one has not":        {[]casework.Move{over}, outcome{Err: store.ErrConflict}},
		"hold":                              {[]casework.Move{hold}, outcome{"held", "ann", 2, nil}},
		"hold for ever":                     {[]casework.Move{{Action: casework.Hold, By: ann, Until: noon.Add(31 * 24 * time.Hour)}}, outcome{Err: store.ErrConflict}},
		"held is not open to others":        {[]casework.Move{hold, claim(bob)}, outcome{Err: store.ErrConflict}},
		"held is the holder's":              {[]casework.Move{hold, claim(ann)}, outcome{"claimed", "ann", 3, nil}},
		"held, and its time has come":       {[]casework.Move{hold, at(move(casework.Lapse, casework.Person{System: true}), later)}, outcome{"open", "", 3, nil}},
		"lapse before its time":             {[]casework.Move{hold, move(casework.Lapse, casework.Person{System: true})}, outcome{Err: store.ErrConflict}},
		"escalate":                          {[]casework.Move{claim(ann), escalate}, outcome{"escalated", "", 3, nil}},
		"an escalated one stays so":         {[]casework.Move{escalate, claim(sue), move(casework.Release, sue)}, outcome{"escalated", "", 4, nil}},
		"skip":                              {[]casework.Move{claim(ann), move(casework.Skip, ann)}, outcome{"open", "", 3, nil}},
		"skip of an open one":               {[]casework.Move{move(casework.Skip, ann)}, outcome{"open", "", 2, nil}},
		"decide":                            {[]casework.Move{claim(ann), decide(ann, "approve")}, outcome{"closed", "", 3, nil}},
		"decide without a claim":            {[]casework.Move{decide(ann, "reject")}, outcome{"closed", "", 2, nil}},
		"decide another's":                  {[]casework.Move{claim(ann), decide(bob, "approve")}, outcome{Err: store.ErrConflict}},
		"decide one's own once it ran out":  {[]casework.Move{claim(ann), at(decide(ann, "approve"), later)}, outcome{"closed", "", 3, nil}},
		"decide twice":                      {[]casework.Move{decide(ann, "approve"), decide(ann, "approve")}, outcome{Err: store.ErrConflict}},
		"claim of a closed one":             {[]casework.Move{decide(ann, "approve"), claim(ann)}, outcome{Err: store.ErrConflict}},
		"undo one's own":                    {[]casework.Move{decide(ann, "approve"), undo(ann, false)}, outcome{"closed", "", 3, nil}},
		"undo again changes nothing":        {[]casework.Move{decide(ann, "approve"), undo(ann, false), undo(ann, false)}, outcome{"closed", "", 3, nil}},
		"undo of what was opened again":     {[]casework.Move{decide(ann, "approve"), undo(ann, true), undo(ann, true)}, outcome{"open", "", 3, nil}},
		"undo of what was decided since":    {[]casework.Move{decide(ann, "approve"), undo(ann, true), decide(ann, "reject"), undo(ann, true)}, outcome{"open", "", 5, nil}},
		"undo another's":                    {[]casework.Move{decide(ann, "approve"), undo(bob, false)}, outcome{Err: casework.ErrForbidden}},
		"undo another's, as a senior":       {[]casework.Move{decide(ann, "approve"), undo(sue, false)}, outcome{"closed", "", 3, nil}},
		"undo of one that is not decided":   {[]casework.Move{claim(ann), undo(ann, false)}, outcome{Err: store.ErrConflict}},
		"undo, to decide again":             {[]casework.Move{decide(ann, "approve"), undo(ann, true)}, outcome{"open", "", 3, nil}},
		"undo of an escalated one, to open": {[]casework.Move{escalate, decide(sue, "approve"), undo(sue, true)}, outcome{"escalated", "", 4, nil}},
		"another version":                   {[]casework.Move{claim(ann), {Action: casework.Decide, By: ann, Version: 1, Decision: "approve"}}, outcome{Err: store.ErrConflict}},
	} {
		x, err := play(t, casework.Default(), store.CaseFacts{Case: open()}, test.moves...)
		if err != nil {
			if !errors.Is(err, test.want.Err) || test.want.Err == nil {
				t.Errorf("%s: %v, want %v", what, err, test.want.Err)
			}
			continue
		}
		if got := (outcome{State: x.Case.State, Assignee: x.Case.Assignee, Version: x.Case.Version}); got != test.want {
			t.Errorf("%s: %+v, want %+v", what, got, test.want)
		}
		if !x.Silent && (x.Event.Version != x.Case.Version || x.Event.State != x.Case.State || x.Audit.Action == "" || x.Event.Actor == "") {
			t.Errorf("%s: history %+v, audit %+v", what, x.Event, x.Audit)
		}
	}
}

// TestHeldComesBackDue: what was put aside is not forgotten.
func TestHeldComesBackDue(t *testing.T) {
	c := open()
	c.Due = noon.Add(1000 * time.Hour)
	until := noon.Add(2 * time.Hour)
	x, err := play(t, casework.Default(), store.CaseFacts{Case: c},
		casework.Move{Action: casework.Hold, By: ann, Until: until},
		casework.Move{Action: casework.Lapse, By: casework.Person{System: true}, At: until})
	if err != nil || x.Case.State != store.CaseOpen || !x.Case.Due.Equal(until) || x.Event.Actor != "system" {
		t.Errorf("%+v, %v", x, err)
	}
}

// kinds are the effects of a change, with what they say of a decision.
func kinds(x store.CaseChange) (list []string) {
	for _, e := range x.Effects {
		word := string(e.Kind)
		if e.Kind == store.EffectRuled {
			word += " " + e.Decision
			if e.Undone {
				word += " undone"
			}
		}
		list = append(list, word)
	}
	return list
}

// TestMessage is what decisions and their undo do to a message: published at most once,
// taken back at most once.
func TestMessage(t *testing.T) {
	for what, test := range map[string]struct {
		state   string // of the message; "" is none
		held    bool
		sent    time.Time
		moves   []casework.Move
		message string // its state where it changed
		effects []string
	}{
		"approve a held one":                 {"held", true, noon, []casework.Move{decide(ann, "approve")}, "delivered", []string{"publish", "ruled approve"}},
		"reject a held one":                  {"held", true, noon, []casework.Move{decide(ann, "reject")}, "rejected", []string{"reject", "ruled reject"}},
		"approve what is out":                {"delivered", false, noon, []casework.Move{decide(ann, "approve")}, "", []string{"ruled approve"}},
		"reject what is out":                 {"delivered", false, noon, []casework.Move{decide(ann, "reject")}, "retracted", []string{"retract", "ruled reject"}},
		"reject what is retracted":           {"retracted", false, noon, []casework.Move{decide(ann, "reject")}, "", []string{"ruled reject"}},
		"no message":                         {"", true, noon, []casework.Move{decide(ann, "reject")}, "", []string{"ruled reject"}},
		"undo of approve":                    {"held", true, noon, []casework.Move{decide(ann, "approve"), undo(ann, false)}, "retracted", []string{"ruled approve undone", "retract"}},
		"undo of approve of what was out":    {"delivered", false, noon, []casework.Move{decide(ann, "approve"), undo(ann, false)}, "retracted", []string{"ruled approve undone", "retract"}},
		"reopened, and it was out before":    {"delivered", false, noon, []casework.Move{decide(ann, "approve"), undo(ann, true)}, "", []string{"ruled approve undone"}},
		"reopened, and it was published":     {"held", true, noon, []casework.Move{decide(ann, "approve"), undo(ann, true)}, "retracted", []string{"ruled approve undone", "retract"}},
		"undo of reject":                     {"held", true, noon, []casework.Move{decide(ann, "reject"), undo(ann, false)}, "delivered", []string{"ruled reject undone", "publish"}},
		"undo of reject of an old one":       {"held", true, noon.Add(-25 * time.Hour), []casework.Move{decide(ann, "reject"), undo(ann, false)}, "", []string{"ruled reject undone"}},
		"reject reopened: it waits again":    {"held", true, noon, []casework.Move{decide(ann, "reject"), undo(ann, true)}, "held", []string{"ruled reject undone"}},
		"and is approved then":               {"held", true, noon, []casework.Move{decide(ann, "reject"), undo(ann, true), decide(ann, "approve")}, "delivered", []string{"publish", "ruled approve"}},
		"what was taken back stays so":       {"delivered", false, noon, []casework.Move{decide(ann, "reject"), undo(ann, false)}, "", []string{"ruled reject undone"}},
		"published once: not again":          {"held", true, noon, []casework.Move{decide(ann, "approve"), undo(ann, true), decide(ann, "approve")}, "", []string{"ruled approve"}},
		"turned round and opened: no ruling": {"held", true, noon, []casework.Move{decide(ann, "approve"), undo(ann, false), undo(ann, true)}, "", nil},
	} {
		f := store.CaseFacts{Case: open()}
		f.Case.Held = test.held
		if test.state != "" {
			f.Message = &store.SceneMessage{Message: "m1", State: test.state, Sent: test.sent}
		}
		x, err := play(t, casework.Default(), f, test.moves...)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if diff := cmp.Diff(test.effects, kinds(x)); diff != "" || x.Message != test.message {
			t.Errorf("%s: message %q, want %q; effects (-want +got):\n%s", what, x.Message, test.message, diff)
		}
	}
}

// TestDecision is what a decision says of the case, and of reports on it.
func TestDecision(t *testing.T) {
	f := store.CaseFacts{Case: open()}
	f.Case.SubLabel, f.Case.Reporters = "insult", 2
	d := decide(ann, store.CaseRejected)
	d.Severity, d.Note = 4, "n"
	x, err := play(t, casework.Default(), f, d)
	if err != nil {
		t.Fatal(err)
	}
	if c := x.Case; c.Category != engines.Hate || c.SubLabel != "" || c.Severity != 4 || c.Policy != "§1" || c.By != "ann" || c.Note != "n" || x.Reports != store.ReportUpheld {
		t.Errorf("%+v, reports %s", c, x.Reports)
	}
	if diff := cmp.Diff([]string{store.EventCaseDecided}, x.Tells); diff != "" {
		t.Error(diff)
	}
	d = decide(ann, store.CaseRejected) // what an older client says
	d.Category, d.Policy = "", ""
	if x, err = play(t, casework.Default(), f, d); err != nil || x.Case.Category != engines.Harassment || x.Case.SubLabel != "insult" || x.Case.Severity != 2 {
		t.Errorf("%+v, %v", x.Case, err)
	}
	for reopen, want := range map[bool]string{true: store.ReportOpen, false: store.ReportDismissed} {
		if x, err = play(t, casework.Default(), f, d, undo(ann, reopen)); err != nil || x.Reports != want || x.Tells[0] != store.EventCaseUndone {
			t.Errorf("reopen %t: reports %q, %v", reopen, x.Reports, err)
		}
	}
}

func TestBarred(t *testing.T) {
	f := store.CaseFacts{Case: open()}
	f.Case.Barred = []string{"ann"}
	for _, m := range []casework.Move{claim(ann), decide(ann, "approve"), {Action: casework.Hold, By: ann, Until: noon.Add(time.Hour)}} {
		if _, err := play(t, casework.Default(), f, m); !errors.Is(err, casework.ErrForbidden) {
			t.Errorf("%s: %v", m.Action, err)
		}
	}
	if _, err := play(t, casework.Default(), f, claim(bob), casework.Move{Action: casework.HandOver, By: bob, To: ann}); !errors.Is(err, casework.ErrForbidden) {
		t.Errorf("handed over: %v", err)
	}
}

// TestSecondLook: a share of what is decided is decided again, and a senior settles
// what two saw differently.
func TestSecondLook(t *testing.T) {
	cfg := casework.Default()
	cfg.SecondShare = 1
	f := store.CaseFacts{Case: open()}
	x, err := play(t, cfg, f, decide(ann, store.CaseRejected))
	if err != nil || len(x.Opens) != 1 {
		t.Fatalf("opened %+v, %v", x.Opens, err)
	}
	first, twin := x.Case, x.Opens[0]
	if !twin.Second || twin.Parent != "c1" || twin.About() != "m1" || twin.Category != engines.Harassment || twin.Decision != "" || twin.Barred[0] != "ann" ||
		twin.State != store.CaseOpen || twin.Due.IsZero() {
		t.Errorf("second look %+v", twin)
	}
	if again, _ := play(t, cfg, f, decide(ann, store.CaseRejected)); !cmp.Equal(again.Opens, x.Opens) {
		t.Error("the same decision opens another second look")
	}
	second := store.CaseFacts{Case: twin, Parent: &first, Message: &store.SceneMessage{State: "delivered"}}
	if x, err = play(t, cfg, second, decide(bob, store.CaseRejected)); err != nil || x.Pair == nil || len(x.Opens) != 0 || len(x.Effects) != 0 || x.Message != "" || len(x.Tells) != 0 {
		t.Errorf("the same: %+v, %v", x, err)
	}
	x, err = play(t, cfg, second, decide(bob, store.CaseApproved))
	if err != nil || len(x.Opens) != 1 || x.Pair.FirstCategory != engines.Hate || x.Pair.SecondCategory != "" {
		t.Fatalf("different: %+v, %v", x, err)
	}
	dispute := x.Opens[0]
	if dispute.State != store.CaseEscalated || dispute.Queue != casework.QueueSenior || dispute.Parent != "c1" || len(dispute.Barred) != 2 {
		t.Errorf("dispute %+v", dispute)
	}
	settle := store.CaseFacts{Case: dispute, Parent: &first}
	if x, err = play(t, cfg, settle, decide(sue, store.CaseRejected)); err != nil || len(x.Effects) != 0 {
		t.Errorf("the first stands: %+v, %v", x.Effects, err)
	}
	if x, err = play(t, cfg, settle, decide(sue, store.CaseApproved)); err != nil || len(x.Effects) != 2 || x.Effects[0].Kind != store.EffectUndo || x.Effects[0].Target != "c1" {
		t.Errorf("the first falls: %+v, %v", x.Effects, err)
	}
	if _, err = play(t, cfg, settle, decide(sue, store.CaseApproved), undo(sue, false)); !errors.Is(err, casework.ErrForbidden) {
		t.Errorf("undo of a dispute by who decided it: %v", err)
	}
}

// TestSecondShare: which cases are looked at again follows from their ids, and is near
// the share that was asked for.
func TestSecondShare(t *testing.T) {
	cfg := casework.Default()
	for _, share := range []float64{0, 0.1, 0.5, 1} {
		cfg.SecondShare = share
		n := 0
		const cases = 4000
		for i := range cases {
			f := store.CaseFacts{Case: open()}
			f.Case.ID = engines.CaseID("01a22286-57a4-7093-bfa6-" + time.Duration(i).String())
			x, err := play(t, cfg, f, decide(ann, "approve"))
			if err != nil {
				t.Fatal(err)
			}
			n += len(x.Opens)
		}
		if got := float64(n) / cases; got < share-0.03 || got > share+0.03 {
			t.Errorf("share %g: %g of cases are looked at again", share, got)
		}
	}
}

func TestAppeal(t *testing.T) {
	parent := open()
	parent.State, parent.Decision, parent.By = store.CaseClosed, store.CaseRejected, "ann"
	c := open()
	c.ID, c.Kind, c.Parent, c.Barred, c.Queue = "c2", store.CaseOfAppeal, "c1", []string{"ann"}, casework.QueueAppeals
	f := store.CaseFacts{Case: c, Parent: &parent, Message: &store.SceneMessage{State: "rejected"}}
	d := decide(sue, store.CaseApproved)
	d.Statement = "sorry"
	x, err := play(t, casework.Default(), f, d)
	if err != nil || x.Appeal != store.AppealUpheld || x.Statement != "sorry" || x.Message != "" {
		t.Errorf("%+v, %v", x, err)
	}
	if diff := cmp.Diff([]string{"undo", "notice"}, kinds(x)); diff != "" || x.Effects[0].Target != "c1" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{store.EventAppealDone, store.EventCaseDecided}, x.Tells); diff != "" {
		t.Error(diff)
	}
	x, err = play(t, casework.Default(), f, decide(sue, store.CaseRejected))
	if diff := cmp.Diff([]string{"notice"}, kinds(x)); err != nil || diff != "" || x.Appeal != store.AppealDenied {
		t.Errorf("denied: %s %v %s", x.Appeal, err, diff)
	}
	f.Case.Parent, f.Parent, f.Case.Group = "", nil, "penalty\npen1"
	x, err = play(t, casework.Default(), f, decide(sue, store.CaseApproved))
	if diff := cmp.Diff([]string{"revoke", "notice"}, kinds(x)); err != nil || diff != "" || x.Effects[0].Target != "pen1" {
		t.Errorf("of a penalty: %v %s", err, diff)
	}
}
