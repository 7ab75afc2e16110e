package risk

import "encoding/binary"

// pages hold packed records in blocks of memory without pointers, one after the
// other. A record is never changed where it lies; what is dropped leaves a hole, and
// where holes add up the page with most of them is emptied by moving what it still
// holds. Records lie at whole units, so that 29 bits reach 8 GB.
type pages struct {
	list []*page // nil: idle, and more than are kept
	idle []int32 // pages that hold nothing
	at   int32   // the page that is being filled
	fill int     // units of it
	live int     // units in all
}

const (
	unitBytes = 16
	pageUnits = 1 << 14
	// recordHead is what a record begins with: its units, 16 bits, and its owner, 32.
	recordHead = 6
	// recordMost is the largest record that is kept; what would be larger stays unpacked.
	recordMost = pageUnits * unitBytes / 16
	// holesAtMost is which part of the pages may be holes: one in so many.
	holesAtMost = 10
	// pagesAtMost is how many 29 bits can name.
	pagesAtMost = 1 << 29 / pageUnits
	// idleAtMost is how many pages that hold nothing are kept for the next.
	idleAtMost = 4
)

type page struct {
	live  int32 // units; -1: it is idle
	bytes [pageUnits * unitBytes]byte
}

// put keeps a record, of which the first recordHead bytes are left free for it, and
// returns its place; false where there is no room left to name. moved is told of each
// record that got another place by it.
func (s *pages) put(owner int32, record []byte, moved func(owner int32, from, to uint32)) (place uint32, ok bool) {
	units := (len(record) + unitBytes - 1) / unitBytes
	binary.LittleEndian.PutUint16(record, uint16(units))
	binary.LittleEndian.PutUint32(record[2:], uint32(owner))
	for len(s.list) == 0 || s.fill+units > pageUnits {
		if !s.turn(moved) {
			return 0, false
		}
	}
	return s.append(record, units), true
}

func (s *pages) append(record []byte, units int) uint32 {
	p := s.list[s.at]
	place := uint32(int(s.at)*pageUnits + s.fill)
	copy(p.bytes[s.fill*unitBytes:], record)
	s.fill += units
	p.live += int32(units)
	s.live += units
	return place
}

// record is what lies at a place, its head included. It is good until the next put.
func (s *pages) record(place uint32) []byte {
	p, from := s.list[place/pageUnits], place%pageUnits*unitBytes
	n := uint32(binary.LittleEndian.Uint16(p.bytes[from:])) * unitBytes
	return p.bytes[from : from+n]
}

// drop makes a hole of a record.
func (s *pages) drop(place uint32) {
	p, from := s.list[place/pageUnits], place%pageUnits*unitBytes
	units := int(binary.LittleEndian.Uint16(p.bytes[from:]))
	binary.LittleEndian.PutUint32(p.bytes[from+2:], 0) // nobody's
	p.live -= int32(units)
	s.live -= units
}

// turn begins another page, with what the emptiest one still holds where holes are
// many; false where there may be no more pages.
func (s *pages) turn(moved func(owner int32, from, to uint32)) bool {
	was, some := s.at, len(s.list) > 0
	if some {
		binary.LittleEndian.PutUint16(s.rest(), 0) // nothing from here on
	}
	if k := len(s.idle); k > 0 {
		s.at, s.idle = s.idle[k-1], s.idle[:k-1]
		if s.list[s.at] == nil {
			s.list[s.at] = new(page)
		}
		s.list[s.at].live = 0
	} else {
		if len(s.list) == pagesAtMost {
			return false
		}
		s.list = append(s.list, new(page))
		s.at = int32(len(s.list) - 1)
	}
	s.fill = 0
	if held := (len(s.list) - len(s.idle)) * pageUnits; some && (held-s.live)*holesAtMost > held {
		s.empty(s.emptiest(was), moved)
	}
	return true
}

// tidy empties a page where holes are many, and reports whether there may be more to do.
func (s *pages) tidy(moved func(owner int32, from, to uint32)) bool {
	held := (len(s.list) - len(s.idle) - 1) * pageUnits // but for the one that is being filled
	if held <= 0 || (held-s.live)*holesAtMost <= held {
		return false
	}
	least := s.emptiest(-1)
	switch {
	case least < 0:
		return false
	case s.fill+int(s.list[least].live) > pageUnits:
		return s.turn(moved)
	}
	return s.empty(least, moved)
}

// emptiest is the page with the least in it, but for the one that is being filled; at
// least one where nothing has less.
func (s *pages) emptiest(at int32) int32 {
	for i, p := range s.list {
		if int32(i) != s.at && p != nil && p.live >= 0 && (at < 0 || p.live < s.list[at].live) {
			at = int32(i)
		}
	}
	return at
}

// rest is the room left in the page that is being filled, and two bytes where it is full.
func (s *pages) rest() []byte {
	if s.fill == pageUnits {
		return make([]byte, 2)
	}
	return s.list[s.at].bytes[s.fill*unitBytes:]
}

// empty moves what a page holds to the page that is being filled, where there is room,
// unless it is nearly full too.
func (s *pages) empty(least int32, moved func(owner int32, from, to uint32)) bool {
	old := s.list[least]
	if int(old.live) > pageUnits*15/16 {
		return false
	}
	for at := 0; at < pageUnits; {
		units := int(binary.LittleEndian.Uint16(old.bytes[at*unitBytes:]))
		if units == 0 {
			break
		}
		record := old.bytes[at*unitBytes : (at+units)*unitBytes]
		if owner := int32(binary.LittleEndian.Uint32(record[2:])); owner != 0 {
			from := uint32(int(least)*pageUnits + at)
			s.live -= units
			moved(owner, from, s.append(record, units))
		}
		at += units
	}
	old.live = -1
	if len(s.idle) >= idleAtMost {
		s.list[least] = nil
	}
	s.idle = append(s.idle, least)
	return true
}
