// Package sqlstore is the durable store: SQLite files by default, PostgreSQL at
// scale, behind one set of methods and one set of statements. What a method
// acknowledged is on disk. SQLite is two files, so that a decision never waits
// behind bulk logs, each with one goroutine that commits the waiting writers
// together; PostgreSQL is two pools for the same reason.
//
// Every method is safe for concurrent use, waits no longer than its context, and
// wraps the errors of package store. A caller whose context ends while its write
// is queued gets store.ErrUnavailable and can't know whether it was stored: writes
// that may be retried are idempotent by key.
package sqlstore
