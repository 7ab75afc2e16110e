// Package erasure removes a player's data when the player asks for it. A request is a
// record of the store before it is answered; whichever gateway has time does it, step
// by step, and one that dies is followed by another. What memory holds of the player
// (sessions, the economy's books) every gateway forgets for itself.
package erasure
