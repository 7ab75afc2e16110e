package banks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/bank"
	"github.com/portcullis-gg/portcullis/internal/hashlist"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// chunkHashes are stored in one row: 512 KiB.
const chunkHashes = 16384

// newID is unique, and sorts by time.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

func sortViews(list []View) {
	slices.SortFunc(list, func(a, b View) int { return cmp.Or(cmp.Compare(a.App, b.App), cmp.Compare(a.Name, b.Name)) })
}

// Order is a list that is to go into a bank.
type Order struct {
	Key
	Format hashlist.Format
	// Source says where the list is from.
	Source string
	// Partial takes the lines without a fault of a list that has some; else it is
	// refused as a whole.
	Partial bool
	// Replace retires what was imported into the bank before, in the same moment.
	Replace bool
	By      string
	Body    io.Reader
}

// Report is what became of an import.
type Report struct {
	store.ImageImport
	// Faulty lines were left out, of which some are told; LowQuality are perceptual
	// hashes that were left out since they say too little.
	Faulty, LowQuality int64
	Faults             []hashlist.Fault
}

// RefusedError is the end of an import whose list has lines with faults.
type RefusedError struct{ Report Report }

func (e *RefusedError) Error() string {
	f := e.Report.Faults[0]
	return fmt.Sprintf("banks: %d of %d lines have a fault; line %d: %s", e.Report.Faulty, e.Report.Lines, f.Line, f.Reason)
}

// Import reads a list into a bank: all of it, with Partial all lines without a fault, or
// nothing. It is in force here when Import returns and on every gateway within seconds.
// The error is a *RefusedError, ErrMany, ErrRetired, ErrNothing, the list's or the
// store's.
func (k *Keeper) Import(ctx context.Context, o Order) (Report, error) {
	in, err := k.begin(ctx, o.Key, string(o.Format), o.Source, o.By)
	if err != nil {
		return Report{}, err
	}
	if o.Replace {
		in.own, in.all = in.own-in.has, in.all-in.has
	}
	res, err := hashlist.Read(o.Body, o.Format, func(r *hashlist.Record) error { return in.take(ctx, r) })
	in.report.Lines, in.report.Faulty, in.report.Faults = res.Lines, res.Faulty, res.Faults
	if err == nil && res.Faulty > 0 && !o.Partial {
		err = &RefusedError{in.report}
	}
	return in.end(ctx, err, o.Replace)
}

// AddPicture puts the hashes of a picture into a bank: that of its file, and that of
// what it shows where its quality is enough.
func (k *Keeper) AddPicture(ctx context.Context, key Key, source, by string, file []byte) (Report, error) {
	f, err := k.Facts(ctx, file)
	if err != nil {
		return Report{}, err
	}
	in, err := k.begin(ctx, key, "picture", source, by)
	if err != nil {
		return Report{}, err
	}
	in.report.Lines = 1
	err = in.take(ctx, &hashlist.Record{HasSHA256: true, SHA256: f.SHA256, HasPDQ: f.PDQ != [32]byte{}, PDQ: f.PDQ, Quality: f.PDQQuality})
	return in.end(ctx, err, false)
}

// intake is an import under way.
type intake struct {
	k      *Keeper
	bank   store.ImageBank
	key    Key
	report Report
	chunks map[string]*store.ImageChunk
	// How many hashes there are: of the bank, of its app, of all apps.
	has, own, all int64
}

func (k *Keeper) begin(ctx context.Context, key Key, format, source, by string) (*intake, error) {
	b, err := k.current(ctx, key)
	if err != nil {
		return nil, err
	}
	if b.State == store.ImageBankRetired {
		return nil, ErrRetired
	}
	i := &intake{k: k, bank: b, key: key, chunks: map[string]*store.ImageChunk{}}
	i.report.ImageImport = store.ImageImport{ID: newID(), Bank: b.ID, Source: source, Format: format, By: by}
	for _, kind := range []string{store.ImagePDQ, store.ImageSHA256} {
		i.chunks[kind] = &store.ImageChunk{Import: i.report.ID, Kind: kind}
	}
	k.mu.Lock()
	i.own, i.all, _ = k.hashes(b.App)
	i.has = int64(k.banks[b.ID].near.Len() + k.banks[b.ID].exact.Len())
	k.mu.Unlock()
	return i, k.deps.Store.BeginImageImport(ctx, i.report.ImageImport)
}

// take stores the hashes of a record.
func (i *intake) take(ctx context.Context, r *hashlist.Record) error {
	if r.HasPDQ {
		// A hash of nothing is all 0, whatever its list says of its quality.
		if r.Quality >= 0 && r.Quality < i.bank.LeastQuality || r.PDQ == ([32]byte{}) {
			i.report.LowQuality++
		} else if err := i.put(ctx, store.ImagePDQ, r.PDQ, &i.report.PDQ); err != nil {
			return err
		}
	}
	if r.HasSHA256 {
		return i.put(ctx, store.ImageSHA256, r.SHA256, &i.report.SHA256)
	}
	return nil
}

func (i *intake) put(ctx context.Context, kind string, hash bank.Hash, n *int64) error {
	*n++
	mine := i.report.PDQ + i.report.SHA256
	if i.all+mine > i.k.cfg.Hashes || i.key.App != "" && i.own+mine > i.k.cfg.AppHashes {
		return ErrMany
	}
	c := i.chunks[kind]
	c.Hashes = append(c.Hashes, hash)
	if len(c.Hashes) < chunkHashes {
		return nil
	}
	return i.flush(ctx, c)
}

func (i *intake) flush(ctx context.Context, c *store.ImageChunk) error {
	if len(c.Hashes) == 0 {
		return nil
	}
	err := i.k.deps.Store.PutImageChunk(ctx, *c)
	c.Seq++
	c.Hashes = c.Hashes[:0]
	return err
}

// end commits an import, or drops it after an error.
func (i *intake) end(ctx context.Context, err error, replace bool) (Report, error) {
	if err == nil && i.report.PDQ+i.report.SHA256 == 0 {
		err = ErrNothing
	}
	for _, c := range i.chunks {
		if err == nil {
			err = i.flush(ctx, c)
		}
	}
	if err == nil {
		i.report.LeftOut = i.report.Faulty + i.report.LowQuality
		i.report.ImageImport, err = i.k.deps.Store.EndImageImport(ctx, i.report.ImageImport, replace)
		if errors.Is(err, store.ErrConflict) {
			err = ErrRetired
		}
	}
	if err != nil {
		// Whoever asked may be gone; what is left behind would be swept in a day.
		return Report{}, errors.Join(err, i.k.deps.Store.DropImageImport(context.WithoutCancel(ctx), i.report.ID))
	}
	return i.report, i.k.changed(ctx, i.key)
}

// Compile-time: what a verdict asks of a keeper.
var _ interface {
	Known(app engines.AppID, f *engines.MediaFacts, out []engines.Signal) []engines.Signal
} = (*Keeper)(nil)
