package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Event types that webhooks tell of. A new one is a line here, one in EventTypes, and
// a body in cmd/portcullis/hooks.go.
const (
	EventBanCreated  = "ban.created"
	EventBanLifted   = "ban.lifted"
	EventBanExpired  = "ban.expired"
	EventEconomyCase = "economy.case"
	EventCheckDone   = "check.done"
	EventBatchDone   = "batch.done"
	EventAnomaly     = "stats.anomaly"
	EventReport      = "report.ready"
	EventCaseOpened  = "case.opened" // the economy's are EventEconomyCase
	EventCaseDecided = "case.decided"
	EventCaseUndone  = "case.undone"
	EventAppealDone  = "appeal.decided"
	// EventPolicyStopped: a rollout of a policy stopped by itself.
	EventPolicyStopped = "policy.stopped"
	EventTest          = "webhook.test" // asked for by hand, subscribed by nobody
)

// Of penalties; the fact is a Penalty.
const (
	EventPenaltyCreated = "penalty.created"
	EventPenaltyLifted  = "penalty.lifted"
	EventPenaltyExpired = "penalty.expired"
)

// EventTypes lists what an endpoint may subscribe to.
var EventTypes = []string{
	EventBanCreated, EventBanLifted, EventBanExpired, EventEconomyCase,
	EventCheckDone, EventBatchDone,
	EventAnomaly, EventReport,
	EventPenaltyCreated, EventPenaltyLifted, EventPenaltyExpired,
	EventCaseOpened, EventCaseDecided, EventCaseUndone, EventAppealDone,
	EventPolicyStopped,
}

// Event is one thing that webhooks are to tell. It is committed with what it tells
// of, so that neither is without the other.
type Event struct {
	ID   string // UUIDv7; the webhook-id of everything that is sent of it
	App  engines.AppID
	Type string
	At   time.Time
	// Ban, Case, Check or Rollout is what it is about, by its type.
	Ban     *economy.Ban
	Case    *Case
	Check   engines.RequestID
	Rollout *Rollout
	// Fact is what events of the other types are about: a record as its own type's
	// EventFact made it. Whoever writes the body reads it with ReadFact.
	Fact []byte
}

// EventFact keeps a record with its event, as it was when the event was committed.
func EventFact(record any) ([]byte, error) {
	fact, err := json.Marshal(record)
	if err != nil {
		return nil, fmt.Errorf("event: %w", err)
	}
	return fact, nil
}

// ReadFact reads what EventFact kept.
func ReadFact[T any](e *Event) (record T, err error) {
	if err := json.Unmarshal(e.Fact, &record); err != nil {
		return record, fmt.Errorf("event %s: %w", e.ID, err)
	}
	return record, nil
}

// Hook is an endpoint of an app to which events go.
type Hook struct {
	App     engines.AppID
	ID      string
	URL     string
	Events  []string // types, or "*" for all of them
	Enabled bool
	// OffReason says why we switched it off ourselves, "" where we did not.
	OffReason string
	Failing   time.Time // since when every attempt has failed; zero: the last one worked
	Created   time.Time
	Updated   time.Time
	// Pending and Dead count its deliveries, where they were asked for.
	Pending, Dead int
	// Secrets sign, the newest first: those that were replaced stay for a while.
	Secrets []HookSecret
}

// HookSecret is one signing secret of an endpoint, in the clear ("whsec_…"):
// drivers encrypt it at rest as they do the app's.
type HookSecret struct {
	KeyID   string
	Secret  string
	Expires time.Time // zero: until replaced
}

// Delivery states.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryDead      = "dead" // given up; it can be sent again by hand
)

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID       string
	App      engines.AppID
	Hook     string
	Event    string // its id
	Type     string
	Payload  []byte // the body, the same at each attempt
	State    string
	Attempts int
	Since    time.Time // when it was made, or last sent again by hand
	Next     time.Time // when it is due; while it is under way, when its lease ends
	Last     time.Time // last attempt; zero: none
	Status   int       // of the last answer; 0: there was none
	Error    string    // what went wrong last; nothing of the answer's body
	Created  time.Time
}

// Attempt is how an attempt to deliver ended.
type Attempt struct {
	Delivery Delivery // as it was claimed
	OK       bool
	At       time.Time
	Status   int
	Error    string
	// Next is when to try again, zero for never; of a failure.
	Next time.Time
	// Off switches the endpoint off for this reason; "" leaves it.
	Off string
}

// HookChange is what an app wants of its endpoints: Put replaces or adds, by ID;
// what is not named goes.
type HookChange struct {
	App engines.AppID
	Put []Hook
	By  string
	At  time.Time
	// Until is how long secrets serve that a new one of the same endpoint replaces.
	Until time.Time
}

// HookWish is what an app asks for one of its endpoints. One with no ID is that of
// the same URL, or a new one.
type HookWish struct {
	ID      string
	URL     string
	Events  []string
	Enabled bool
	Rotate  bool // give it another secret; the old one serves for a day more
}
