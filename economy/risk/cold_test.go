package risk

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// memoryCold is a Cold in memory.
type memoryCold struct {
	mu    sync.Mutex
	blobs map[string][]byte
	last  map[string]time.Duration
	err   error
	reads int
}

func newMemoryCold() *memoryCold {
	return &memoryCold{blobs: map[string][]byte{}, last: map[string]time.Duration{}}
}

func (m *memoryCold) Put(name string, blob []byte, last time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.blobs[name], m.last[name] = bytes.Clone(blob), last
	}
	return m.err
}

func (m *memoryCold) Read(parts []economy.BlobPart) (list [][]byte, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	for _, p := range parts {
		b := m.blobs[p.Name]
		list = append(list, bytes.Clone(b[min(p.From, len(b)):min(p.From+p.Len, len(b))]))
	}
	return list, m.err
}

func (m *memoryCold) Keep(names []string, last time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		if m.last[name] = last; last == 0 {
			delete(m.blobs, name)
			delete(m.last, name)
		}
	}
	return m.err
}

func (m *memoryCold) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// each changes what lies there.
func (m *memoryCold) each(f func(name string, blob []byte)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, b := range m.blobs {
		f(name, b)
	}
}

// coldBook is a book that sends all that is packed, while whoever counts waits for it.
func coldBook(to Cold, hot, stashes int) *Book {
	return New(Config{Fresh: -1, Measure: true, Hot: hot, Stashes: stashes, Cold: to, Resident: unitBytes, Behind: func(f func()) { f() }})
}

// Whatever is out of the process, every answer is the same to the last digit, in order
// and late, saved and read again, and with few stashes.
func TestColdAnswersAlike(t *testing.T) {
	for seed := range uint64(2) {
		w := newWorld(seed, 8)
		w.villains(w.populate(150))
		entries := w.run()
		if seed > 0 {
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(entries)/2, func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		}
		stashes := []int{0, 600}[seed]
		ban := economy.Ban{Player: "casual23", ID: "b", Type: economy.Permanent, Created: entries[0].At}
		to := newMemoryCold()
		here, away := New(Config{Fresh: -1, Measure: true, Hot: 1 << 20, Stashes: stashes}), coldBook(to, 20, stashes)
		for _, b := range []*Book{here, away} {
			b.Ban(&ban)
			for list := range slices.Chunk(entries, 7) {
				b.Apply(list)
			}
		}
		if c := away.Cold(); c.Players < 60 || c.Failures != 0 || away.packed.live > away.players.used()*20 {
			t.Fatalf("%+v out of the process, %d units packed in it", c, away.packed.live)
		}
		known := answers(here, w)
		if diff := cmp.Diff(known, answers(away, w)); diff != "" {
			t.Errorf("seed %d:\n%s", seed, diff)
		}
		for _, p := range []engines.PlayerID{"casual23", "casual21"} {
			x, _ := here.Around(p, 2, 20, here.Newest())
			y, _ := away.Around(p, 2, 20, here.Newest())
			if diff := cmp.Diff(x, y); diff != "" {
				t.Errorf("seed %d, around %s:\n%s", seed, p, diff)
			}
		}
		again, err := Load(Config{Fresh: -1, Measure: true, Hot: 30, Stashes: stashes, Cold: to, Resident: unitBytes, Behind: func(f func()) { f() }}, bytes.NewReader(saved(t, away)))
		if err != nil {
			t.Fatal(err)
		}
		again.Ban(&ban)
		if !again.Tend() || again.Cold().Players < 60 {
			t.Errorf("%+v out of the process of a book that was read", again.Cold())
		}
		if diff := cmp.Diff(known, answers(again, w)); diff != "" {
			t.Errorf("seed %d, read again:\n%s", seed, diff)
		}
		away.Close()
		again.Close()
		if len(to.blobs) != 0 {
			t.Errorf("%d blobs are left", len(to.blobs))
		}
	}
}

// coldWorld is a book with players out of the process, and its entries.
func coldWorld(t *testing.T, to Cold) (*Book, []economy.Entry) {
	t.Helper()
	w := newWorld(3, 4)
	w.populate(80)
	entries := w.run()
	b := coldBook(to, 10, 0)
	b.Apply(entries)
	if b.Cold().Players < 40 {
		t.Fatalf("%+v out of the process", b.Cold())
	}
	return b, entries
}

