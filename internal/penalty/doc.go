// Package penalty acts on players. A violation is a strike: of a person's ruling, and
// of the gateway's own blocks where the app's ladder says so. The ladder says what
// strikes come to: the weight of those in a window reaches a step, and each strike
// gives the highest step that is reached, from a warning to a ban. A ruling that is
// undone takes its strike back and lifts what does not stand without it; nothing
// milder is given instead. A person's rejection of what struck automatically confirms
// the strike as it is.
//
// Mutes are kept in memory at every gateway, as bans are, and end by themselves.
// Trade locks, suspensions and bans are the economy's: a penalty records why there is
// one and has the economy make and lift it, again after a crash, under one id.
package penalty
