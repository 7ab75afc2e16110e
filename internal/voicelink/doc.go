// Package voicelink knows the voices of players again whom a decision keeps out or mutes,
// where an app's policy allows it (policy.BannedVoicesSettings): off unless a layer says
// on what consent or law it rests. What a network made of windows of speech is remembered
// for a while, in memory alone, by player; once a person or the app has decided that the
// player may not speak, it is kept, sealed, until that ends. The voices of others are held
// against it once they have said enough, and one that is alike opens a case for a person
// to look at. Nothing here decides anything about a player.
package voicelink
