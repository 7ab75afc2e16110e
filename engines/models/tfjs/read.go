package tfjs

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path"
)

// Files gives the content of a file by its name.
type Files func(name string) ([]byte, error)

// maxWeights bounds the weights of a model, in bytes as stored.
const maxWeights = 512 << 20

// node is one operator of a TensorFlow graph.
type node struct {
	name, op string
	in       []string
	attr     map[string]any
}

// weight is a constant of the graph, as TensorFlow lays it out.
type weight struct {
	shape []int
	data  []float32
}

// graph is a model as TensorFlow.js stores it.
type graph struct {
	nodes   []node
	weights map[string]weight
}

// read reads the model file and the shards that it names. A shard packed as a module
// is named as the module is: suffix is what the names in the model lack (".min.js").
func read(model, suffix string, files Files) (*graph, error) {
	text, err := files(model)
	if err != nil {
		return nil, err
	}
	v, err := exported(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	top, ok := v.(map[string]any)
	if !ok || list(top["weightsManifest"]) == nil {
		return nil, fmt.Errorf("%s: no model of TensorFlow.js", model)
	}
	if f := str(top["format"]); f != "graph-model" {
		return nil, fmt.Errorf("%s: format %q: only graph-model is supported", model, f)
	}
	g := &graph{weights: map[string]weight{}}
	for _, n := range list(object(top["modelTopology"])["node"]) {
		m := object(n)
		g.nodes = append(g.nodes, node{name: str(m["name"]), op: str(m["op"]), in: strs(m["input"]), attr: object(m["attr"])})
	}
	for _, group := range list(top["weightsManifest"]) {
		m := object(group)
		var raw []byte
		for _, p := range strs(m["paths"]) {
			name := path.Join(path.Dir(model), p) + suffix
			part, err := shard(name, suffix, files)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if raw = append(raw, part...); len(raw) > maxWeights {
				return nil, fmt.Errorf("%s: more than %d MiB of weights", model, maxWeights>>20)
			}
		}
		if err := g.take(list(m["weights"]), raw); err != nil {
			return nil, fmt.Errorf("%s: %w", model, err)
		}
	}
	return g, nil
}

// shard reads a file of weights: the bytes themselves, or a module that exports them
// in base64.
func shard(name, suffix string, files Files) ([]byte, error) {
	b, err := files(name)
	if err != nil || suffix == "" {
		return b, err
	}
	v, err := exported(string(b))
	if err != nil {
		return nil, err
	}
	s, ok := v.(string)
	if !ok {
		return nil, errors.New("it exports no string")
	}
	return base64.StdEncoding.DecodeString(s)
}

// take cuts the bytes of a group into its weights.
func (g *graph) take(entries []any, raw []byte) error {
	for _, e := range entries {
		m := object(e)
		name := str(m["name"])
		w, used, err := widen(m, raw)
		if err != nil {
			return fmt.Errorf("weight %s: %w", name, err)
		}
		g.weights[name] = w
		raw = raw[used:]
	}
	if len(raw) > 0 {
		return fmt.Errorf("%d bytes of weights belong to none", len(raw))
	}
	return nil
}

// widen reads one weight from the start of raw and says how many bytes it took.
// Quantised values become value*scale + min in 64 bits and are then rounded to 32, as
// in decodeWeights of TensorFlow.js; the product is rounded apart, so that machines
// which would fuse both steps give the same bits.
func widen(m map[string]any, raw []byte) (weight, int, error) {
	w := weight{shape: ints(m["shape"])}
	size := 1
	for _, d := range w.shape {
		if d < 0 || size > maxWeights/max(d, 1) {
			return w, 0, fmt.Errorf("shape %v", w.shape)
		}
		size *= d
	}
	kind, q := str(m["dtype"]), object(m["quantization"])
	if kind != "float32" && kind != "int32" {
		return w, 0, fmt.Errorf("values of %s are not supported", kind)
	}
	if q != nil {
		kind = str(q["dtype"])
	}
	width := map[string]int{"uint8": 1, "uint16": 2, "float16": 2, "float32": 4, "int32": 4}[kind]
	if width == 0 {
		return w, 0, fmt.Errorf("values stored as %s are not supported", kind)
	}
	if len(raw) < size*width {
		return w, 0, fmt.Errorf("%d bytes are left of %d", len(raw), size*width)
	}
	scale, least := num(q["scale"]), num(q["min"])
	w.data = make([]float32, size)
	for i := range w.data {
		b := raw[i*width:]
		switch kind {
		case "uint8":
			w.data[i] = float32(float64(float64(b[0])*scale) + least)
		case "uint16":
			w.data[i] = float32(float64(float64(binary.LittleEndian.Uint16(b))*scale) + least)
		case "float16":
			w.data[i] = half(binary.LittleEndian.Uint16(b))
		case "float32":
			w.data[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		case "int32":
			w.data[i] = float32(int32(binary.LittleEndian.Uint32(b))) //nolint:gosec // its bits are what is meant
		}
	}
	return w, size * width, nil
}

// half is the value of an IEEE 754 binary16.
func half(h uint16) float32 {
	sign, exp, frac := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exp {
	case 0:
		return float32(sign * math.Ldexp(frac, -24))
	case 31:
		if frac != 0 {
			return float32(math.NaN())
		}
		return float32(math.Inf(int(sign)))
	}
	return float32(sign * math.Ldexp(1024+frac, exp-25))
}

// Values of literals, nothing where they are of another kind.

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func list(v any) []any { l, _ := v.([]any); return l }

func str(v any) string { s, _ := v.(string); return s }

func strs(v any) []string {
	var all []string
	for _, e := range list(v) {
		all = append(all, str(e))
	}
	return all
}

// num reads numbers, also those that protobuf's JSON writes as strings.
func num(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		var f float64
		if _, err := fmt.Sscan(v, &f); err == nil {
			return f
		}
	}
	return 0
}

func ints(v any) []int {
	all := []int{}
	for _, e := range list(v) {
		all = append(all, int(num(e)))
	}
	return all
}
