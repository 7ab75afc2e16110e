// Package history keeps what was said in live scenes for some days, so that a
// moderator sees a message with what stood around it. It hears of messages behind
// their verdicts, gathers them by scene in memory, and writes them in chunks: a verdict
// never waits for it, and what it cannot keep up with is dropped and counted. What was
// flagged is not its business: that is stored with its verdict. But it is then that
// somebody will want to see what was said before and after, so that a flagged message
// has the others of its scene written at once, and again a little later.
//
// A process that is killed loses what it has gathered: at most Interval of what was
// said in its scenes and flagged by nobody. One that ends in peace writes all of it. When
// the power goes, SQLite's file may lack some seconds besides.
package history