// A Cold that is away: nothing goes, and what is there is counted on; snapshots wait, and
// an entry of a player who is out of the process has the book made again.
func TestColdThatIsAway(t *testing.T) {
	to := newMemoryCold()
	b, entries := coldWorld(t, to)
	to.fail(errors.New("away"))
	was := b.current()
	b.version++
	b.publish()
	if got := b.renew(); got != was {
		t.Error("a snapshot of some players only")
	}
	if !b.Tend() {
		t.Error("lost, though only snapshots wait")
	}
	to.fail(nil)
	b.cold.reading.Store(0)
	if got := b.renew(); got == was {
		t.Error("no snapshot when it is back")
	}
	to.fail(errors.New("away"))
	b.Apply(entries[:200])
	if b.Tend() {
		t.Error("not lost, though entries could not be counted")
	}
	if b.Save(&bytes.Buffer{}) == nil {
		t.Error("a book was saved that is lost")
	}

	// Nothing goes to one that was never there.
	b = coldBook(to, 10, 0)
	b.Apply(entries)
	if c := b.Cold(); c.Players != 0 || c.Failures == 0 || !b.Tend() {
		t.Errorf("%+v", c)
	}
	if r, known := b.Risk("casual21", b.Newest()); !known || b.current().version != b.version {
		t.Errorf("%+v, %v: without it everything is here", r, known)
	}
}

// What is gone, or is not what was sent, is never counted with.
func TestColdThatForgets(t *testing.T) {
	for name, harm := range map[string]func(m *memoryCold){
		"nothing is there": func(m *memoryCold) { clear(m.blobs) },
		"a bit is another": func(m *memoryCold) {
			m.each(func(_ string, b []byte) {
				for i := sealBytes + recordHead; i < len(b); i += 40 {
					b[i] ^= 1
				}
			})
		},
		"the lengths are others": func(m *memoryCold) {
			m.each(func(_ string, b []byte) {
				for i := range b {
					b[i] = 0xff
				}
			})
		},
		"they end early": func(m *memoryCold) {
			m.each(func(name string, b []byte) { m.blobs[name] = b[:len(b)/2] })
		},
	} {
		t.Run(name, func(t *testing.T) {
			to := newMemoryCold()
			b, entries := coldWorld(t, to)
			harm(to)
			was := b.snap.Load()
			b.Apply(entries[:500])
			if b.Tend() {
				t.Error("not lost")
			}
			if b.renew() != was {
				t.Error("a snapshot of some players only")
			}
			p := economy.Proposal{Sender: "casual21", Receiver: "casual22"}
			b.Evaluate(&p, b.Newest()) // it answers on
			b.Features("casual21", b.Newest())
		})
	}
}

// Entries, questions, snapshots and sendings at once; what is counted in the end is what
// a book without a Cold counts.
func TestColdAtOnce(t *testing.T) {
	w := newWorld(5, 4)
	w.populate(60)
	entries := w.run()
	to := newMemoryCold()
	b := New(Config{Measure: true, Hot: 10, Cold: to, Resident: unitBytes})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for list := range slices.Chunk(entries[i*len(entries)/4:(i+1)*len(entries)/4], 40) {
				b.Apply(list)
				b.Tend()
			}
		})
	}
	stop := make(chan struct{})
	var asking sync.WaitGroup
	for range 2 {
		asking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				p := economy.Proposal{Sender: "casual23", Receiver: "casual27"}
				b.Evaluate(&p, b.Newest())
				b.Features("casual29", b.Newest())
				b.making.Lock()
				b.renew()
				b.making.Unlock()
			}
		})
	}
	wg.Wait()
	close(stop)
	asking.Wait()
	b.send()
	b.cold.wg.Wait()
	if c := b.Cold(); c.Players == 0 || c.Failures != 0 {
		t.Fatalf("%+v", c)
	}
	here := New(Config{Measure: true})
	here.Apply(entries)
	for _, p := range []engines.PlayerID{"casual23", "casual27", "casual29", "casual20"} {
		x, _ := here.Features(p, here.Newest())
		y, _ := b.Features(p, here.Newest())
		if diff := cmp.Diff(x.Flows, y.Flows); diff != "" || x.ActiveDays != y.ActiveDays {
			t.Errorf("%s: %s", p, diff)
		}
	}
	b.Close()
	b.Close() // again
	if len(to.blobs) != 0 {
		t.Errorf("%d blobs are left", len(to.blobs))
	}
}

// Blobs last while their book is heard of.
func TestColdLasts(t *testing.T) {
	to := newMemoryCold()
	b, _ := coldWorld(t, to)
	for name := range to.last {
		to.last[name] = time.Second
	}
	b.cold.tended.Store(0)
	if !b.Tend() {
		t.Fatal("lost")
	}
	n := 0
	for name, last := range to.last {
		if to.blobs[name] != nil && last == coldFor {
			n++
		}
	}
	if n == 0 || n != len(to.last) {
		t.Errorf("%d of %d last on", n, len(to.last))
	}
}
