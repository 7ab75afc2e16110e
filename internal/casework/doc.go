// Package casework is the review queue: who looks at what first, who has a case,
// what may become of it, and what follows of a decision. The life of a case is one
// pure function (Rules.Step); a store runs it under the case's lock and commits its
// result together with the history, the audit entry, what webhooks tell and what is
// still to be done outside (effects), which any gateway finishes.
//
// Reports of players are collected into cases, appeals and disputes are cases about
// cases, and a sample of what was decided is decided a second time by somebody who
// knows nothing of the first.
//
// It leaves verdicts to internal/review, delivery to streams/chat and what happens
// to players to who implements Ruled.
package casework
