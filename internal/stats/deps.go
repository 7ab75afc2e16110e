package stats

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Reader reads what was counted.
type Reader interface {
	Stats(ctx context.Context, q store.StatQuery) ([]store.StatSum, error)
}

// Cases knows what people made of cases.
type Cases interface {
	// CaseTallies counts those that were closed in [from, to), epoch ms, and with waits
	// how long they had waited.
	CaseTallies(ctx context.Context, app engines.AppID, from, to int64, step time.Duration, waits bool) ([]store.CaseTally, error)
	MarkTallies(ctx context.Context, app engines.AppID, from, to int64) ([]store.MarkTally, error)
	WaitingCases(ctx context.Context, app engines.AppID) ([]store.Waiting, error)
	OpenedCases(ctx context.Context, app engines.AppID, from, to int64) (int64, error)
}

// Changes are the cases that changed lately, and what is kept of them.
type Changes interface {
	CasesChanged(ctx context.Context, at int64, after engines.CaseID, most int) ([]store.ChangedCase, error)
	PutCaseFacts(ctx context.Context, facts []store.CaseFact, reached int64) error
	StatReached(ctx context.Context) (int64, error)
}

// Oddities keeps anomalies.
type Oddities interface {
	// OpenAnomaly reports whether the anomaly is new; see gapOf.
	OpenAnomaly(ctx context.Context, a store.Anomaly, gap time.Duration) (opened bool, err error)
	Anomalies(ctx context.Context, app engines.AppID, from, to int64, most int) ([]store.Anomaly, error)
}

// Bans counts an app's bans.
type Bans interface {
	BanTallies(ctx context.Context, app engines.AppID, from, to int64) ([]store.BanTally, error)
}

// Lead chooses the gateway that does what one is to do for all.
type Lead interface {
	LeadStats(ctx context.Context, now, until time.Time) (bool, error)
	StatApps(ctx context.Context) ([]engines.AppID, error)
}

// Store is all of these; the durable store is one.
type Store interface {
	Reader
	Cases
	Changes
	Oddities
	Bans
	Lead
}

// Extra knows what became of decisions that somebody looked at once more, which is put
// beside what this package knows of a period; nil is nobody. The durable store does.
type Extra interface {
	Again(ctx context.Context, app engines.AppID, from, to int64) (store.Again, error)
}
