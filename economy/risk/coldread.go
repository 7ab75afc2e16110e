package risk

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/economy"
)

// desk is records to read packed players into, and those records of them that were
// fetched for it.
type desk struct {
	records

	fetched map[int32]fetched
	list    []int32 // scratch
}

// fetched is the record of a player that is away. It is good for as long as the player's
// card and its blob are the same; nil: there is none.
type fetched struct {
	at, version uint32
	record      []byte
}

// desks are those that nobody sits at.
var desks = sync.Pool{New: func() any { return new(desk) }}

func takeDesk() *desk {
	d, _ := desks.Get().(*desk) // there is nothing else in it
	return d
}

func (d *desk) done() {
	clear(d.fetched)
	desks.Put(d)
}

// coldWant is a player to fetch.
type coldWant struct {
	player      int32
	at, version uint32
	size        int32 // of the blob
}

// missing are those of players that are away and not on the desk; b.mu is held. Bad: one
// of them is not where it is said to be.
func (b *Book) missing(d *desk, players []int32) (list []coldWant, bad bool) {
	for _, p := range players {
		c := *b.cards.at(p)
		if c&cardAway == 0 {
			continue
		}
		bl := &b.cold.blocks[p>>coldBits]
		f, ok := d.fetched[p]
		if ok && f.at == c.number() && f.version == bl.version {
			bad = bad || f.record == nil
			continue
		}
		list = append(list, coldWant{p, c.number(), bl.version, bl.size})
	}
	return list, bad
}

// rlock is b.mu.RLock with the records of those of some players that are away on the
// desk. Where they can't be read they are like players without entries.
func (b *Book) rlock(d *desk, players ...int32) {
	b.mu.RLock()
	if b.cold.n == 0 {
		return
	}
	clear(d.fetched)
	for {
		list, bad := b.missing(d, players)
		if bad {
			b.cold.lose()
		}
		if len(list) == 0 {
			return
		}
		b.mu.RUnlock()
		ok := b.fetch(d, list)
		b.mu.RLock()
		if !ok {
			return
		}
	}
}

// lockFor is b.mu.Lock with the records of those that entries are about, if they are
// away, on the desk. Where they can't be read the book is lost.
func (b *Book) lockFor(d *desk, entries []economy.Entry) {
	b.mu.Lock()
	if b.cold.n == 0 {
		return
	}
	clear(d.fetched)
	for {
		d.list = d.list[:0]
		for i := range entries {
			if p, ok := b.ids.find(string(entries[i].Player)); ok && *b.cards.at(p)&cardAway != 0 {
				d.list = append(d.list, p)
			}
		}
		list, bad := b.missing(d, d.list)
		if bad {
			b.cold.lose()
		}
		if len(list) == 0 {
			return
		}
		b.mu.Unlock()
		ok := b.fetch(d, list)
		b.mu.Lock()
		if !ok {
			b.cold.lose()
			return
		}
	}
}

const (
	// coldGuess is how much is read for one record at first; few are longer.
	coldGuess = 1 << 10
	// coldAtOnce is how many parts, and coldBytes how many bytes are read in one call.
	coldAtOnce = 256
	coldBytes  = 1 << 20
	sealBytes  = 8
)

// coldPiece is a part to be read and whom it is for.
type coldPiece struct {
	part economy.BlobPart
	list []coldWant
}

// fetch puts records on the desk; nobody holds b.mu. False: the Cold is away, or the book
// is lost.
func (b *Book) fetch(d *desk, list []coldWant) bool {
	if b.cold.lost.Load() {
		return false
	}
	if d.fetched == nil {
		d.fetched = map[int32]fetched{}
	}
	slices.SortFunc(list, func(x, y coldWant) int { return cmp.Compare(x.player, y.player) })
	list = slices.CompactFunc(list, func(x, y coldWant) bool { return x.player == y.player })
	var pieces []coldPiece
	bytes := 0
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].player>>coldBits == list[0].player>>coldBits {
			n++
		}
		name := b.cold.blob(list[0].player>>coldBits, list[0].version)
		if n*coldGuess >= int(list[0].size) || n > coldBlockSize/4 {
			pieces = append(pieces, coldPiece{economy.BlobPart{Name: name, Len: int(list[0].size)}, list[:n]})
			bytes += int(list[0].size)
		} else {
			for i := range n {
				pieces = append(pieces, coldPiece{economy.BlobPart{Name: name, From: int(list[i].at), Len: coldGuess}, list[i : i+1]})
			}
			bytes += n * coldGuess
		}
		list = list[n:]
		if len(pieces) >= coldAtOnce || bytes >= coldBytes || len(list) == 0 {
			if !b.fetchPieces(d, pieces) {
				return false
			}
			pieces, bytes = pieces[:0], 0
		}
	}
	return true
}

func (b *Book) fetchPieces(d *desk, pieces []coldPiece) bool {
	for len(pieces) > 0 {
		parts := make([]economy.BlobPart, len(pieces))
		for i := range pieces {
			parts[i] = pieces[i].part
		}
		blobs, err := b.cold.to.Read(parts)
		if err != nil || len(blobs) != len(parts) {
			b.cold.miss()
			return false
		}
		var longer []coldPiece
		for i, blob := range blobs {
			for _, w := range pieces[i].list {
				record, short := b.cold.record(blob, int(w.at)-parts[i].From)
				if short > 0 && len(pieces[i].list) == 1 && parts[i].Len < short {
					longer = append(longer, coldPiece{economy.BlobPart{Name: parts[i].Name, From: int(w.at), Len: short}, pieces[i].list})
					continue
				}
				d.fetched[w.player] = fetched{w.at, w.version, record}
			}
		}
		pieces = longer
	}
	return true
}

// record is that at a place of what was read, nil where it is not what was sent, and how
// long what is read has to be where it ends before the record does.
func (k *cold) record(blob []byte, at int) (record []byte, short int) {
	if at < 0 || at+sealBytes+recordHead > len(blob) {
		return nil, 0
	}
	end := at + sealBytes + int(binary.LittleEndian.Uint16(blob[at+sealBytes:]))*unitBytes
	if end > len(blob) {
		return nil, end - at
	}
	record = blob[at+sealBytes : end]
	if k.seal(record) != binary.LittleEndian.Uint64(blob[at:]) {
		return nil, 0
	}
	return record, 0
}
