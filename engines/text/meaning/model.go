package meaning

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text/encoder"
)

// Files of the model in the folder.
const (
	layersFile = "meaning/layers.onnx"
	wordsFile  = "meaning/words.bin"
)

// Model is the network. It is safe for concurrent use.
type Model struct {
	file    *os.File
	words   *words
	network *encoder.Network
	pool    sync.Pool
}

// memory is that of one run.
type memory struct {
	cutter  cutter
	vectors []float32
	buffer  []byte
}

// Open loads it from a folder of models, once the library was started with onnx.Start. A
// missing file wraps models.ErrMissing, a damaged one models.ErrDamaged. Whoever opens it
// closes it.
func Open(folder string) (*Model, error) {
	m, err := open(folder)
	if err != nil {
		return nil, fmt.Errorf("meaning of sentences: %w", err)
	}
	return m, nil
}

func open(folder string) (*Model, error) {
	store, entry := models.NewStore(folder), models.Find(models.Meaning)
	if err := store.Verify(entry); err != nil {
		return nil, err
	}
	layers, err := store.Read(entry, layersFile)
	if err != nil {
		return nil, err
	}
	return load(layers, filepath.Join(folder, filepath.FromSlash(wordsFile)))
}

// load makes a model of the network's bytes and the table's file.
func load(layers []byte, table string) (*Model, error) {
	file, err := os.Open(table) //nolint:gosec // in the folder of models
	if err != nil {
		return nil, fmt.Errorf("open the table of words: %w", err)
	}
	m := &Model{file: file}
	if err := m.read(layers); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	m.pool.New = func() any { return &memory{cutter: cutter{words: m.words}} }
	return m, nil
}

func (m *Model) read(layers []byte) error {
	info, err := m.file.Stat()
	if err != nil {
		return fmt.Errorf("open the table of words: %w", err)
	}
	if m.words, err = readWords(m.file, info.Size()); err != nil {
		return err
	}
	m.network, err = encoder.New(layers, m.words.d, 1)
	return err //nolint:wrapcheck // it says what it was doing
}

// Close frees the network. Nobody may be asking.
func (m *Model) Close() error {
	if err := errors.Join(m.network.Close(), m.file.Close()); err != nil {
		return fmt.Errorf("close the model of meaning: %w", err)
	}
	return nil
}

// Logit reads the first 64 pieces of a text, the marks of its beginning and end among them,
// and gives the log-odds that it attacks people for what they are, by the mix of sentences
// that it was trained on. The same text has the same answer on one machine; another's may
// differ in the last digits.
func (m *Model) Logit(text string) (float64, error) {
	s, ok := m.pool.Get().(*memory)
	if !ok {
		return 0, errors.New("read the meaning of a sentence: no memory")
	}
	defer m.pool.Put(s)
	var err error
	var logit [1]float64
	if s.vectors, err = m.words.vectors(s.cutter.cut(text), &s.buffer, s.vectors[:0]); err == nil {
		err = m.network.Read(s.vectors, logit[:])
	}
	if err != nil {
		return 0, fmt.Errorf("read the meaning of a sentence: %w", err)
	}
	return logit[0], nil
}
