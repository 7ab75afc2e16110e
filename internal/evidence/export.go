package evidence

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// MaxExport is how many items one archive holds.
const MaxExport = 500

// ErrTooMany says that an archive would hold more than MaxExport items.
var ErrTooMany = errors.New("evidence: too many items for one archive")

// Export is what is to be packed, and why.
type Export struct {
	Items  []store.Evidence
	Reader Reader
	Reason string
}

// Select finds the items of an export: those of a query, or those named, in the order
// in which they are. store.ErrNotFound: one of them is not there.
func (s *Service) Select(ctx context.Context, ids []string, q store.EvidenceQuery) ([]store.Evidence, error) {
	if len(ids) == 0 {
		q.Limit = MaxExport + 1
		list, err := s.deps.Store.EvidenceList(ctx, q)
		if err == nil && len(list) > MaxExport {
			err = ErrTooMany
		}
		return list, err
	}
	if len(ids) > MaxExport {
		return nil, ErrTooMany
	}
	list := make([]store.Evidence, 0, len(ids))
	for _, id := range ids {
		e, err := s.deps.Store.Evidence(ctx, id)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// Pack writes an archive of items to w: of each its content and its chain, and a
// signed manifest. That they were exported is on the chains first, so that the archive
// says it too. Locked items are withheld from a reader who may not see them.
func (s *Service) Pack(ctx context.Context, x Export, w io.Writer) error {
	m := manifest{Format: format, Made: s.now().UTC(), By: x.Reader.Name, Reason: x.Reason, Files: []fileEntry{}, Items: []itemEntry{}, Withheld: []withheldItem{}}
	var open []string
	for i := range x.Items {
		if e := &x.Items[i]; e.Locked && !x.Reader.Unlock {
			m.Withheld = append(m.Withheld, withheldItem{e.ID, "locked"})
		} else {
			open = append(open, e.ID)
		}
	}
	if err := s.deps.Store.LinkEvidence(ctx, open, x.Reader.Name, store.LinkExported, map[string]string{"reason": x.Reason}); err != nil {
		return err
	}
	a := &archive{zip: zip.NewWriter(w), made: m.Made}
	for _, id := range open {
		entry, err := s.packItem(ctx, a, id)
		if err != nil {
			return fmt.Errorf("pack evidence %s: %w", id, err)
		}
		m.Items = append(m.Items, entry)
	}
	m.Files = append(m.Files, a.files...)
	return s.seal(a, &m)
}

// packItem puts an item's content and its record into the archive.
func (s *Service) packItem(ctx context.Context, a *archive, id string) (itemEntry, error) {
	e, links, err := s.Chain(ctx, id)
	if err != nil {
		return itemEntry{}, err
	}
	entry := itemEntry{ID: id, SHA256: e.SHA256, Log: "items/" + id + "/record.json", HeadSeq: e.HeadSeq, HeadHash: e.HeadHash}
	body, err := s.content(ctx, &e)
	switch {
	case err == nil:
		entry.Content = "items/" + id + "/content" + Extension(e.MIME)
		err = errors.Join(a.put(entry.Content, body), body.Close())
	case errors.Is(err, store.ErrNotFound): // gone by its retention
		err = nil
	}
	if err != nil {
		return entry, err
	}
	text, err := json.MarshalIndent(recordOf(&e, links), "", " ")
	if err != nil {
		return entry, err
	}
	return entry, a.put(entry.Log, strings.NewReader(string(text)+"\n"))
}

// seal signs the manifest and closes the archive.
func (s *Service) seal(a *archive, m *manifest) error {
	m.Key, _ = s.deps.Sign.Sign(nil)
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	_, signature := s.deps.Sign.Sign(signed(text))
	if err := a.put(manifestName, strings.NewReader(string(text))); err != nil {
		return err
	}
	if err := a.put(signatureName, strings.NewReader(signature+"\n")); err != nil {
		return err
	}
	return a.zip.Close()
}

// signed is the message that is signed for a manifest: a signature is for one purpose.
func signed(text []byte) []byte { return append([]byte(format+"\n"), text...) }

// archive is a zip that remembers what it holds.
type archive struct {
	zip   *zip.Writer
	made  time.Time
	files []fileEntry
}

func (a *archive) put(name string, r io.Reader) error {
	w, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.made})
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), r)
	a.files = append(a.files, fileEntry{name, hex.EncodeToString(sum.Sum(nil)), n})
	return err
}

// Extension is how the name of a file of this type ends.
func Extension(mime string) string {
	kind, _, _ := strings.Cut(mime, ";")
	if ext, ok := map[string]string{
		"text/plain": ".txt", "image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif",
		"audio/ogg": ".ogg", "audio/wav": ".wav", "audio/mpeg": ".mp3", "audio/flac": ".flac", "video/mp4": ".mp4",
	}[kind]; ok {
		return ext
	}
	return ".bin"
}
