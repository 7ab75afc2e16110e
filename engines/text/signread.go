package text

import "slices"

// tells is what a digit or sign says of a deal.
type tells uint8

const (
	tellsUnread tells = iota
	tellsNone
	tellsPrice  // of a number in real money
	tellsCoins  // of a number in a game's money
	tellsBulk   // thousands or millions of something
	tellsSum    // a number as large as a sum of money
	tellsRatio  // so many for so many
	tellsAlias  // a number that is a way to be reached
	tellsAt     // of a name in a network
	tellsNumber // of a name with a number: name#1234
)

// signAt returns what unit i is a sign of. It is read once a message: wares stand close to
// each other, and what is around each is looked through.
func (s *scratch) signAt(i int) tells {
	if len(s.read) == 0 {
		s.read = slices.Grow(s.read, len(s.norm.units))[:len(s.norm.units)]
		clear(s.read)
	}
	if s.read[i] == tellsUnread {
		s.read[i] = s.readSign(i)
	}
	return s.read[i]
}

func (s *scratch) readSign(i int) tells {
	units := s.norm.units
	switch u := &units[i]; {
	case u.class == classDigit:
		return s.readDigit(i)
	case s.money > 0 && currencySign(u.r) && s.priced(i):
		return tellsPrice
	case u.r == '#' && s.handleAt(i):
		return tellsNumber
	case u.r == '@' && s.handleAt(i):
		return tellsAt
	}
	return tellsNone
}

func (s *scratch) readDigit(i int) tells {
	units := s.norm.units
	switch {
	case s.glued(i + 1):
		return tellsPrice
	case s.coined(i + 1):
		return tellsCoins
	case s.bulk(i + 1):
		return tellsBulk
	case s.thousands(i + 1), s.cents(i):
		return tellsSum
	case s.ratio(i):
		return tellsRatio
	case s.alias(i):
		return tellsAlias
	case i > 0 && units[i-1].class == classDigit && (i+1 == len(units) || !units[i+1].class.alphabetic() || units[i+1].class.dense()):
		return tellsSum
	}
	return tellsNone
}
