// Package encoder runs the layers of the networks that read a message as a whole
// (engines/text/meaning, engines/text/gist): what they have in common once a text was cut
// into pieces and the pieces' vectors were found.
package encoder

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// epsilon is added to a variance, as BERT has it.
const epsilon = 1e-12

// Places turn pieces' vectors into what the first layer takes.
type Places struct {
	// Positions is what is added where a piece stands, as many values for each place as
	// Gamma has; Gamma and Beta are of the normalisation.
	Positions, Gamma, Beta []float32
}

// Set adds to a piece's vector what its place in the text adds, and normalises it.
func (p *Places) Set(row []float32, at int) {
	n := len(p.Gamma)
	mean := 0.0
	for i, add := range p.Positions[at*n : (at+1)*n] {
		row[i] += add
		mean += float64(row[i])
	}
	mean /= float64(n)
	spread := 0.0
	for _, x := range row {
		spread += (float64(x) - mean) * (float64(x) - mean)
	}
	by := 1 / math.Sqrt(spread/float64(n)+epsilon)
	for i, x := range row {
		row[i] = float32((float64(x)-mean)*by)*p.Gamma[i] + p.Beta[i]
	}
}

// Network is the layers. It is safe for concurrent use.
type Network struct {
	session *onnx.Session
	table   io.Closer
	width   int
}

// newNetwork makes a network of an ONNX file's bytes, which are not kept. It takes
// [1, n, width] and gives [1, answers].
func newNetwork(layers []byte, table io.Closer, width, answers int) (*Network, error) {
	s, err := onnx.New(layers)
	if err != nil {
		return nil, fmt.Errorf("the layers: %w", err)
	}
	in, out := s.Inputs(), s.Outputs()
	if len(in) != 1 || len(in[0].Shape) != 3 || in[0].Shape[2] != width || len(out) != 1 || len(out[0].Shape) != 2 || out[0].Shape[1] != answers {
		return nil, errors.Join(fmt.Errorf("the layers do not give %d answers of vectors of %d values", answers, width), s.Close())
	}
	return &Network{s, table, width}, nil
}

// Read gives the answers on a text's vectors, one after the other, in the room that out has.
func (n *Network) Read(vectors []float32, out []float64) error {
	in := onnx.Tensor{Shape: []int{1, len(vectors) / n.width, n.width}, Data: vectors}
	return n.session.Run([]onnx.Tensor{in}, func(all []onnx.Tensor) error { //nolint:wrapcheck // it says what it was doing
		if len(all) != 1 || len(all[0].Data) != len(out) {
			return errors.New("the network gives another shape")
		}
		for i, v := range all[0].Data {
			out[i] = float64(v)
		}
		return nil
	})
}

// Close frees the network, its table too. Nobody may be reading.
func (n *Network) Close() error { return errors.Join(n.session.Close(), n.table.Close()) }
