package risk

import (
	"crypto/rand"
	"hash/maphash"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
)

// What is packed beyond Config.Resident goes out of the process, with its seal, in blobs
// of coldBlockSize players with numbers in a row: a snapshot, which reads every player in
// the order of numbers, reads a blob at a time, and an entry or a question the one record
// that it needs. What is away is the same to the last digit. A blob is never written to:
// another with another name takes its place, and a record that came back stays in it as a
// hole until then. If one can't be read any more the book is lost, and its owner makes it
// again from the log.

// Cold keeps blobs for a book, out of the process. Its methods are safe for concurrent
// use and wait for some tenths of a second at most; errors say that it is away.
type Cold interface {
	// Put keeps a blob for coldFor.
	Put(name string, blob []byte, last time.Duration) error
	// Read is the parts asked for, in their order: shorter where a blob ends before, and
	// empty where there is none of the name.
	Read(parts []economy.BlobPart) ([][]byte, error)
	// Keep has blobs last so long from now on; 0 drops them.
	Keep(names []string, last time.Duration) error
}

const (
	coldBits      = 8
	coldBlockSize = 1 << coldBits
	// coldFor is for how long a blob lasts after its book was heard of last, and coldTend
	// how often that is: what a process that was killed leaves behind goes by itself.
	coldFor  = time.Hour
	coldTend = 10 * time.Minute
	// coldRest is how long a Cold that failed is left alone.
	coldRest = 2 * time.Second
	// coldDead is how many names of blobs without players wait to be dropped. Rule when
	// there are more: they go by themselves after coldFor.
	coldDead = 4096
)

// coldBlock is what is known here of a blob.
type coldBlock struct {
	version uint32 // of its name; 0: there is none
	size    int32  // bytes
	live    int32  // players whose record is there
	// stash is the last entry of each stash in it, for forgetStashes: the player's number
	// within the block in the upper 16 bits, the time in the lower 48, sorted by player.
	stash []int64
}

// cold is what a book has out of the process.
type cold struct {
	to    Cold // nil: nothing
	most  int  // units of packed records that stay
	name  string
	seed  maphash.Seed
	wg    sync.WaitGroup
	start sync.Mutex // held to begin a sending, and to close
	ended atomic.Bool

	// b.mu guards what follows.
	blocks []coldBlock // by the players' numbers over coldBlockSize
	n      int         // players
	bytes  int64       // of blobs
	dead   []string    // blobs that nobody is in any more

	hand    int    // block that was sent last; who sends has it
	version uint32 // of the newest blob; likewise

	sending  atomic.Bool
	lost     atomic.Bool
	failures atomic.Uint64
	misses   atomic.Uint64 // of them, reads
	rest     atomic.Int64  // until when nothing is sent, ns of the clock
	reading  atomic.Int64  // likewise, and no snapshot is made
	tended   atomic.Int64  // likewise, when blobs were last told to last
}

func newCold(c *Config) *cold {
	if c.Cold == nil {
		return &cold{}
	}
	k := &cold{to: c.Cold, most: c.Resident / unitBytes, name: rand.Text(), seed: maphash.MakeSeed()}
	if k.most == 0 {
		k.most = 1 << 30 / unitBytes
	}
	return k
}

func (k *cold) blob(block int32, version uint32) string {
	return k.name + "." + strconv.Itoa(int(block)) + "." + strconv.FormatUint(uint64(version), 10)
}

// block is that of a player, which is made where it is the first of it; b.mu is held for
// writing.
func (k *cold) block(n int32) *coldBlock {
	for int(n) >= len(k.blocks) {
		k.blocks = append(k.blocks, coldBlock{})
	}
	return &k.blocks[n]
}

// came notes that a player's record is here again; b.mu is held for writing.
func (k *cold) came(p int32) {
	bl := &k.blocks[p>>coldBits]
	bl.live--
	k.n--
	if bl.live == 0 {
		k.bury(p>>coldBits, bl)
		bl.version, bl.stash = 0, nil
	}
}

// bury has a blob dropped; b.mu is held for writing.
func (k *cold) bury(n int32, bl *coldBlock) {
	if bl.version == 0 {
		return
	}
	if len(k.dead) < coldDead {
		k.dead = append(k.dead, k.blob(n, bl.version))
	}
	k.bytes -= int64(bl.size)
}

// fail notes that the Cold is away.
func (k *cold) fail() {
	k.failures.Add(1)
	k.rest.Store(time.Now().Add(coldRest).UnixNano())
}

// miss notes that it can't be read.
func (k *cold) miss() {
	k.misses.Add(1)
	k.fail()
	k.reading.Store(k.rest.Load())
}

// lose notes that something can't be read any more.
func (k *cold) lose() {
	k.failures.Add(1)
	k.misses.Add(1)
	k.lost.Store(true)
}

// seal is what a record has before it, out of the process: nobody else can make it.
func (k *cold) seal(record []byte) uint64 { return maphash.Bytes(k.seed, record) }

// ColdStats is what a book has out of the process.
type ColdStats struct {
	Players  int
	Bytes    int64  // of blobs, holes included
	Failures uint64 // calls and records that could not be read, or written, so far
}

// Cold says what the book has out of the process.
func (b *Book) Cold() ColdStats {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return ColdStats{b.cold.n, b.cold.bytes, b.cold.failures.Load()}
}

// Tend implements economy.Book.
func (b *Book) Tend() bool {
	b.begin()
	k := b.cold
	if k.to == nil {
		return true
	}
	if k.lost.Load() {
		return false
	}
	b.mu.RLock()
	over := b.packed.live > k.most
	b.mu.RUnlock()
	now := time.Now().UnixNano()
	if was := k.tended.Load(); now-was > int64(coldTend) && k.tended.CompareAndSwap(was, now) {
		b.renewCold()
	}
	if over {
		b.send()
	}
	return true
}

// renewCold has all blobs last on, and drops the dead.
func (b *Book) renewCold() {
	k := b.cold
	b.mu.Lock()
	dead := k.dead
	k.dead = nil
	var names []string
	for i := range k.blocks {
		if k.blocks[i].live > 0 {
			names = append(names, k.blob(int32(i), k.blocks[i].version))
		}
	}
	b.mu.Unlock()
	if k.keep(dead, 0) != nil || k.keep(names, coldFor) != nil {
		k.fail()
		k.tended.Store(0) // again, before they are gone
	}
}

func (k *cold) keep(names []string, last time.Duration) error {
	if len(names) == 0 {
		return nil
	}
	return k.to.Keep(names, last)
}

// Close implements economy.Book.
func (b *Book) Close() {
	k := b.cold
	if k.to == nil {
		return
	}
	k.start.Lock() // nothing is begun any more
	k.ended.Store(true)
	k.start.Unlock()
	k.wg.Wait()
	b.mu.Lock()
	names := k.dead
	k.dead = nil
	for i := range k.blocks {
		if k.blocks[i].version != 0 {
			names = append(names, k.blob(int32(i), k.blocks[i].version))
		}
	}
	b.mu.Unlock()
	if k.keep(names, 0) != nil {
		k.failures.Add(1) // they go by themselves
	}
}
