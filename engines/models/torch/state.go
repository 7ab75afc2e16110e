package torch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// magic is the long that such a file begins with.
const magic = "\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"

// weights reads the tensors of a checkpoint's dictionary "model_state".
func weights(file []byte) (map[string]tensor, error) {
	r := &reader{b: file}
	var parts [5]any // magic, version, system, the object, the keys of its storages
	for i := range parts {
		v, err := r.pickle()
		if err != nil {
			return nil, err
		}
		parts[i] = v
	}
	if parts[0] != magic || parts[1] != 1001 {
		return nil, errors.New("no checkpoint of PyTorch before 1.6")
	}
	top, ok := parts[3].(*dict)
	if !ok {
		return nil, errors.New("the checkpoint is no dictionary")
	}
	state, ok := top.get("model_state").(*dict)
	if !ok {
		return nil, errors.New("the checkpoint has no model_state")
	}
	keys, ok := parts[4].(*list)
	if !ok {
		return nil, errors.New("the keys of storages are no list")
	}
	storages, err := r.storages(keys, sizes(parts[3], map[string]int{}))
	if err != nil {
		return nil, err
	}
	all := map[string]tensor{}
	for i, k := range state.keys {
		name, ok := k.(string)
		if !ok {
			return nil, errors.New("the name of a weight is no text")
		}
		t, err := view(state.values[i], storages)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = t
	}
	return all, nil
}

// sizes finds how many bytes a value has in each storage that an object refers to.
func sizes(v any, known map[string]int) map[string]int {
	switch v := v.(type) {
	case *dict:
		for _, x := range v.values {
			sizes(x, known)
		}
	case *list:
		for _, x := range v.items {
			sizes(x, known)
		}
	case tuple:
		for _, x := range v {
			sizes(x, known)
		}
	case made:
		sizes(v.args, known)
	case persistent:
		if len(v) >= 3 {
			kind, _ := v[1].(global)
			key, _ := v[2].(string)
			known[key] = map[global]int{"torch.FloatStorage": 4, "torch.LongStorage": 8}[kind]
		}
	}
	return known
}

// storages reads the raw values behind the pickles: for each key their number, then
// they themselves.
func (r *reader) storages(keys *list, sizes map[string]int) (map[string][]float32, error) {
	all := map[string][]float32{}
	for _, k := range keys.items {
		key, _ := k.(string)
		size := sizes[key]
		if size == 0 {
			return nil, fmt.Errorf("storage %q: of an unknown kind", key)
		}
		head, err := r.take(8)
		if err != nil {
			return nil, err
		}
		n := binary.LittleEndian.Uint64(head)
		if n > uint64(len(r.b)/size) {
			return nil, errCut
		}
		raw, err := r.take(int(n) * size) //nolint:gosec // no more than the file has
		if err != nil {
			return nil, err
		}
		if size != 4 {
			continue // counters of the optimiser
		}
		values := make([]float32, n)
		for i := range values {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
		all[key] = values
	}
	return all, nil
}

// tensor is a weight, the last dimension running fastest.
type tensor struct {
	shape  []int
	values []float32
}

// view is a tensor that lies in a storage: _rebuild_tensor_v2(storage, offset, shape,
// stride, …).
func view(v any, storages map[string][]float32) (tensor, error) {
	m, ok := v.(made)
	if !ok || m.by != "torch._utils._rebuild_tensor_v2" || len(m.args) < 4 {
		return tensor{}, errors.New("it is no tensor")
	}
	at, isStorage := m.args[0].(persistent)
	offset, isOffset := m.args[1].(int)
	shape, isShape := ints(m.args[2])
	stride, isStride := ints(m.args[3])
	if !isStorage || len(at) < 3 || !isOffset || !isShape || !isStride || offset < 0 {
		return tensor{}, errors.New("it is no tensor that is understood")
	}
	key, _ := at[2].(string)
	size := 1
	for i := len(shape) - 1; i >= 0; i-- {
		if i >= len(stride) || shape[i] < 1 || stride[i] != size || size > 1<<28 {
			return tensor{}, fmt.Errorf("shape %v with stride %v is not laid out row by row", shape, stride)
		}
		size *= shape[i]
	}
	values := storages[key]
	if offset+size > len(values) {
		return tensor{}, errors.New("it reaches beyond its storage")
	}
	return tensor{shape, values[offset : offset+size]}, nil
}

func ints(v any) (out []int, ok bool) {
	t, ok := v.(tuple)
	for _, x := range t {
		n, isInt := x.(int)
		ok = ok && isInt
		out = append(out, n)
	}
	return out, ok
}
