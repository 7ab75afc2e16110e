package whisper

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/models/ct2"
)

// maxFile bounds a file of an operator's own model.
const maxFile = 8 << 30

// ReadFolder reads a model that lies in a folder as it was converted for CTranslate2
// (model.bin, config.json, and vocabulary.txt or vocabulary.json), and converts it; or
// encoder.onnx and decoder.onnx in the place of model.bin, where somebody did before.
// One that is not there wraps fs.ErrNotExist.
func ReadFolder(dir string) (Files, error) {
	var f Files
	var err error
	if f.Config, err = readFile(dir, "config.json"); err != nil {
		return f, err
	}
	if f.Vocabulary, err = readFile(dir, "vocabulary.txt"); errors.Is(err, fs.ErrNotExist) {
		f.Vocabulary, err = jsonVocabulary(dir)
	}
	if err != nil {
		return f, err
	}
	model, err := readFile(dir, "model.bin")
	switch {
	case err == nil:
		f.Encoder, err = ct2.Encoder(model, ct2.Options{Int8: true})
		if err == nil {
			f.Decoder, err = ct2.Decoder(model, f.Config, ct2.Options{Int8: true})
		}
	case errors.Is(err, fs.ErrNotExist):
		f.Encoder, err = readFile(dir, "encoder.onnx")
		if err == nil {
			f.Decoder, err = readFile(dir, "decoder.onnx")
		}
	}
	if err != nil {
		return f, fmt.Errorf("read model %s: %w", filepath.Base(dir), err)
	}
	return f, nil
}

func readFile(dir, name string) ([]byte, error) {
	path := filepath.Join(dir, name)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s has %d bytes, more than %d", path, info.Size(), int64(maxFile))
	}
	return os.ReadFile(path) //nolint:gosec,wrapcheck // the operator's own, and it names the file
}

// jsonVocabulary is vocabulary.json, a list, as vocabulary.txt has it.
func jsonVocabulary(dir string) ([]byte, error) {
	b, err := readFile(dir, "vocabulary.json")
	if err != nil {
		return nil, err
	}
	var list []string
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("read vocabulary.json: %w", err)
	}
	return []byte(strings.Join(list, "\n") + "\n"), nil
}
