package casework

import (
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Action is something that one may do with a case.
type Action string

// The actions. Lapse is time's: a lease or a hold has ended.
const (
	Claim    Action = "claim"
	Renew    Action = "renew"
	Release  Action = "release"
	HandOver Action = "handover"
	Hold     Action = "hold"
	Escalate Action = "escalate"
	Skip     Action = "skip"
	Decide   Action = "decide"
	Undo     Action = "undo"
	Lapse    Action = "lapse"
)

// AnyVersion is the Version of a move that is not about one.
const AnyVersion = -1

// Move is what somebody asks of a case.
type Move struct {
	Action Action
	By     Person
	At     time.Time // set by the service
	// Version is the case's as the person saw it, or AnyVersion.
	Version int
	// Key names the request, so that its repeat changes nothing; "" for none.
	Key    string
	Reason string

	To    Person    // of HandOver
	Until time.Time // of Hold
	Queue string    // of Escalate; "" is the seniors'

	// Of Decide: Decision is store.CaseApproved or CaseRejected; of a rejection the
	// category (that of the case where empty), its sub-label and severity (0: the
	// case's); the rule it rests on, a note for colleagues, and for an appeal what its
	// player is told.
	Decision  string
	Category  engines.Category
	SubLabel  string
	Severity  int
	Policy    string
	Note      string
	Statement string

	// Reopen has an undone case decided again; else its decision turns round.
	Reopen bool
	// Restore has an Undo bring back what was decided before this other case undid it;
	// the service's own.
	Restore engines.CaseID
}

// ErrForbidden is what a person may not do with a case.
var ErrForbidden = errors.New("casework: not permitted")

// ErrCategory is a rejection that names no category, of a case that has none.
var ErrCategory = errors.New("casework: no category")

// Refusal is a move that is not possible: it is store.ErrConflict, ErrForbidden or
// ErrCategory to errors.Is, and Why is for the person who asked.
type Refusal struct {
	Why string
	err error
}

func (r *Refusal) Error() string { return r.err.Error() + ": " + r.Why }

// Unwrap is what kind of refusal it is.
func (r *Refusal) Unwrap() error { return r.err }

func refuse(why string) *Refusal { return &Refusal{why, store.ErrConflict} }
func forbid(why string) *Refusal { return &Refusal{why, ErrForbidden} }
