package risk

import (
	"encoding/binary"
	"slices"
)

// A packed block is how many deals there are, their keys, and the deals with their
// legs one after the other, as players are packed.

func packedDeals(b []byte) int         { return int(binary.LittleEndian.Uint16(b)) }
func packedKey(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[2+8*i:]) }
func (k *packer) u16(v uint16)         { k.b = binary.LittleEndian.AppendUint16(k.b, v) }
func (k *packer) u32(v uint32)         { k.b = binary.LittleEndian.AppendUint32(k.b, v) }
func (k *packer) u64(v uint64)         { k.b = binary.LittleEndian.AppendUint64(k.b, v) }
func (k *unpacker) u16() uint16        { return binary.LittleEndian.Uint16(k.skip(2)) }
func (k *unpacker) u32() uint32        { return binary.LittleEndian.Uint32(k.skip(4)) }

func packDeals(bl *dealBlock) []byte {
	k := packer{last: bl.newest, b: make([]byte, 0, 64*len(bl.deals))}
	k.u16(uint16(len(bl.deals)))
	for i := range bl.deals {
		k.u64(bl.deals[i].key)
	}
	for i := range bl.deals {
		d := &bl.deals[i]
		k.time(d.at)
		k.i(int64(d.dev))
		k.u32(d.who)
		k.b = append(k.b, d.kind, d.flags, d.nItems, d.nBack)
		for j := range d.side {
			k.side(&d.side[j])
		}
		for _, l := range bl.legsOf(d) {
			k.leg(&l)
		}
	}
	return slices.Clip(slices.Clone(k.b))
}

func (k *packer) side(s *side) {
	k.mask(s.player == 0, s.cur == 0, s.gives == 0, s.out == 0, s.inN == 0, s.drain == 0, s.outEnd == 0)
	if s.player != 0 {
		k.u(uint64(s.player))
	}
	if s.cur != 0 {
		k.u(uint64(s.cur))
	}
	if s.gives != 0 {
		k.i(s.gives)
	}
	if s.out != 0 {
		k.i(s.out)
	}
	if s.inN != 0 {
		k.b = append(k.b, s.inN)
		k.i(s.in)
		k.i(s.inEnd)
		k.time(s.inAt)
		k.u(uint64(s.inCur))
	}
	if s.drain != 0 {
		k.b = append(k.b, s.drain)
	}
	if s.outEnd != 0 {
		k.u16(s.outEnd)
	}
}

func (k *packer) leg(l *leg) {
	k.mask(l.uid == 0, l.seen == 0, l.line == 0)
	k.u(uint64(l.item))
	k.i(l.count)
	if l.uid != 0 {
		k.u64(l.uid)
	}
	if l.seen != 0 {
		k.b = append(k.b, l.seen)
	}
	if l.line != 0 {
		k.u16(l.line)
	}
}

// unpackDeals adds the deals of a packed block, and their legs.
func unpackDeals(b []byte, newest int64, deals []deal, legs []leg) ([]deal, []leg) {
	n := packedDeals(b)
	k := unpacker{b: b[2+8*n:], last: newest}
	for i := range n {
		d := deal{key: packedKey(b, i), at: k.time(), dev: int32(k.i()), who: k.u32(), legs: int32(len(legs))}
		head := k.skip(4)
		d.kind, d.flags, d.nItems, d.nBack = head[0], head[1], head[2], head[3]
		for j := range d.side {
			k.side(&d.side[j])
		}
		for range int(d.nItems) + int(d.nBack) {
			legs = append(legs, k.leg())
		}
		deals = append(deals, d)
	}
	return deals, legs
}

func (k *unpacker) side(s *side) {
	has := k.u()
	if has&1 != 0 {
		s.player = int32(k.u())
	}
	if has&2 != 0 {
		s.cur = int32(k.u())
	}
	if has&4 != 0 {
		s.gives = k.i()
	}
	if has&8 != 0 {
		s.out = k.i()
	}
	if has&16 != 0 {
		s.inN = k.skip(1)[0]
		s.in, s.inEnd, s.inAt, s.inCur = k.i(), k.i(), k.time(), int32(k.u())
	}
	if has&32 != 0 {
		s.drain = k.skip(1)[0]
	}
	if has&64 != 0 {
		s.outEnd = k.u16()
	}
}

func (k *unpacker) leg() (l leg) {
	has := k.u()
	l.item, l.count = int32(k.u()), k.i()
	if has&1 != 0 {
		l.uid = k.fixed()
	}
	if has&2 != 0 {
		l.seen = k.skip(1)[0]
	}
	if has&4 != 0 {
		l.line = k.u16()
	}
	return l
}
