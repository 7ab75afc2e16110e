package risk

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"runtime"
	"strings"
)

// savedVersion changes whenever what is counted changes its meaning but not its
// layout: a book that was saved before is then not read.
const savedVersion = 5

// ErrSaved says that a saved book is damaged, or was saved by another build.
var ErrSaved = errors.New("risk: not a book that this build can read")

var savedCRC = crc64.MakeTable(crc64.ECMA)

// Save implements economy.Book. The records are written as they lie in memory: a
// saved book is good for the same layout on the same kind of machine, and it names
// both.
func (b *Book) Save(w io.Writer) error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	sum := crc64.New(savedCRC)
	buffered := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	s := &saver{w: buffered}
	s.text(b.layout())
	for _, p := range b.parts() {
		p.put(s)
	}
	if err := errors.Join(s.err, buffered.Flush()); err != nil {
		return fmt.Errorf("risk: save: %w", err)
	}
	if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, sum.Sum64())); err != nil {
		return fmt.Errorf("risk: save: %w", err)
	}
	return nil
}

// Load makes a book of one that was saved. Its error is ErrSaved, or wraps that of r.
func Load(c Config, r io.Reader) (*Book, error) {
	b := New(c)
	l := &loader{r: bufio.NewReaderSize(r, 1<<16), sum: crc64.New(savedCRC)}
	if layout := l.text(); l.err == nil && layout != b.layout() {
		return nil, ErrSaved
	}
	for _, p := range b.parts() {
		p.get(l)
	}
	want := l.sum.Sum64()
	var end [8]byte
	if l.err == nil {
		_, l.err = io.ReadFull(l.r, end[:])
	}
	switch {
	case errors.Is(l.err, io.EOF), errors.Is(l.err, io.ErrUnexpectedEOF):
		return nil, ErrSaved
	case l.err != nil:
		return nil, fmt.Errorf("risk: load: %w", l.err)
	case binary.LittleEndian.Uint64(end[:]) != want:
		return nil, ErrSaved
	}
	b.deals.reindex()
	for n, word := range b.lexicon.list {
		b.lexicon.at[word] = int32(n)
	}
	b.version++ // there is something that the empty snapshot does not know
	b.listen()
	return b, nil
}

// parts are all that a book counts, but for bans, which the store has anyway.
func (b *Book) parts() []part {
	return []part{
		namesPart{&b.ids},
		namesPart{&b.items},
		printsPart{&b.devices},
		namesPart{&b.coins},
		wordsPart{&b.words},
		listPart[uint32]{&b.lexicon.list},
		slabPart[card]{&b.cards},
		pagesPart{&b.packed},
		coldPart{b},
		slabPart[player]{&b.players},
		slabPart[home]{&b.homes},
		slabPart[wallet]{&b.wallets},
		slabPart[early]{&b.starts},
		slabPart[diary]{&b.diaries},
		slabPart[flow]{&b.flows},
		slabPart[payments]{&b.paid},
		slabPart[stash]{&b.stashes},
		numberPart{&b.stashN},
		numberPart{&b.stashFrom},
		farPart{&b.far},
		dealsPart{&b.deals},
		loosePart{&b.loose},
		listPart[find]{&b.finds},
		slabPart[claim]{&b.claims},
		mapPart[uint64, int32]{&b.claimIndex},
		mapPart[int32, debt]{&b.debts},
		listPart[telling]{&b.tellings},
		numberPart{&b.claimFrom},
		listsPart[flag]{&b.flags},
		listsPart[int64]{&b.adverts},
		listPart[uint32]{&b.coinWords},
		mapPart[flowKey, int32]{&b.earners},
		beatsPart{&b.beats},
		numberPart{&b.newest},
		numberPart{&b.oldest},
		numberPart{&b.advertised},
	}
}

// layout describes what a saved book is made of.
func (b *Book) layout() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d %s", savedVersion, runtime.GOARCH)
	for _, p := range b.parts() {
		s.WriteString("\n" + p.layout())
	}
	return s.String()
}
