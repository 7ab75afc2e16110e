// Package players knows the players of all apps at hand: what the game says of them
// (segment, region, language) and how they stand. A verdict asks memory alone; who is
// not there is read from the store within a few milliseconds, or the verdict does
// without.
//
// How a player stands is made of two figures that both fade with a half-life:
//
//   - the weight of its strikes, each from the moment that it was given. From
//     Config.WatchedAt on the player is watched, and judged more strictly.
//   - its credit, one for each UTC day with at least Config.CleanMessages messages in
//     which nothing was found. From Config.TrustedAt on, while its strikes weigh less
//     than a half, the player is trusted, and judged more leniently.
//
// So who is struck is watched for a while and then as all others are; who has been
// clean for weeks is trusted, loses it with the next strike, and also by staying away.
// Rulings count through their strikes, an undone one takes its strike's weight back.
// A person may fix a player's trust. What is illegal is judged alike for all: policy
// sees to that.
package players
