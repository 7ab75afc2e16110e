package economy

import "github.com/portcullis-gg/portcullis/engines"

// Log is which log an entry belongs to.
type Log uint8

// The logs.
const (
	Currency Log = iota + 1
	Item
	Trade
	// Advert is no log of the game: chat or a check showed the player offering game
	// goods for money. ID is the check's, What the label's narrower word. It has a
	// time of the app, and does not move that time.
	Advert
)

// String is the log's name as in its route: currency, item, trade; advert has no route.
func (l Log) String() string {
	switch l {
	case Currency:
		return "currency"
	case Item:
		return "item"
	case Trade:
		return "trade"
	case Advert:
		return "advert"
	default:
		return "unknown"
	}
}

// Entry is one log entry. A (Log, Player, ID) is unique in an app. Fields that the
// client left out are empty.
type Entry struct {
	Log    Log
	ID     string
	At     int64            // event time, epoch ms
	Player engines.PlayerID // of a trade: the sender
	Action Action           // of a trade: none
	What   string           // the currency's type, or the item's id
	Amount int64            // moved, never negative: the action gives the direction; pieces of an item
	After  int64            // balance or count afterwards
	Source string           // the game's own word for where it came from or went

	Counterparty engines.PlayerID // of a trade: the receiver
	TradeID      string
	ItemUID      string // one individual item
	OrderID      string
	Device, IP   string // hashed by the game
	Created      int64  // when the account was created, epoch ms

	Deal *Deal // of a trade
}

// Action is how a currency or an item moves.
type Action string

// The actions that add, and those that remove; Sign says which log knows which.
const (
	Earn       Action = "earn"
	Acquire    Action = "acquire"
	TransferIn Action = "transfer_in"
	Purchase   Action = "purchase"
	Grant      Action = "grant"

	Spend       Action = "spend"
	Consume     Action = "consume"
	Destroy     Action = "destroy"
	TransferOut Action = "transfer_out"
	Chargeback  Action = "chargeback"
	Revoke      Action = "revoke"
)

// Sign is +1 where the action adds to what a player has, -1 where it removes, and 0
// where the log knows no such action.
func (a Action) Sign(l Log) int {
	switch a {
	case TransferIn, Grant:
		return +1
	case TransferOut, Revoke:
		return -1
	case Earn, Purchase:
		return only(l == Currency, +1)
	case Spend, Chargeback:
		return only(l == Currency, -1)
	case Acquire:
		return only(l == Item, +1)
	case Consume, Destroy:
		return only(l == Item, -1)
	default:
		return 0
	}
}

func only(fits bool, sign int) int {
	if fits {
		return sign
	}
	return 0
}

// Deal is what changes hands in a trade. The sender gives Items and Money, the
// receiver ReturnItems and ReturnMoney.
type Deal struct {
	Items, ReturnItems []Stack
	Money, ReturnMoney Money
	Type               string // direct, mail, gift, auction, guild_bank, or the game's own word
	Status             string // completed, cancelled, reversed
}

// Stack is a number of one item.
type Stack struct {
	Item  string
	Count int64
	UID   string // where it is one individual item
}

// Money is an amount of one currency; none where Type is empty.
type Money struct {
	Type   string
	Amount int64
}
