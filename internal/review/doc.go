// Package review is the desk: the only path to a verdict, for every kind of
// content and every way in. It runs the engines, has policy decide, records what
// must not be lost before anybody learns of it, and tells the log, the metrics
// and the moderators' feed.
//
// Check answers at once, or lets a live message through and follows with its
// check (deferred review). Submit takes a check whose result is fetched later.
// Decide closes a case. Serve runs what goes on behind the answers.
//
// What the content says is left to engines, what to make of it to
// engines/policy, and how to deliver, hold or retract it to the caller.
package review
