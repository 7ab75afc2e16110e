package risk

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A player that was not heard of for a while is packed: all that is counted of it in
// one string of bytes, to the last digit. Times are told from that of its newest
// entry, words by their number, amounts in as many bytes as they need, and what is
// zero by a bit. It is a third to a quarter of the records.
//
// A record is: its head (see pages), the lengths of its first four sections, and the
// sections: the player itself, wallets, stashes, flows, diary.

// section is a part of a packed player that may be read by itself; the player always is.
type section uint8

const (
	ofWallets section = 1 << iota
	ofStashes
	ofFlows
	ofDiary
	ofAll = ofWallets | ofStashes | ofFlows | ofDiary
)

// packer writes packed players. Its buffers are used again.
type packer struct {
	out  []byte
	sect [5][]byte
	b    []byte // the section being written
	last int64  // newest entry of the player
}

func (k *packer) u(v uint64) { k.b = binary.AppendUvarint(k.b, v) }
func (k *packer) i(v int64)  { k.b = binary.AppendVarint(k.b, v) }

// time is a time in ms, near to that of the newest entry.
func (k *packer) time(at int64) { k.i(k.last - at) }

// minute is a time in minutes, likewise.
func (k *packer) minute(m int32) { k.i(k.last/minute - int64(m)) }

func (k *packer) f64(v float64) { k.b = binary.LittleEndian.AppendUint64(k.b, math.Float64bits(v)) }

// f32 is mostly a whole number.
func (k *packer) f32(v float32) {
	b := math.Float32bits(v)
	if v >= 0 && v < 1<<24 && math.Float32bits(float32(uint32(v))) == b {
		k.u(uint64(v) << 1)
		return
	}
	k.u(uint64(b)<<1 | 1)
}

// mask is bits that say which values are not zero.
func (k *packer) mask(zero ...bool) {
	m := uint64(0)
	for i, z := range zero {
		if !z {
			m |= 1 << i
		}
	}
	k.u(m)
}

// pack is the record of a player; it is good until the next.
func (k *packer) pack(r *records, pl *player, words *lexicon) []byte {
	k.last = pl.last
	for i := range k.sect {
		k.b = k.sect[i][:0]
		switch i {
		case 0:
			k.player(r, pl)
		case 1:
			for n := pl.wallet; n != 0; n = r.wallets.at(n - 1).next {
				k.wallet(r, r.wallets.at(n-1))
			}
		case 2:
			for n := pl.stash; n != 0; n = r.stashes.at(n - 1).next {
				k.stash(r.stashes.at(n - 1))
			}
		case 3:
			for n := pl.flow; n != 0; n = r.flows.at(n - 1).next {
				k.flow(r.flows.at(n-1), words)
			}
		case 4:
			k.diary(r, pl)
		}
		k.sect[i] = k.b
	}
	k.b = append(k.out[:0], make([]byte, recordHead)...)
	for _, s := range k.sect[:4] {
		k.u(uint64(len(s)))
	}
	for _, s := range k.sect {
		k.b = append(k.b, s...)
	}
	k.out = k.b
	return k.out
}

func (k *packer) player(r *records, pl *player) {
	k.i(pl.last)
	k.time(pl.first)
	devs := 0
	for i := range pl.devs {
		if pl.devs[i].id != 0 {
			devs |= 1 << i
		}
	}
	k.mask(pl.played == 0, pl.created == 0, pl.odd == 0, pl.home == 0)
	k.u(uint64(devs))
	if pl.played != 0 {
		k.time(pl.played)
	}
	if pl.created != 0 {
		k.time(pl.created)
	}
	if pl.odd != 0 {
		k.u(uint64(pl.odd))
	}
	k.u(uint64(pl.plays))
	k.i(k.last/day - int64(pl.dayNo))
	k.u(pl.days)
	for i := range pl.devs {
		if d := &pl.devs[i]; d.id != 0 {
			k.u(uint64(d.id))
			k.minute(d.last)
			k.i(int64(d.last) - int64(d.first))
		}
	}
	if pl.home != 0 {
		for _, a := range r.homes.at(pl.home - 1) {
			k.b = binary.LittleEndian.AppendUint64(k.b, a.id)
			k.minute(a.last)
			k.i(int64(a.last) - int64(a.first))
		}
	}
}

