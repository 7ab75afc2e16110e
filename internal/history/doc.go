// Package history keeps what was said in live scenes for some days, so that a
// moderator sees a message with what stood around it. It hears of messages behind
// their verdicts and writes them in batches: a verdict never waits for it, and what it
// cannot keep up with is dropped and counted. What was flagged is not its business:
// that is stored with its verdict.
package history
