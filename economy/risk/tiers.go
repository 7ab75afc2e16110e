package risk

// Players that entries come for lie unpacked in records (Book.records); beyond a
// number of them, those that were not heard of for longest are packed (pack.go) into
// pages. An entry unpacks its player; a question or a snapshot reads a packed one
// into records of its own and leaves it where it is. What is packed is the same to
// the last digit, so that no answer depends on it. Beyond a number of bytes packed ones
// are out of the process (cold.go).

// card is where a player is: three bits, and a number of 29.
type card uint32

const (
	cardNamed card = 1 << iota // by an entry of another
	cardHot                    // the number is that among players, else a place in the pages
	cardAway                   // or that of its record in the blob of its block (cold.go)
	cardBits  = iota
)

// noPlace is the place of a player without entries of its own. No record lies there.
const noPlace = 1<<29 - 1

func cardOf(number uint32, flags card) card { return card(number)<<cardBits | flags }
func (c card) number() uint32               { return uint32(c >> cardBits) }

// hot is the record of a player whom an entry is about; b.mu is held for writing.
func (b *Book) hot(p int32, from *desk) *player {
	c := b.cards.at(p)
	var number int32
	switch {
	case *c&cardHot != 0:
		number = int32(c.number())
	case *c&cardAway != 0:
		if record := from.fetched[p].record; record != nil {
			number = unpack(record, &b.records, ofAll, &b.lexicon, b.stashFrom)
		} else { // the book is lost, and this is to go on until another is made
			number = b.players.add()
		}
		b.cold.came(p)
		b.players.at(number).id = p
		*c = cardOf(uint32(number), *c&cardNamed|cardHot)
	case c.number() == noPlace:
		number = b.players.add()
		b.players.at(number).id = p
		*c = cardOf(uint32(number), *c&cardNamed|cardHot)
	default:
		place := c.number()
		number = unpack(b.packed.record(place), &b.records, ofAll, &b.lexicon, b.stashFrom)
		b.packed.drop(place)
		b.players.at(number).id = p
		*c = cardOf(uint32(number), *c&cardNamed|cardHot)
	}
	pl := b.players.at(number)
	pl.idle = false
	if b.players.used() > b.maxHot {
		b.cool(number)
	}
	return pl
}

// coolSteps is how many records are looked at to find one to pack: where all of them
// are in use, there are some more for a while.
const coolSteps = 64

// cool packs the next players that had no entry since the hand was there last, but
// not the one that is in use.
func (b *Book) cool(not int32) {
	for range coolSteps {
		if b.hand++; int(b.hand) >= b.players.n {
			b.hand = 0
		}
		pl := b.players.at(b.hand)
		switch {
		case pl.id == 0 || b.hand == not:
		case !pl.idle:
			pl.idle = true
		case b.freeze(b.hand, pl) && b.players.used() <= b.maxHot:
			return
		}
	}
}

// freeze packs a player, unless other records are kept by the number of a wallet of
// its, or it is too large.
func (b *Book) freeze(number int32, pl *player) bool {
	for i := pl.wallet; i != 0; i = b.wallets.at(i - 1).next {
		if _, owes := b.debts[i-1]; owes || b.wallets.at(i-1).chain.far != 0 {
			return false
		}
	}
	record := b.packer.pack(&b.records, pl, &b.lexicon)
	if len(record) > recordMost {
		return false
	}
	place, ok := b.packed.put(pl.id, record, b.moved)
	if !ok {
		return false
	}
	c := b.cards.at(pl.id)
	*c = cardOf(place, *c&cardNamed)
	b.records.drop(number)
	return true
}

func (b *Book) moved(owner int32, _, to uint32) {
	c := b.cards.at(owner)
	*c = cardOf(to, *c&cardNamed)
}

// read is a player and the records that it refers to: those of the book, or, where it
// is packed, into, which is good until it is read into again. b.mu is held, by rlock where
// the player may be away, and what is returned good for as long.
func (b *Book) read(p int32, into *desk, want section) (*player, *records) {
	c := *b.cards.at(p)
	if c&cardHot != 0 {
		return b.players.at(int32(c.number())), &b.records
	}
	into.reset()
	var record []byte
	switch {
	case c&cardAway != 0:
		record = into.fetched[p].record
	case c.number() != noPlace:
		record = b.packed.record(c.number())
	}
	if record == nil {
		return into.players.at(into.players.add()), &into.records
	}
	return into.players.at(unpack(record, &into.records, want, &b.lexicon, b.stashFrom)), &into.records
}
