package risk

// deal is one trade as the three logs tell of it, whichever comes first. Its sides
// are the sender and the receiver, once the trade log has said which is which.
type deal struct {
	key    uint64 // hash of the trade's id
	at     int64
	side   [2]side
	dev    int32  // of the one who acted, usually the sender
	legs   int32  // first of its item legs
	who    uint32 // hash of the names of both sides
	nItems uint8  // legs that side 0 gives
	nBack  uint8  // legs that side 1 gives, after those
	kind   uint8
	flags  uint8
}

const (
	toldDeal   uint8 = 1 << iota // the trade log has it
	undone                       // cancelled or reversed
	coinDouble                   // a side was credited twice in one currency
	forkDeal                     // the trade log has told it in more than one way
)

// side is a party of a deal and the money it gives.
type side struct {
	player int32 // 0: not known
	cur    int32
	gives  int64 // by the trade log
	out    int64 // by the currency log: what it was debited
	in     int64 // what it was credited, a line that was logged twice counting once
	inEnd  int64 // balance after the credit, to tell a second credit from a second line
	inAt   int64
	inCur  int32
	inN    uint8
	drain  uint8  // of what it had, what went: 1 to 200 in half percents; 0: not known
	outEnd uint16 // hash of the balance after the debit
}

// The kinds of a deal that mean something to the model; the game may use others.
const (
	kindOther uint8 = iota
	kindDirect
	kindMail
	kindGift
	kindAuction
	kindGuild
	dealKinds
)

func kindOf(s string) uint8 {
	switch s {
	case "direct":
		return kindDirect
	case "mail":
		return kindMail
	case "gift":
		return kindGift
	case "auction":
		return kindAuction
	case "guild_bank":
		return kindGuild
	default:
		return kindOther
	}
}

// leg is a stack that changes hands in a deal.
type leg struct {
	uid   uint64 // hash of the individual item's id; 0: none
	count int64
	item  int32
	seen  uint8  // the item log has it: bit 0 going out, bit 1 coming in, bit 2 coming in twice
	line  uint16 // hash of how many the taker had then, of an individual item
}

// find is the side of a player, which it takes a free place for; -1 where both
// places are others'.
func (d *deal) find(player int32) int {
	for i := range d.side {
		if d.side[i].player == player {
			return i
		}
	}
	for i := range d.side {
		if d.side[i].player == 0 {
			d.side[i].player = player
			return i
		}
	}
	return -1
}

// parties says who the sender and the receiver are, now that the trade log tells.
func (d *deal) parties(sender, receiver int32) {
	if d.side[0].player == receiver && sender != receiver || d.side[1].player == sender {
		d.side[0], d.side[1] = d.side[1], d.side[0]
	}
	d.side[0].player, d.side[1].player = sender, receiver
}
