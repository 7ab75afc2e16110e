// Package economy knows a game's economy from its logs: the entries that game
// servers post, the risk of a player, what to say of a trade about to happen, and
// bans. It holds the words and the Service that stores entries before it counts
// them; economy/risk holds the model. Amounts are in a currency's smallest unit,
// counts in pieces, times in epoch milliseconds of the game's own clock.
package economy
