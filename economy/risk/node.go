package risk

import "github.com/portcullis-gg/portcullis/economy"

// node is what a snapshot knows of a player besides its factors. Values are in days
// of an ordinary income and fade with halfLife.
type node struct {
	known
	found   float32 // of it items
	earn    float32 // of it from play
	grant   float32 // of it given by the game
	buy     float32 // of it bought
	spent   float32
	fairIn  float32 // money for what it sold
	fairOut float32 // money for what it bought
	coinOut float32 // part of what it gave free that was money
	turn    float32 // all that changed hands in its deals
	guild   float32 // of it in guild bank deals
	off     float32 // how far its sales and purchases were from the going prices
	offs    int32   // how many of them were far
	deals   int32   // of the last day, guild bank deals left out

	labour   float32 // part of freeOut that it earned, found or bought since it is known
	sink     float32 // the largest such number downstream, times what goes there
	topTaker float32 // part of freeOut the first taker gets
	yields   float32 // part of freeOut that was, again and again, most of its money
	unfair   float32 // strangers that lost a lot to it
	short    float32 // how far it is a new account with little play
	ownPair  float32 // part of freeOut that goes to players on its devices
	drain    float32 // evidence that it was emptied by a stranger
	drained  float32 // evidence that it emptied another
	seller   float32 // strangers to which it gave much, one way
	dealer   float32 // how far it has money from the same few and hands it to ever others
	supplies float32 // how far it is one of those few
	even     float32 // part of those that lost much to it who lost the same amount

	odd      float32 // entries whose arithmetic fits no balance
	dup      float32 // of copied items
	silent   float32 // of pieces without an origin
	double   float32 // of double credits
	wash     float32 // of goods bought and sold among the same few
	returns  float32 // rounds of money that it was part of
	bot      float32
	awake    float32 // share of hours with something done, of the last three days or the last
	ring     float32 // others on its devices who are as tireless or even
	flock    float32 // other new accounts on its devices
	tireless float32 // how far that is more than others do who earn from the same sources
	fano     float32 // variance of things done an hour over their mean
	burst    float32 // income of a window and source over what is high among others
	told     bool    // the game has said how old the account is
	days     float32 // on which it played
	plays    float32
	charges  float32 // how often
	charged  float32 // part of its purchases that was charged back
}

// known is the part of it that stays, for who asks about a trade.
type known struct {
	own      float32 // income from play, finds, gifts of the game and purchases
	freeIn   float32 // net of what came without a return
	freeOut  float32 // net of what went without a return
	got      float32 // what its deals brought it
	gave     float32 // and took from it
	often    float32 // how far that is more than others have
	givers   int32   // with a net gift to it
	takers   int32
	partners int32
	devoted  float32               // part of its means it gives away: 0 to 1
	sources  float32               // players whose own income ends up here
	purity   float32               // part of freeIn that devoted givers give
	backers  float32               // weight of givers that give little of what they have
	gap      float32               // evidence of silent money
	shared   int32                 // other players on its devices
	few      float32               // 1 where so few share them that it may be one person
	ageDays  float32               // of the account; -1: not known
	traded   [economy.Spans]uint16 // deals by window, all kinds
}
