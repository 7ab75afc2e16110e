package banks

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/bank"
	"github.com/portcullis-gg/portcullis/internal/follow"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// readWithin bounds one look at the store, which may bring ten million hashes.
	readWithin = 30 * time.Minute
	// importsAtOnce are read in one question.
	importsAtOnce = 1000
)

// Keeper has the banks of all apps ready to look pictures up. Its methods are safe for
// concurrent use; Known never waits.
type Keeper struct {
	cfg      Config
	deps     Deps
	now      func() time.Time
	view     atomic.Pointer[view]
	follower *follow.Follower

	mu    sync.Mutex // guards what follows, and that banks are made one by one
	banks map[string]*held
}

// view is the banks as Known sees them. It does not change.
type view struct {
	all  []*held // that count for every app
	apps map[engines.AppID][]*held
}

// New makes a keeper. Load reads what is stored; Serve follows it.
func New(cfg Config, deps Deps) *Keeper {
	k := &Keeper{cfg: cfg, deps: deps, now: deps.Now, banks: map[string]*held{}}
	if k.now == nil {
		k.now = time.Now
	}
	k.view.Store(&view{})
	k.follower = follow.New(k.now, k.read, func(ctx context.Context, err error) { deps.Log.WarnContext(ctx, "image banks not read", "err", err) })
	return k
}

// Load reads all banks. Call it before anybody is answered: ten million hashes take
// some ten seconds.
func (k *Keeper) Load(ctx context.Context) error { return k.follower.Load(ctx) }

// Serve follows what other gateways change and writes counts until ctx ends.
func (k *Keeper) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { k.follower.Serve(ctx) })
	wg.Go(func() { k.keepCounts(ctx) })
	wg.Wait()
}

// Told has banks looked at, since another gateway changed one. It does not wait.
func (k *Keeper) Told() { k.follower.Told() }

// Known appends a signal for each live bank that knows a picture, and counts what live
// banks and those under test find.
func (k *Keeper) Known(app engines.AppID, f *engines.MediaFacts, out []engines.Signal) []engines.Signal {
	v := k.view.Load()
	for _, list := range [][]*held{v.all, v.apps[app]} {
		for _, h := range list {
			found, ok := h.find(f)
			if !ok {
				continue
			}
			h.count.add(h.State)
			if h.State == store.ImageBankLive {
				out = append(out, found.signal())
			}
		}
	}
	return out
}

// read learns what changed at or after a time, all at 0.
func (k *Keeper) read(ctx context.Context, since int64) error {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	list, err := k.deps.Store.ImageBanksChanged(ctx, since)
	if err != nil {
		return err
	}
	// Small ones do not wait for large ones.
	slices.SortStableFunc(list, func(a, b store.ImageBank) int { return cmp.Compare(a.PDQ+a.SHA256, b.PDQ+b.SHA256) })
	for i := range list {
		if err := k.learn(ctx, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// learn takes a bank in as it is stored. What came since it was read is there the next
// time.
func (k *Keeper) learn(ctx context.Context, b *store.ImageBank) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.banks[b.ID]
	if old != nil && (old.Changed > b.Changed || old.Rebuilds > b.Rebuilds || old.Imports > b.Imports || old.Version > b.Version || old.ImageBank == *b && old.place >= b.Imports) {
		return nil
	}
	h := &held{ImageBank: *b}
	if old != nil {
		h.count = old.count
		if old.Rebuilds == b.Rebuilds && old.State != store.ImageBankRetired {
			h.near, h.exact, h.place = old.near, old.exact, old.place
		}
	} else {
		h.count = new(count)
	}
	if b.State == store.ImageBankRetired || k.deps.Bare {
		h.near, h.exact, h.place = bank.Near{}, bank.Exact{}, b.Imports
	} else if err := k.fill(ctx, h); err != nil {
		return err
	}
	k.banks[b.ID] = h
	k.show()
	return nil
}

// fill reads what a bank has and h lacks.
func (k *Keeper) fill(ctx context.Context, h *held) error {
	gone, err := k.deps.Store.ImageGone(ctx, h.ID)
	if err != nil {
		return err
	}
	h.gone = map[string]map[int]bool{store.ImagePDQ: {}, store.ImageSHA256: {}}
	for _, e := range gone {
		h.gone[e.Kind][int(e.Number)] = true
	}
	for {
		list, err := k.deps.Store.ImageImports(ctx, h.ID, h.place, importsAtOnce)
		if err != nil {
			return err
		}
		for i := range list {
			if err := k.add(ctx, h, &list[i]); err != nil {
				return err
			}
			h.place = list[i].Place
		}
		if len(list) < importsAtOnce {
			return nil
		}
	}
}

// add puts the hashes of an import into h.
func (k *Keeper) add(ctx context.Context, h *held, i *store.ImageImport) error {
	if i.State != store.ImageImportDone {
		return nil
	}
	hashes := func(kind string, n int64) (list []bank.Hash, err error) {
		if n == 0 {
			return nil, nil
		}
		list = make([]bank.Hash, 0, n)
		err = k.deps.Store.ImageHashes(ctx, i.ID, kind, func(some [][32]byte) error { list = append(list, some...); return ctx.Err() })
		return list, err
	}
	list, err := hashes(store.ImagePDQ, i.PDQ)
	if err != nil {
		return err
	}
	h.near = h.near.With(int(i.PDQFirst), list)
	if list, err = hashes(store.ImageSHA256, i.SHA256); err != nil {
		return err
	}
	h.exact = h.exact.With(int(i.SHA256First), list)
	return nil
}

// show has Known see the banks as they are; k.mu is held.
func (k *Keeper) show() {
	v := &view{apps: map[engines.AppID][]*held{}}
	for _, id := range slices.Sorted(maps.Keys(k.banks)) {
		h := k.banks[id]
		switch {
		case h.State == store.ImageBankRetired:
		case h.App == "":
			v.all = append(v.all, h)
		default:
			v.apps[h.App] = append(v.apps[h.App], h)
		}
	}
	k.view.Store(v)
}

// hashes is how many there are in memory, of an app and of all; k.mu is held.
func (k *Keeper) hashes(app engines.AppID) (own, all int64, banks int) {
	for _, h := range k.banks {
		n := int64(h.near.Len() + h.exact.Len())
		all += n
		if h.App == app {
			own += n
			banks++
		}
	}
	return own, all, banks
}
