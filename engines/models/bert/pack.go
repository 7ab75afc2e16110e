package bert

import "fmt"

// Pack makes what is kept of a training: its matrices in 8 bits, a scale for each row, the
// rest as it is. trained is a safetensors file of float32 under the published names, with the
// head as head.dense.weight [384, 384], head.dense.bias [384], head.out.weight [n, 384] and
// head.out.bias [n] for n answers, and the notes that Network reads: "frozen", "pooling" and
// "tokens". What is not of a layer or the head is left out; a layer that lacks a tensor is an
// error.
func Pack(trained []byte) ([]byte, error) {
	e, err := open([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"), trained) // nothing published
	if err != nil {
		return nil, err
	}
	kept := &table{notes: map[string]string{}, tensors: map[string]*tensor{}}
	for _, note := range [...]string{"frozen", "pooling", "tokens"} {
		kept.notes[note] = e.trained.notes[note]
	}
	for i := e.frozen; i < layers; i++ {
		name := fmt.Sprintf("encoder.layer.%d.", i)
		for _, part := range [...]string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			e.keep(kept, name+part, width, width)
		}
		e.keep(kept, name+"intermediate.dense", inner, width)
		e.keep(kept, name+"output.dense", width, inner)
		for _, part := range [...]string{"attention.output.LayerNorm", "output.LayerNorm"} {
			for _, side := range [...]string{".weight", ".bias"} {
				kept.tensors[name+part+side] = floatTensor(e.floats(name+part+side, width), width)
			}
		}
	}
	kept.tensors[hiddenWeight] = floatTensor(e.floats(hiddenWeight, width, width), width, width)
	kept.tensors[hiddenBias] = floatTensor(e.floats(hiddenBias, width), width)
	kept.tensors[headWeight] = floatTensor(e.floats(headWeight, e.answers, width), e.answers, width)
	kept.tensors[headBias] = floatTensor(e.floats(headBias, e.answers), e.answers)
	if e.err != nil {
		return nil, fmt.Errorf("pack the trained layers: %w", e.err)
	}
	return kept.marshal()
}

// keep keeps a matrix in 8 bits, and what is added behind it.
func (e *encoder) keep(kept *table, name string, out, in int) {
	m := e.matrix(name+".weight", out, in)
	raw := make([]byte, len(m.values))
	for i, v := range m.values {
		raw[i] = byte(v) //nolint:gosec // its two's complement
	}
	kept.tensors[name+".weight"] = &tensor{kindInt8, []int{out, in}, raw}
	kept.tensors[name+".weight"+scaleSuffix] = floatTensor(m.scales, out)
	kept.tensors[name+".bias"] = floatTensor(e.floats(name+".bias", out), out)
}
