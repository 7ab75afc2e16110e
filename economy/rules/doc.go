// Package rules runs a studio's own rules beside the model: conditions in the
// language of expr-lang over what economy.Features knows of players and what a trade
// says of itself. README.md has the language, the states and two worked examples.
//
// A rule only adds: a factor to a player's risk, a reason, a score, a review or a
// block to a trade. It lifts nothing. A question never waits for a store: Keeper has
// the rules of all apps compiled in memory, follows what other gateways change, and
// writes its counts behind. A condition takes a bounded time: it has no loops and no
// patterns (lower.go), so that its cost is its number of nodes.
package rules
