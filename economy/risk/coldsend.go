package risk

import (
	"bytes"
	"encoding/binary"
	"slices"
	"time"
)

// send has packed players go away, behind whoever asks for it, until so many are left that
// there is room for more. It does not wait. What is under way is one blob; nothing else
// waits for the Cold, and while it is away all stay.
func (b *Book) send() {
	k := b.cold
	if time.Now().UnixNano() < k.rest.Load() || !k.sending.CompareAndSwap(false, true) {
		return
	}
	k.start.Lock()
	defer k.start.Unlock()
	if k.ended.Load() {
		return
	}
	k.wg.Add(1)
	b.behind(func() {
		defer k.wg.Done()
		defer k.sending.Store(false)
		b.sendAll()
	})
}

// sendAll sends a round of blocks at most.
func (b *Book) sendAll() {
	k := b.cold
	d := takeDesk()
	defer d.done()
	b.mu.RLock()
	blocks := (b.cards.n + coldBlockSize - 1) >> coldBits
	b.mu.RUnlock()
	for range blocks {
		b.mu.RLock()
		enough := b.packed.live <= k.most/8*7
		b.mu.RUnlock()
		if enough || k.ended.Load() || k.lost.Load() {
			return
		}
		if k.hand++; k.hand >= blocks {
			k.hand = 0
		}
		if !b.sendBlock(d, int32(k.hand)) {
			return
		}
	}
}

// sent is a player on its way.
type sent struct {
	player int32
	card   card // as it was
	record []byte
	at     uint32 // in the blob
}

// sendBlock sends what is packed of a block, together with what is away of it already;
// false where that can't be done.
func (b *Book) sendBlock(d *desk, n int32) bool {
	k := b.cold
	b.mu.RLock()
	list := b.packedOf(n)
	b.mu.RUnlock()
	if len(list) == 0 {
		return true
	}
	players := d.list[:0]
	for p := max(1, n<<coldBits); p < (n+1)<<coldBits; p++ {
		players = append(players, p)
	}
	d.list = players
	missed := k.misses.Load()
	b.mu.RLock()
	if int(players[len(players)-1]) >= b.cards.n {
		players = players[:b.cards.n-int(players[0])]
	}
	b.mu.RUnlock()
	b.rlock(d, players...)
	if k.misses.Load() != missed {
		b.mu.RUnlock()
		return false
	}
	list = b.packedOf(n) // once more: what was fetched may have come back meanwhile
	var old uint32
	if int(n) < len(k.blocks) {
		old = k.blocks[n].version
	}
	for _, p := range players {
		if c := *b.cards.at(p); c&cardAway != 0 {
			list = append(list, sent{player: p, card: c, record: d.fetched[p].record})
		}
	}
	slices.SortFunc(list, func(x, y sent) int { return int(x.player - y.player) })
	blob, stash := b.blobOf(d, list)
	b.mu.RUnlock()

	k.version++ // nobody else sends
	version := k.version
	if err := k.to.Put(k.blob(n, version), blob, coldFor); err != nil {
		k.fail()
		return false
	}
	b.mu.Lock()
	b.gone(n, old, coldBlock{version: version, size: int32(len(blob)), stash: stash}, list)
	for range tidySteps {
		if !b.packed.tidy(b.moved) {
			break
		}
	}
	dead := k.dead
	k.dead = nil
	b.mu.Unlock()
	if err := k.keep(dead, 0); err != nil {
		k.fail() // they go by themselves
	}
	return true
}

// tidySteps is how many pages are emptied for a blob that went.
const tidySteps = 4

// packedOf are the packed players of a block that are in the process, with copies of
// their records; b.mu is held.
func (b *Book) packedOf(n int32) (list []sent) {
	for p := max(1, n<<coldBits); p < min((n+1)<<coldBits, int32(b.cards.n)); p++ {
		if c := *b.cards.at(p); c&(cardHot|cardAway) == 0 && c.number() != noPlace {
			list = append(list, sent{player: p, card: c, record: bytes.Clone(b.packed.record(c.number()))})
		}
	}
	return list
}

// blobOf is the blob of some players, who are told where they are in it, and the last
// entries of their stashes; b.mu is held.
func (b *Book) blobOf(d *desk, list []sent) (blob []byte, stash []int64) {
	for i := range list {
		x := &list[i]
		x.at = uint32(len(blob))
		blob = binary.LittleEndian.AppendUint64(blob, b.cold.seal(x.record))
		blob = append(blob, x.record...)
		d.reset()
		pl := d.players.at(unpack(x.record, &d.records, ofStashes, &b.lexicon, b.stashFrom))
		for s := pl.stash; s != 0; s = d.stashes.at(s - 1).next {
			stash = append(stash, stashAt(x.player, d.stashes.at(s-1).lastAt))
		}
	}
	return blob, slices.Clip(stash)
}

func stashAt(p int32, at int64) int64 { return int64(p&(coldBlockSize-1))<<48 | at&(1<<48-1) }

// coldStashes calls f with the last entry of each stash of a player that is away; b.mu is
// held.
func (b *Book) coldStashes(p int32, f func(at int64)) {
	list := b.cold.blocks[p>>coldBits].stash
	from, _ := slices.BinarySearch(list, int64(p&(coldBlockSize-1))<<48)
	for _, v := range list[from:] {
		if v>>48 != int64(p&(coldBlockSize-1)) {
			return
		}
		if at := v << 16 >> 16; at >= b.stashFrom {
			f(at)
		}
	}
}

// gone notes that a blob holds players, but for those for whom an entry came meanwhile;
// b.mu is held for writing.
func (b *Book) gone(n int32, old uint32, bl coldBlock, list []sent) {
	k := b.cold
	was := k.block(n)
	for i := range list {
		x := &list[i]
		c := b.cards.at(x.player)
		if c.number() != x.card.number() || (*c^x.card)&^cardNamed != 0 {
			continue
		}
		if x.card&cardAway == 0 {
			if !bytes.Equal(b.packed.record(c.number()), x.record) {
				continue
			}
			b.packed.drop(c.number())
			k.n++
		} else if was.version != old {
			continue // it came back, and all others too
		}
		*c = cardOf(x.at, *c&cardNamed|cardAway)
		bl.live++
	}
	k.bury(n, was)
	k.bytes += int64(bl.size)
	if bl.live == 0 {
		k.bury(n, &bl)
		bl = coldBlock{}
	}
	*was = bl
}
