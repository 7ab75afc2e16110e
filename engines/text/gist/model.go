package gist

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/unigram"
	"github.com/portcullis-gg/portcullis/engines/text/encoder"
)

// What Read answers of, by the place of each.
const (
	Spam    = iota // offers for money and adverts
	Illegal        // crimes on offer, or asked for
	Privacy        // personal data
	Abuse          // abuse of people
	Hate
	Kinds // how many there are
)

// Model is the network. It is safe for concurrent use.
type Model struct {
	table   *unigram.Table
	places  encoder.Places
	network *encoder.Network
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
	m := &Model{}
	files := encoder.Files{Model: models.Gist, Layers: "gist/layers.onnx", Words: "gist/words.bin"}
	var err error
	if m.network, err = encoder.Open(folder, files, Kinds, m.read); err != nil {
		return nil, fmt.Errorf("gist of messages: %w", err)
	}
	m.pool.New = func() any { return &memory{cutter: cutter{table: m.table}} }
	return m, nil
}

// read reads the table of pieces and says how many values a vector has.
func (m *Model) read(file io.ReaderAt, size int64) (width int, err error) {
	if m.table, err = unigram.Open(file, size); err != nil {
		return 0, err //nolint:wrapcheck // it says what it was doing
	}
	m.places = encoder.Places{Positions: m.table.Positions, Gamma: m.table.Gamma, Beta: m.table.Beta}
	return m.table.Width(), nil
}

// Close frees the network. Nobody may be asking.
func (m *Model) Close() error {
	if err := m.network.Close(); err != nil {
		return fmt.Errorf("close the model of gist: %w", err)
	}
	return nil
}

// Read reads the first 64 pieces of a text, the marks of its beginning and end among them,
// and gives the log-odds of each kind, by the mix of messages that it was trained on: Spam,
// Illegal, Privacy and Abuse are their places. The same text has the same answer on one
// machine; another's may differ in the last digits.
func (m *Model) Read(text string) (answers [Kinds]float64, err error) {
	s, ok := m.pool.Get().(*memory)
	if !ok {
		return answers, errors.New("read the gist of a message: no memory")
	}
	defer m.pool.Put(s)
	ids, err := s.cutter.cut(text)
	if err == nil {
		err = m.look(s, ids)
	}
	if err == nil {
		err = m.network.Read(s.vectors, answers[:])
	}
	if err != nil {
		return [Kinds]float64{}, fmt.Errorf("read the gist of a message: %w", err)
	}
	return answers, nil
}

// look finds the vectors of pieces.
func (m *Model) look(s *memory, ids []int32) (err error) {
	s.vectors = s.vectors[:0]
	for at, id := range ids {
		from := len(s.vectors)
		if s.vectors, err = m.table.Row(id, &s.cutter.buffer, s.vectors); err != nil {
			return err //nolint:wrapcheck // it says what it was doing
		}
		m.places.Set(s.vectors[from:], at)
	}
	return nil
}
