package risk

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// unpacker reads what packer wrote, which was never out of this process's hands.
type unpacker struct {
	b    []byte
	last int64
}

func (k *unpacker) u() uint64 {
	if c := k.b[0]; c < 0x80 {
		k.b = k.b[1:]
		return uint64(c)
	}
	return k.long()
}

func (k *unpacker) long() uint64 {
	v, n := binary.Uvarint(k.b)
	k.b = k.b[n:]
	return v
}

func (k *unpacker) i() int64          { return unzigzag(k.u()) }
func (k *unpacker) time() int64       { return k.last - k.i() }
func (k *unpacker) minute() int32     { return int32(k.last/minute - k.i()) }
func (k *unpacker) f64() float64      { return math.Float64frombits(k.fixed()) }
func (k *unpacker) skip(n int) []byte { was := k.b; k.b = k.b[n:]; return was[:n] }
func (k *unpacker) fixed() uint64     { return binary.LittleEndian.Uint64(k.skip(8)) }

func (k *unpacker) f32() float32 {
	v := k.u()
	if v&1 == 0 {
		return float32(v >> 1)
	}
	return math.Float32frombits(uint32(v >> 1))
}

// unpack makes records of a packed player again, of the sections that are wanted, and
// returns its number among them. Stashes that had no entry from a time on are left out.
func unpack(record []byte, r *records, want section, words *lexicon, stashFrom int64) int32 {
	k := unpacker{b: record[recordHead:]}
	var size [4]int
	for i := range size {
		size[i] = int(k.u())
	}
	number := r.players.add()
	pl := r.players.at(number)
	body := k.b
	k.player(r, pl)
	body = body[size[0]:]
	k.b = body[:size[1]]
	for next := &pl.wallet; want&ofWallets != 0 && len(k.b) > 0; {
		*next = r.wallets.add() + 1
		w := r.wallets.at(*next - 1)
		k.wallet(r, w)
		next = &w.next
	}
	body = body[size[1]:]
	k.b = body[:size[2]]
	for next := &pl.stash; want&ofStashes != 0 && len(k.b) > 0; {
		var s stash
		if k.stash(&s); s.lastAt < stashFrom {
			continue
		}
		*next = r.stashes.add() + 1
		at := r.stashes.at(*next - 1)
		*at = s
		next = &at.next
	}
	body = body[size[2]:]
	k.b = body[:size[3]]
	for next := &pl.flow; want&ofFlows != 0 && len(k.b) > 0; {
		*next = r.flows.add() + 1
		f := r.flows.at(*next - 1)
		k.flow(f, words)
		next = &f.next
	}
	if k.b = body[size[3]:]; want&ofDiary != 0 {
		k.diary(r, pl)
	}
	return number
}

func (k *unpacker) player(r *records, pl *player) {
	k.last = k.i()
	pl.last = k.last
	pl.first = k.time()
	has, devs := k.u(), k.u()
	if has&1 != 0 {
		pl.played = k.time()
	}
	if has&2 != 0 {
		pl.created = k.time()
	}
	if has&4 != 0 {
		pl.odd = uint16(k.u())
	}
	pl.plays = uint32(k.u())
	pl.dayNo = int32(k.last/day - k.i())
	pl.days = k.u()
	for ; devs != 0; devs &= devs - 1 {
		d := &pl.devs[bits.TrailingZeros64(devs)]
		d.id = int32(k.u())
		d.last = k.minute()
		d.first = int32(int64(d.last) - k.i())
	}
	if has&8 != 0 {
		pl.home = r.homes.add() + 1
		h := r.homes.at(pl.home - 1)
		for i := range h {
			h[i].id = k.fixed()
			h[i].last = k.minute()
			h[i].first = int32(int64(h[i].last) - k.i())
		}
	}
}

func (k *unpacker) wallet(r *records, w *wallet) {
	w.cur = int32(k.u())
	has := k.u()
	for i := range w.sum {
		if has>>i&1 != 0 {
			w.sum[i] = k.f64()
		}
	}
	if has&(1<<3) != 0 {
		w.pay = r.paid.add() + 1
		k.payments(r.paid.at(w.pay - 1))
	}
	if has&(1<<4) != 0 {
		w.debits = uint32(k.u())
	}
	if has&(1<<5) != 0 {
		w.last = k.time()
	}
	if has&(1<<6) != 0 {
		w.first = k.time()
	}
	w.after = k.i()
	w.before = k.i()
	k.chain(w)
	from := k.u()
	sizes := w.size[from : from+k.u()]
	for i := range sizes {
		sizes[i] = uint16(k.u())
	}
}

func (k *unpacker) chain(w *wallet) {
	for open := k.u(); open != 0; open &= open - 1 {
		tag := k.u()
		value, at, n := w.after, w.last, +1
		switch tag & 3 {
		case 0:
			value = k.i()
		case 2:
			value = w.before
		}
		switch tag >> 2 & 3 {
		case 0:
			at = k.time()
		case 2:
			at = w.first
		}
		switch tag >> 4 {
		case 0:
			n = int(k.i())
		case 2:
			n = -1
		}
		w.chain.ends[bits.TrailingZeros64(open)] = newEnd(value, at, n)
	}
}

func (k *unpacker) payments(y *payments) {
	y.bought, y.charged = k.f64(), k.f64()
	y.buys, y.charges = uint16(k.u()), uint16(k.u())
	y.buyAt, y.reAt = k.i(), k.i()
	y.recalled, y.since = k.i(), k.i()
}

func (k *unpacker) stash(s *stash) {
	s.item = int32(k.u())
	has := k.u()
	s.lastAt = k.time()
	s.firstAt = s.lastAt - k.i()
	if has&1 != 0 {
		s.found = k.f64()
	}
	for i, v := range [...]*int64{&s.before, &s.after, &s.net, &s.biggest} {
		if has>>(i+1)&1 != 0 {
			*v = k.i()
		}
	}
	if has&(1<<5) != 0 {
		s.gains = uint32(k.u())
	}
	if has&(1<<6) != 0 {
		s.entries = uint32(k.u())
	}
}

func (k *unpacker) flow(f *flow, words *lexicon) {
	f.source, f.what = words.list[k.u()], words.list[k.u()]
	when := k.u()
	f.when = int32(int64(hourOf(k.last))-unzigzag(when>>2))<<2 | int32(when&3)
	code := binary.LittleEndian.Uint16(k.skip(2))
	for i := range f.n {
		switch code >> (2 * i) & 3 {
		case 1:
			f.n[i], f.sum[i] = f.n[i-2], f.sum[i-2]
		case 2:
			f.n[i] = uint16(k.u())
			f.sum[i] = k.f32()
		}
	}
}

func (k *unpacker) diary(r *records, pl *player) {
	switch k.u() {
	case noDiary:
		return
	case anEarly:
		n := r.starts.add()
		pl.diary = -n - 1
		done := r.starts.at(n)[:min(pl.plays, diaryFrom)]
		for i := range done {
			done[i] = int32(k.last/hour*(mixCells+1) - k.i())
		}
		return
	}
	n := r.diaries.add()
	pl.diary = n + 1
	d := r.diaries.at(n)
	d.hourNo = int32(k.last/hour - k.i())
	uncells(k, d.hours[:])
	uncells(k, d.mix[:])
}

func uncells[T uint8 | uint16](k *unpacker, list []T) {
	at := uint64(0)
	for n := k.u(); n > 0; n-- {
		at += k.u()
		list[at-1] = T(k.u())
	}
}