func (k *packer) wallet(r *records, w *wallet) {
	k.u(uint64(w.cur))
	k.mask(w.sum[0] == 0, w.sum[1] == 0, w.sum[2] == 0, w.pay == 0, w.debits == 0, w.last == 0, w.first == 0)
	for _, v := range w.sum {
		if v != 0 {
			k.f64(v)
		}
	}
	if w.pay != 0 {
		k.payments(r.paid.at(w.pay - 1))
	}
	if w.debits != 0 {
		k.u(uint64(w.debits))
	}
	if w.last != 0 {
		k.time(w.last)
	}
	if w.first != 0 {
		k.time(w.first)
	}
	k.i(w.after)
	k.i(w.before)
	k.chain(w)
	from, n := uint32(0), len(w.size)
	for n > 0 && w.size[n-1] == 0 {
		n--
	}
	for int(from) < n && w.size[from] == 0 {
		from++
	}
	k.u(uint64(from))
	k.u(uint64(n) - uint64(from))
	for _, c := range w.size[from:n] {
		k.u(uint64(c))
	}
}

// chain is the open ends of a wallet, which are mostly its first and its last balance.
func (k *packer) chain(w *wallet) {
	open := uint64(0)
	for i := range w.chain.ends {
		if w.chain.ends[i] != (end{}) {
			open |= 1 << i
		}
	}
	k.u(open)
	for ; open != 0; open &= open - 1 {
		e := &w.chain.ends[bits.TrailingZeros64(open)]
		tag := uint64(0)
		switch e.value {
		case w.after:
			tag = 1
		case w.before:
			tag = 2
		}
		switch e.at() {
		case w.last:
			tag |= 1 << 2
		case w.first:
			tag |= 2 << 2
		}
		switch e.n() {
		case +1:
			tag |= 1 << 4
		case -1:
			tag |= 2 << 4
		}
		k.u(tag)
		if tag&3 == 0 {
			k.i(e.value)
		}
		if tag>>2&3 == 0 {
			k.time(e.at())
		}
		if tag>>4 == 0 {
			k.i(int64(e.n()))
		}
	}
}

func (k *packer) payments(y *payments) {
	k.f64(y.bought)
	k.f64(y.charged)
	k.u(uint64(y.buys))
	k.u(uint64(y.charges))
	k.i(y.buyAt)
	k.i(y.reAt)
	k.i(y.recalled)
	k.i(y.since)
}

func (k *packer) stash(s *stash) {
	k.u(uint64(s.item))
	k.mask(s.found == 0, s.before == 0, s.after == 0, s.net == 0, s.biggest == 0, s.gains == 0, s.entries == 0)
	k.time(s.lastAt)
	k.i(s.lastAt - s.firstAt)
	if s.found != 0 {
		k.f64(s.found)
	}
	for _, v := range [...]int64{s.before, s.after, s.net, s.biggest} {
		if v != 0 {
			k.i(v)
		}
	}
	if s.gains != 0 {
		k.u(uint64(s.gains))
	}
	if s.entries != 0 {
		k.u(uint64(s.entries))
	}
}

// flow is what of its windows is neither zero nor what the next shorter one has.
func (k *packer) flow(f *flow, words *lexicon) {
	k.u(uint64(words.number(f.source)))
	k.u(uint64(words.number(f.what)))
	k.u(zigzag(int64(hourOf(k.last))-int64(f.hour()))<<2 | uint64(f.when&3))
	code := uint64(0)
	for i := range f.n {
		switch {
		case f.n[i] == 0 && math.Float32bits(f.sum[i]) == 0:
		case i >= 2 && f.n[i] == f.n[i-2] && math.Float32bits(f.sum[i]) == math.Float32bits(f.sum[i-2]):
			code |= 1 << (2 * i)
		default:
			code |= 2 << (2 * i)
		}
	}
	k.b = binary.LittleEndian.AppendUint16(k.b, uint16(code))
	for i := range f.n {
		if code>>(2*i)&3 == 2 {
			k.u(uint64(f.n[i]))
			k.f32(f.sum[i])
		}
	}
}

// What a packed player has for a diary. The record may be longer than what is in it.
const (
	noDiary = iota
	anEarly
	aDiary
)

func (k *packer) diary(r *records, pl *player) {
	switch {
	case pl.diary == 0:
		k.u(noDiary)
	case pl.diary < 0:
		k.u(anEarly)
		for _, done := range r.starts.at(-pl.diary - 1)[:min(pl.plays, diaryFrom)] {
			k.i(k.last/hour*(mixCells+1) - int64(done))
		}
	default:
		d := r.diaries.at(pl.diary - 1)
		k.u(aDiary)
		k.i(k.last/hour - int64(d.hourNo))
		cells(k, d.hours[:])
		cells(k, d.mix[:])
	}
}

// cells are the places of a list that are not zero, by the distance to the one before.
func cells[T uint8 | uint16](k *packer, list []T) {
	n := 0
	for _, v := range list {
		if v != 0 {
			n++
		}
	}
	k.u(uint64(n))
	was := -1
	for i, v := range list {
		if v != 0 {
			k.u(uint64(i - was))
			k.u(uint64(v))
			was = i
		}
	}
}

func zigzag(v int64) uint64   { return uint64(v<<1) ^ uint64(v>>63) }
func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
