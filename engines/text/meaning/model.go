package meaning

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text/encoder"
)

// wordsFile is the table's in the folder of models.
const wordsFile = "meaning/words.bin"

// Model is the network. It is safe for concurrent use.
type Model struct {
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
	m := &Model{}
	files := encoder.Files{Model: models.Meaning, Layers: "meaning/layers.onnx", Words: wordsFile}
	var err error
	if m.network, err = encoder.Open(folder, files, 1, m.read); err != nil {
		return nil, fmt.Errorf("meaning of sentences: %w", err)
	}
	m.pool.New = func() any { return &memory{cutter: cutter{words: m.words}} }
	return m, nil
}

// read reads the table of pieces and says how many values a vector has.
func (m *Model) read(file io.ReaderAt, size int64) (width int, err error) {
	if m.words, err = readWords(file, size); err != nil {
		return 0, err
	}
	return m.words.d, nil
}

// Close frees the network. Nobody may be asking.
func (m *Model) Close() error {
	if err := m.network.Close(); err != nil {
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
