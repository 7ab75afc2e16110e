// Package risk is the model behind economy.Book: what an app's entries say about
// each player, explainable and in event time alone.
//
// Counting and judging are apart. Apply only counts, in order-free sums, into
// compact records without pointers (player.go, wallet.go, stash.go, deal.go), which are
// packed where no entry came for long (tiers.go, pack.go, deals.go). A snapshot (snapshot.go) is computed from those records now and then, off the lock:
// prices of items, who gave how much to whom one-sidedly, where it ended up, which
// ledgers do not add up; and from these the factors and the score of every player
// (judge.go). Risk and Evaluate read the newest snapshot.
//
// A player that plays costs about 680 bytes with two sources, each further source 64, up
// to six and one a currency for the rest, a pair of player and item 72. Packed it is 200
// in all, each further source about 15, a pair of player and item 25. A trade costs
// about 50 packed and 200 else, for 30 days, an order or promotion code 70. TestBytes
// holds that down.
//
// What a game does once, as crediting an order (claims.go), selling an individual item
// (copies.go), closing a trade (forks.go) or paying out a balance (spent.go), is judged
// by the distinct lines that tell of it: a line that was logged twice has one balance,
// what is taken back may come again, and what many do is what their game means by it.
//
// A snapshot is a function of the entries that were counted and of nothing else:
// replayed in any order they give the same scores, within rounding. The clock has a
// say only in when the next snapshot is due. One thing is not kept exactly, since it would
// take as much as the log: when money came in silence at a balance that the wallet had more
// than once. Hours out of order, such a gap may be dated otherwise and be taken for two.
package risk
