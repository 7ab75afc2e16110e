package banks

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Key names a bank: one of an app's own, or one of all apps at "".
type Key struct {
	App  engines.AppID
	Name string
}

// View is a bank with what is in memory of it here.
type View struct {
	store.ImageBank
	// PDQHashes and SHA256Hashes are looked at here; Bytes is the memory they take.
	PDQHashes, SHA256Hashes, Bytes int
	// Gone is how many entries were retired one by one.
	Gone int
}

func viewOf(h *held) View {
	return View{
		ImageBank: h.ImageBank, PDQHashes: h.near.Len(), SHA256Hashes: h.exact.Len(), Bytes: h.near.Bytes() + h.exact.Bytes(),
		Gone: len(h.gone[store.ImagePDQ]) + len(h.gone[store.ImageSHA256]),
	}
}

// List lists the banks that count for an app, those of all apps first.
func (k *Keeper) List(app engines.AppID) []View {
	k.mu.Lock()
	defer k.mu.Unlock()
	var list []View
	for _, h := range k.banks {
		if h.App == "" || h.App == app {
			list = append(list, viewOf(h))
		}
	}
	sortViews(list)
	return list
}

// Bank returns one bank and what it found, the newest day first.
func (k *Keeper) Bank(ctx context.Context, key Key) (View, []store.ImageMatches, error) {
	b, err := k.current(ctx, key)
	if err != nil {
		return View{}, nil, err
	}
	matches, err := k.deps.Store.ImageMatches(ctx, b.ID, 60)
	if err != nil {
		return View{}, nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return viewOf(k.banks[b.ID]), matches, nil
}

// Imports lists the imports of a bank in their order, from behind a place.
func (k *Keeper) Imports(ctx context.Context, key Key, after int64, most int) ([]store.ImageImport, error) {
	b, err := k.deps.Store.ImageBank(ctx, key.App, key.Name)
	if err != nil {
		return nil, err
	}
	return k.deps.Store.ImageImports(ctx, b.ID, after, most)
}

// current is a bank as it is stored now, and in force here.
func (k *Keeper) current(ctx context.Context, key Key) (store.ImageBank, error) {
	b, err := k.deps.Store.ImageBank(ctx, key.App, key.Name)
	if err != nil {
		return b, err
	}
	return b, k.learn(ctx, &b)
}

// changed brings a bank in force here, and has the other gateways look.
func (k *Keeper) changed(ctx context.Context, key Key) error {
	_, err := k.current(ctx, key)
	if k.deps.Tell != nil {
		k.deps.Tell()
	}
	return err
}

// Put makes a bank, or changes one that is at a version; was is 0 for a new one. The
// error is Faults, ErrMany or the store's.
func (k *Keeper) Put(ctx context.Context, b store.ImageBank, was int) (store.ImageBank, error) {
	if err := check(&b); err != nil {
		return store.ImageBank{}, err
	}
	if was == 0 {
		k.mu.Lock()
		_, _, n := k.hashes(b.App)
		k.mu.Unlock()
		if n >= k.cfg.AppBanks {
			return store.ImageBank{}, ErrMany
		}
		b.ID = newID()
	} else {
		now, err := k.deps.Store.ImageBank(ctx, b.App, b.Name)
		if err != nil {
			return store.ImageBank{}, err
		}
		if b.Category != now.Category {
			return store.ImageBank{}, Faults{{"category", "does not change: what was found stays what it was"}}
		}
		b.ID = now.ID
	}
	stored, err := k.deps.Store.PutImageBank(ctx, b, was)
	if err != nil {
		return store.ImageBank{}, err
	}
	return stored, k.changed(ctx, Key{b.App, b.Name})
}

// RetireImport takes an import back: its hashes are deleted.
func (k *Keeper) RetireImport(ctx context.Context, key Key, id, by string) error {
	b, err := k.deps.Store.ImageBank(ctx, key.App, key.Name)
	if err == nil {
		err = k.deps.Store.RetireImageImport(ctx, b.ID, id, by)
	}
	if err != nil {
		return err
	}
	return k.changed(ctx, key)
}

// RetireEntry has one entry count no more: a picture that is in a list by mistake.
func (k *Keeper) RetireEntry(ctx context.Context, key Key, kind string, number int64, by string) error {
	b, err := k.deps.Store.ImageBank(ctx, key.App, key.Name)
	if err == nil {
		err = k.deps.Store.RetireImageEntry(ctx, store.ImageEntry{Bank: b.ID, Kind: kind, Number: number}, by)
	}
	if err != nil {
		return err
	}
	return k.changed(ctx, key)
}

// Facts makes the hashes of a picture, for Test.
func (k *Keeper) Facts(ctx context.Context, file []byte) (*engines.MediaFacts, error) {
	if k.deps.Pictures == nil {
		return nil, ErrNoPictures
	}
	return k.deps.Pictures.Facts(ctx, file)
}

// Test returns the entries of banks that know a picture, of those under test too; with
// restricted also of those that only an admin may ask. Nothing is counted; who asked is
// in the audit log.
func (k *Keeper) Test(ctx context.Context, app engines.AppID, f *engines.MediaFacts, restricted bool, by string) ([]Found, error) {
	var list []Found
	v := k.view.Load()
	names := []string{}
	for _, banks := range [][]*held{v.all, v.apps[app]} {
		for _, h := range banks {
			if Restricted(h.Category) && !restricted {
				continue
			}
			if found, ok := h.find(f); ok {
				list = append(list, found)
				names = append(names, h.Name+"#"+found.Entry())
			}
		}
	}
	detail, err := json.Marshal(map[string]any{"app_id": app, "restricted": restricted, "found": names})
	if err != nil {
		return nil, fmt.Errorf("test of image banks: %w", err)
	}
	err = k.deps.Store.AppendAudit(ctx, store.Audit{Chain: k.deps.Node, TS: k.now(), Actor: by, Action: "image_bank.test", Object: "image_banks/" + string(app), Detail: string(detail)})
	return list, err
}
