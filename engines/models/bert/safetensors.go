package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/unigram"
)

var errCut = errors.New("safetensors: the file is cut off or damaged")

// Types of values that are known.
const (
	kindFloat = "F32"
	kindInt8  = "I8"
	kindInt64 = "I64" // positions, which nobody needs
	kindFour  = "Q4"  // blocks of unigram.Spread; in no file of this format
)

// mostHeader bounds the header; BERT's is 12 kB.
const mostHeader = 1 << 20

// tensor is one array; its values are in the file's bytes.
type tensor struct {
	kind  string
	shape []int
	raw   []byte
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
		x, err := readTensor(body, values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.tensors[name] = x
	}
	return t, nil
}

// readTensor reads what the header says of a tensor and finds its values, which must be as
// many as its shape says.
func readTensor(body, values []byte) (*tensor, error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(body, &parts); err != nil {
		return nil, fmt.Errorf("safetensors: read the header: %w", err)
	}
	x := &tensor{}
	var place [2]int
	for part, to := range map[string]any{"dtype": &x.kind, "shape": &x.shape, "data_offsets": &place} {
		if err := json.Unmarshal(parts[part], to); err != nil {
			return nil, fmt.Errorf("safetensors: read %s: %w", part, err)
		}
	}
	width, ok := map[string]int{kindFloat: 4, kindInt8: 1, kindInt64: 8}[x.kind]
	if !ok {
		return nil, fmt.Errorf("safetensors: values of %q are not known", x.kind)
	}
	for _, d := range x.shape {
		if d <= 0 || width > (1<<30)/d {
			return nil, errCut
		}
		width *= d
	}
	from, to := place[0], place[1]
	if from < 0 || to > len(values) || to-from != width {
		return nil, errCut
	}
	x.raw = values[from:to:to]
	return x, nil
}

// marshal writes a table: the same bytes for the same tensors.
func (t *table) marshal() ([]byte, error) {
	header, at := map[string]any{}, 0
	var values []byte
	for _, name := range slices.Sorted(maps.Keys(t.tensors)) {
		x := t.tensors[name]
		header[name] = map[string]any{"dtype": x.kind, "shape": x.shape, "data_offsets": [2]int{at, at + len(x.raw)}}
		at += len(x.raw)
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
func (x *tensor) has(shape ...int) bool { return x != nil && slices.Equal(x.shape, shape) }

func (x *tensor) floats() []float32 {
	if x.kind == kindFour {
		return unigram.Spread(x.raw, make([]float32, 0, len(x.raw)/unigram.BlockBytes*unigram.Block))
	}
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
	return &tensor{kindFloat, shape, raw}
}
