package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

var errCut = errors.New("safetensors: the file is cut off or damaged")

// Types of values that are known.
const (
	kindFloat = "F32"
	kindInt8  = "I8"
	kindInt64 = "I64" // positions, which nobody needs
)

// mostHeader bounds the header; BERT's is 12 kB.
const mostHeader = 1 << 20

// tensor is one array; its values are in the file's bytes.
type tensor struct {
	Kind    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`

	raw []byte
}

// table is a file in the safetensors format: an 8-byte length, that much JSON, the values.
// https://github.com/huggingface/safetensors
type table struct {
	tensors map[string]*tensor
	notes   map[string]string // __metadata__
}

func readTable(file []byte) (*table, error) {
	if len(file) < 8 {
		return nil, errCut
	}
	size := binary.LittleEndian.Uint64(file)
	if size > mostHeader || size > uint64(len(file)-8) {
		return nil, errCut
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+size], &header); err != nil {
		return nil, fmt.Errorf("safetensors: read the header: %w", err)
	}
	t := &table{tensors: map[string]*tensor{}}
	values := file[8+size:]
	for name, body := range header {
		if name == "__metadata__" {
			if err := json.Unmarshal(body, &t.notes); err != nil {
				return nil, fmt.Errorf("safetensors: read the metadata: %w", err)
			}
			continue
		}
		x := &tensor{}
		if err := json.Unmarshal(body, x); err != nil {
			return nil, fmt.Errorf("safetensors: read %s: %w", name, err)
		}
		if err := x.take(values); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.tensors[name] = x
	}
	return t, nil
}

// take finds the values of a tensor, which must be as many as its shape says.
func (x *tensor) take(values []byte) error {
	width, ok := map[string]int{kindFloat: 4, kindInt8: 1, kindInt64: 8}[x.Kind]
	if !ok {
		return fmt.Errorf("safetensors: values of %q are not known", x.Kind)
	}
	for _, d := range x.Shape {
		if d <= 0 || width > (1<<30)/d {
			return errCut
		}
		width *= d
	}
	from, to := x.Offsets[0], x.Offsets[1]
	if from < 0 || to > len(values) || to-from != width {
		return errCut
	}
	x.raw = values[from:to:to]
	return nil
}

// marshal writes a table: the same bytes for the same tensors.
func (t *table) marshal() ([]byte, error) {
	header, at := map[string]any{}, 0
	var values []byte
	for _, name := range slices.Sorted(maps.Keys(t.tensors)) {
		x := t.tensors[name]
		x.Offsets = [2]int{at, at + len(x.raw)}
		at += len(x.raw)
		header[name] = x
		values = append(values, x.raw...)
	}
	header["__metadata__"] = t.notes
	b, err := json.Marshal(header) // keys in order
	if err != nil {
		return nil, fmt.Errorf("safetensors: write the header: %w", err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(b)))
	return append(append(file, b...), values...), nil
}

// has reports whether a tensor is in the file with that shape.
func (x *tensor) has(shape ...int) bool { return x != nil && slices.Equal(x.Shape, shape) }

func (x *tensor) floats() []float32 {
	v := make([]float32, len(x.raw)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(x.raw[4*i:]))
	}
	return v
}

func floatTensor(v []float32, shape ...int) *tensor {
	raw := make([]byte, 0, 4*len(v))
	for _, f := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(f))
	}
	return &tensor{Kind: kindFloat, Shape: shape, raw: raw}
}
