// Package redisstore keeps the live state that outlives one gateway: sessions,
// their logs, the logs and channels of scenes, nonces and the feed. With no
// address it runs an embedded engine in the process, for a single gateway. It is
// never the system of record: everything here may be lost, and clients are then
// told to start over (reset).
//
// Nothing here waits longer than its context, and while Redis does not answer a
// breaker refuses calls at once. What a chat message writes goes through Behind,
// which never waits at all.
package redisstore
