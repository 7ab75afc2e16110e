package store

import (
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Case states.
const (
	CaseOpen      = "open"
	CaseClaimed   = "claimed"   // somebody's, until the lease ends
	CaseHeld      = "held"      // put aside by somebody until a time
	CaseEscalated = "escalated" // open, for somebody with more say
	CaseClosed    = "closed"
)

// Kinds of cases beside content's "" and those of the economy's alerts.
const (
	CaseOfReports = "report"  // players say so; no engine found it
	CaseOfAppeal  = "appeal"  // a player contests a decision or a penalty
	CaseOfDispute = "dispute" // two who decided the same saw it differently
)

// What a moderator decided.
const (
	CaseApproved = "approve" // nothing is wrong
	CaseRejected = "reject"  // it breaks the policy
)

// Case is one entry of the review queue. Version is its optimistic lock: every
// move but a heart-beat adds one.
type Case struct {
	ID      engines.CaseID
	App     engines.AppID
	Request engines.RequestID // there is one case of it in an app
	// Subject is the check or message that it is about; "" is Request.
	Subject  engines.RequestID
	Player   engines.PlayerID
	Scene    engines.SceneID
	State    string
	Held     bool           // the content waited for this case before it was published
	Kind     string         // "" for content
	Alert    *economy.Alert // of a case of the economy
	Queue    string
	Category engines.Category // the gravest that was found; once closed, what it was decided to be
	SubLabel string
	Severity int
	Priority int       // higher ones come first
	Due      time.Time // when it should be decided at the latest
	// Assignee has it while State is claimed or held, Until that time.
	Assignee string
	Until    time.Time
	Level    int // 1 once it was escalated
	// Parent is the case that an appeal, a dispute or a second look is about.
	Parent engines.CaseID
	Second bool     // a blind second look at Parent
	Barred []string // who must not decide it
	// Group is what reports are collected by; one case of a group is not closed.
	Group     string
	Reporters int     // distinct
	Weight    float64 // of those reporters together

	Decision string // CaseApproved or CaseRejected once closed
	By       string
	Policy   string // the rule that the decision rests on
	Reason   string
	Note     string // for colleagues
	Decided  time.Time
	Undone   bool // the last decision was turned round, or taken back if it is not closed
	Version  int
	Created  time.Time
	Updated  time.Time
}

// About is the check or message that the case is about.
func (c *Case) About() engines.RequestID {
	if c.Subject != "" {
		return c.Subject
	}
	return c.Request
}

// KeyDigest parts the name of a request's key from a digest of what it asked for: the
// same name with another digest is another request under a used name.
const KeyDigest = "\n#"

// CaseEvent is one step in the life of a case; Version is the case's after it.
type CaseEvent struct {
	Version int
	At      time.Time
	Actor   string
	Action  string
	State   string // afterwards
	Detail  string // JSON
	Key     string // of the request that asked for it, "" when it had none
}

// CaseFacts is what a move is decided on, read under the case's lock.
type CaseFacts struct {
	Case Case
	// Message is the scene's message that it is about; nil where none is stored.
	Message *SceneMessage
	// Parent of an appeal, dispute or second look; nil elsewhere.
	Parent *Case
}

// CaseChange is what a move makes of a case, committed together.
type CaseChange struct {
	Case Case
	// Silent is a heart-beat: no step in the history, no audit entry.
	Silent  bool
	Event   CaseEvent
	Message string   // new state of the scene's message; "" leaves it
	Effects []Effect // what is to be done about it outside of the store
	Opens   []Case
	Pair    *CasePair
	Tells   []string // types of events for webhooks
	// States are the reasons that people gave, for the decision on what the case is
	// about, in order.
	States []PersonDecision
	// Reports is the state that the reports on it get: ReportUpheld and so on.
	Reports string
	// Appeal is the state that the appeal that opened it gets, with what its player is told.
	Appeal, Statement string
	Audit             Audit
}

// CasePair is a case that two decided without knowing of each other.
type CasePair struct {
	App            engines.AppID
	First, Second  engines.CaseID
	FirstBy        string
	SecondBy       string
	FirstDecision  string
	SecondDecision string
	FirstCategory  engines.Category // of a rejection
	SecondCategory engines.Category
	At             time.Time
}

// CaseQuery selects cases; what is zero selects all.
type CaseQuery struct {
	App engines.AppID
	// States are as of Now: a lease that ran out is open again. With no Now one state is
	// as it is stored, which is fast.
	States    []string
	Queue     string
	Kind      string // "content" is ""
	Category  engines.Category
	Player    engines.PlayerID
	Assignee  string
	DueBefore time.Time
	Held      bool
	// NotSkippedBy leaves out what this person has passed over.
	NotSkippedBy string
	Now          time.Time
	After        QueueMark
	Limit        int
}

// QueueMark is a place in the order of cases: by priority, then due, then id.
type QueueMark struct {
	Priority int
	Due      time.Time
	ID       engines.CaseID
}

// CaseQueue is one queue as it stands.
type CaseQueue struct {
	Queue   string
	Open    int // open or escalated
	Claimed int
	Held    int
	Overdue int       // of all that are not closed
	Oldest  time.Time // when the oldest that is not closed was opened
	Owners  []CaseOwner
}

// CaseOwner is how many cases of a queue a person has.
type CaseOwner struct {
	Name  string
	Cases int
}

// EffectKind says what is to be done.
type EffectKind string

// The effects of decisions.
const (
	EffectPublish EffectKind = "publish" // a held message goes to its scene
	EffectReject  EffectKind = "reject"  // its author learns that it won't
	EffectRetract EffectKind = "retract" // a published message is taken back
	EffectRuled   EffectKind = "ruled"   // penalties follow
	EffectUndo    EffectKind = "undo"    // the parent's decision falls
	EffectRestore EffectKind = "restore" // the parent's decision, which fell, stands again
	EffectNotice  EffectKind = "notice"  // a player learns what became of an appeal
	EffectRevoke  EffectKind = "revoke"  // a penalty falls
)

// Effect is something that a decision asks for outside of the store. It is committed
// with the decision and goes once it is done, so that it is done at least once.
type Effect struct {
	Case    engines.CaseID
	Version int // of the case after the move; effects of a case are done in this order
	N       int
	Kind    EffectKind
	App     engines.AppID
	Next    time.Time // when somebody else may try

	Player   engines.PlayerID
	Scene    engines.SceneID
	Message  engines.RequestID
	Target   string // the parent case or the penalty
	Category engines.Category
	SubLabel string
	Severity int
	Decision string
	Undone   bool
	By       string
	Reason   string
	At       time.Time
}

// Report states.
const (
	ReportOpen      = "open"
	ReportUpheld    = "upheld"
	ReportDismissed = "dismissed"
)

// Report is what one player says of another, or of a message.
type Report struct {
	ID       string
	App      engines.AppID
	Case     engines.CaseID
	Reporter engines.PlayerID
	Player   engines.PlayerID
	Message  engines.RequestID
	Scene    engines.SceneID
	Reason   string
	Detail   string  // in the reporter's words
	Content  string  // what was reported, where the caller sent it
	Weight   float64 // of the reporter when it came
	Times    int     // how often this reporter said so
	State    string
	Created  time.Time
	Updated  time.Time
}

// ReportQuery selects reports, newest first.
type ReportQuery struct {
	App      engines.AppID
	Player   engines.PlayerID
	Reporter engines.PlayerID
	Case     engines.CaseID
	State    string
	Before   economy.Mark
	Limit    int
}

// Appeal states.
const (
	AppealOpen   = "open"
	AppealUpheld = "upheld" // the player was right
	AppealDenied = "denied"
)

// Appeal is a player's word against a decision or a penalty.
type Appeal struct {
	ID        string
	App       engines.AppID
	Player    engines.PlayerID
	Case      engines.CaseID // the case that it opened
	Against   engines.CaseID // the case that it contests
	Penalty   string         // or the penalty
	Words     string         // the player's
	State     string
	Statement string // to the player, once decided
	By        string // who filed it
	Created   time.Time
	Decided   time.Time
}

// AppealQuery selects appeals, newest first.
type AppealQuery struct {
	App    engines.AppID
	Player engines.PlayerID
	State  string
	Before economy.Mark
	Limit  int
}

// Preferences are a moderator's own.
type Preferences struct {
	Name   string
	OptOut []engines.Category // not given by "next"
	// ExposureLimit is how many cases of dangerous categories "next" gives in a day;
	// 0 is no limit.
	ExposureLimit int
}
