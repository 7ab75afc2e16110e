package meaning

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Files of the model in the folder.
const (
	layersFile = "meaning/layers.onnx"
	wordsFile  = "meaning/words.bin"
)

// Model is the network. It is safe for concurrent use.
type Model struct {
	words   *words
	unmap   func() error
	session *onnx.Session
	pool    sync.Pool
}

// memory is that of one run.
type memory struct {
	cutter  cutter
	vectors []float32
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
	file, unmap, err := mapped(table)
	if err != nil {
		return nil, err
	}
	m := &Model{unmap: unmap}
	if m.words, err = readWords(file); err == nil {
		m.session, err = onnx.New(layers)
	}
	if err != nil {
		return nil, errors.Join(err, unmap())
	}
	m.pool.New = func() any { return &memory{cutter: cutter{words: m.words}} }
	return m, nil
}

// Close frees the network. Nobody may be asking.
func (m *Model) Close() error {
	if err := errors.Join(m.session.Close(), m.unmap()); err != nil {
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
	ids := s.cutter.cut(text)
	s.vectors = m.words.vectors(ids, s.vectors[:0])
	logit := 0.0
	err := m.session.Run([]onnx.Tensor{{Shape: []int{1, len(ids), m.words.d}, Data: s.vectors}}, func(out []onnx.Tensor) error {
		if len(out) != 1 || len(out[0].Data) != 1 {
			return errors.New("the model gives another shape")
		}
		logit = float64(out[0].Data[0])
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("read the meaning of a sentence: %w", err)
	}
	return logit, nil
}
