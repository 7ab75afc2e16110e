package evidence

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/audit"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// ErrArchive says that an archive is not what was exported.
var ErrArchive = errors.New("evidence: the archive is not what was exported")

// Checked is what an archive that holds says of itself.
type Checked struct {
	Key      string // who signed it, base64 of an ed25519 key
	By       string
	Reason   string
	Made     time.Time
	Items    int
	Files    int
	Withheld int
}

// maxRecord bounds what is read of an archive into memory at once.
const maxRecord = 64 << 20

// Verify checks an archive: the manifest's signature, by key where that is not "",
// each file against its SHA-256, and each chain from the content to its head.
// Every fault is in the error, which is then ErrArchive.
func Verify(r io.ReaderAt, size int64, key string) (Checked, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return Checked{}, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	v := verifier{files: map[string]*zip.File{}}
	for _, f := range z.File {
		if v.files[f.Name] != nil {
			v.fault("%s stands twice", f.Name)
		}
		v.files[f.Name] = f
	}
	m, err := v.manifest(key)
	if err != nil {
		return Checked{}, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	sums := v.contents(&m)
	for _, item := range m.Items {
		v.item(&item, sums)
	}
	out := Checked{Key: m.Key, By: m.By, Reason: m.Reason, Made: m.Made, Items: len(m.Items), Files: len(m.Files), Withheld: len(m.Withheld)}
	if len(v.faults) > 0 {
		return out, fmt.Errorf("%w: %w", ErrArchive, errors.Join(v.faults...))
	}
	return out, nil
}

type verifier struct {
	files  map[string]*zip.File
	faults []error
}

func (v *verifier) fault(text string, args ...any) {
	v.faults = append(v.faults, fmt.Errorf(text, args...))
}

// manifest reads the manifest once its signature is seen to be good.
func (v *verifier) manifest(key string) (m manifest, err error) {
	text, err := v.read(manifestName)
	if err != nil {
		return m, err
	}
	signature, err := v.read(signatureName)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s: %w", manifestName, err)
	}
	if m.Format != format {
		return m, fmt.Errorf("%s: format %q is not known", manifestName, m.Format)
	}
	if key != "" && m.Key != key {
		return m, errors.New("it was signed with another key")
	}
	if !audit.SignedBy(m.Key, strings.TrimSpace(string(signature)), signed(text)) {
		return m, errors.New("the signature is not good")
	}
	return m, nil
}

func (v *verifier) read(name string) ([]byte, error) {
	f := v.files[name]
	if f == nil {
		return nil, fmt.Errorf("%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxRecord))
	return text, errors.Join(err, r.Close())
}

// contents holds every file against the manifest, and nothing beside it.
func (v *verifier) contents(m *manifest) map[string]string {
	sums := map[string]string{}
	for _, want := range m.Files {
		got, n, err := v.sum(want.Name)
		if err != nil {
			v.fault("%w", err)
			continue
		}
		if got != want.SHA256 || n != want.Bytes {
			v.fault("%s is changed", want.Name)
		}
		sums[want.Name] = got
	}
	for name := range v.files {
		if _, ok := sums[name]; !ok && name != manifestName && name != signatureName {
			v.fault("%s is not in the manifest", name)
		}
	}
	return sums
}

func (v *verifier) sum(name string) (string, int64, error) {
	f := v.files[name]
	if f == nil {
		return "", 0, fmt.Errorf("%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w", name, err)
	}
	sum := sha256.New()
	n, err := io.Copy(sum, r)
	if err := errors.Join(err, r.Close()); err != nil {
		return "", 0, fmt.Errorf("%s: %w", name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), n, nil
}

// item follows a chain from the content to the head that the manifest names.
func (v *verifier) item(item *itemEntry, sums map[string]string) {
	if item.Content != "" && sums[item.Content] != item.SHA256 {
		v.fault("%s: the content is not what was taken", item.ID)
	}
	text, err := v.read(item.Log)
	if err != nil {
		v.fault("%w", err)
		return
	}
	var r itemRecord
	if err := json.Unmarshal(text, &r); err != nil {
		v.fault("%s: %w", item.Log, err)
		return
	}
	links := r.chain()
	if r.ID != item.ID || len(links) == 0 || int64(len(links)) != item.HeadSeq {
		v.fault("%s: the record is of another item", item.ID)
		return
	}
	if err := store.VerifyChain(item.SHA256, item.HeadHash, links); err != nil {
		v.fault("%s: %w", item.ID, err)
	}
}
