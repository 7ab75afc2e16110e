package tfjs

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// Convert reads a graph model and gives it as ONNX. model is the name of its model
// file; suffix is what the shards' names in it lack, "" where they are plain files.
// The same model gives the same bytes on every machine.
func Convert(model, suffix string, files Files) ([]byte, error) {
	g, err := read(model, suffix, files)
	if err != nil {
		return nil, fmt.Errorf("tfjs: %w", err)
	}
	c := converter{graph: g, known: map[string]tensor{}, out: onnxfile.Model{Name: "tfjs"}}
	for i := range g.nodes {
		if err := c.node(&g.nodes[i]); err != nil {
			return nil, fmt.Errorf("tfjs: %s: %s %s: %w", model, g.nodes[i].op, g.nodes[i].name, err)
		}
	}
	if err := c.finish(); err != nil {
		return nil, fmt.Errorf("tfjs: %s: %w", model, err)
	}
	return c.out.Marshal()
}

// tensor is what is known of a value of the graph.
type tensor struct {
	name string // in the ONNX graph; "" for a weight that is not laid down yet
	rank int    // 4: it lies in NCHW
}

type converter struct {
	*graph
	known map[string]tensor
	out   onnxfile.Model
	used  map[string]bool
}

// node converts one operator.
func (c *converter) node(n *node) error {
	if c.used == nil {
		c.used = map[string]bool{}
	}
	for _, in := range n.in {
		c.used[source(in)] = true
	}
	switch n.op {
	case "Placeholder":
		return c.input(n)
	case "Const":
		w, ok := c.weights[n.name]
		if !ok {
			return errors.New("no weight of this name")
		}
		c.known[n.name] = tensor{rank: len(w.shape)}
		return nil
	case "Identity":
		in, err := c.arg(n, 0)
		if err == nil {
			c.known[n.name] = in
		}
		return err
	case "Add", "AddV2", "Sub", "Mul", "BiasAdd":
		return c.arithmetic(n)
	case "Relu", "Relu6", "Softmax":
		in, err := c.arg(n, 0)
		if err != nil {
			return err
		}
		return c.activate(n, in, n.op)
	case "Conv2D", "_FusedConv2D":
		return c.conv(n, false)
	case "DepthwiseConv2dNative", "FusedDepthwiseConv2dNative":
		return c.conv(n, true)
	case "MatMul", "_FusedMatMul":
		return c.matmul(n)
	case "AvgPool", "MaxPool":
		return c.pool(n)
	case "Squeeze":
		return c.squeeze(n)
	}
	return errors.New("this operator is not supported")
}

// source is the node that an input comes from: "name", "name:0" or "^name".
func source(in string) string {
	in, _, _ = strings.Cut(strings.TrimPrefix(in, "^"), ":")
	return in
}

// arg is the i-th input of n as a value of the ONNX graph.
func (c *converter) arg(n *node, i int) (tensor, error) {
	if i >= len(n.in) {
		return tensor{}, fmt.Errorf("it has %d inputs", len(n.in))
	}
	name := source(n.in[i])
	t, ok := c.known[name]
	if !ok {
		return t, fmt.Errorf("its input %s comes after it, or never", name)
	}
	if t.name == "" { // a weight as it is
		w := c.weights[name]
		if len(w.shape) == 4 {
			return t, fmt.Errorf("its input %s is a weight of four dimensions", name)
		}
		t.name = c.lay(name, w.shape, w.data)
		c.known[name] = t
	}
	return t, nil
}

// constant is the i-th input of n, which must be a weight.
func (c *converter) constant(n *node, i int) (weight, error) {
	if i >= len(n.in) {
		return weight{}, fmt.Errorf("it has %d inputs", len(n.in))
	}
	w, ok := c.weights[source(n.in[i])]
	if !ok {
		return w, fmt.Errorf("its input %s is no weight", n.in[i])
	}
	return w, nil
}

// lay writes a weight down under a name of its own and returns that.
func (c *converter) lay(name string, shape []int, data []float32) string {
	name = fmt.Sprintf("w%d_%s", len(c.out.Weights), name[strings.LastIndexByte(name, '/')+1:])
	c.out.Weights = append(c.out.Weights, onnxfile.Weight{Name: name, Shape: shape, Floats: data})
	return name
}

// add appends an operator and returns the name of its output.
func (c *converter) add(op string, in []string, attrs ...onnxfile.Attr) string {
	out := fmt.Sprintf("t%d", len(c.out.Nodes))
	c.out.Nodes = append(c.out.Nodes, onnxfile.Node{Op: op, In: in, Out: []string{out}, Attrs: attrs})
	return out
}

func (c *converter) input(n *node) error {
	var shape []int
	for _, d := range list(object(object(n.attr["shape"])["shape"])["dim"]) {
		size := int(num(object(d)["size"]))
		if size <= 0 {
			size = -1
		}
		shape = append(shape, size)
	}
	if len(shape) != 4 {
		return fmt.Errorf("an input of %d dimensions is not supported: 4 are", len(shape))
	}
	c.out.Inputs = append(c.out.Inputs, onnxfile.Value{Name: n.name, Shape: shape})
	c.known[n.name] = tensor{name: c.add("Transpose", []string{n.name}, onnxfile.Ints("perm", 0, 3, 1, 2)), rank: 4}
	return nil
}

// finish names what nobody takes as the output.
func (c *converter) finish() error {
	if len(c.out.Inputs) != 1 {
		return fmt.Errorf("%d inputs: one is supported", len(c.out.Inputs))
	}
	for _, n := range c.nodes {
		t := c.known[n.name]
		if c.used[n.name] || n.op == "Const" || n.op == "Placeholder" {
			continue
		}
		if len(c.out.Outputs) > 0 {
			return errors.New("more than one output")
		}
		if t.rank != 2 {
			return fmt.Errorf("an output of %d dimensions is not supported: 2 are", t.rank)
		}
		name := source(n.name)
		c.out.Nodes = append(c.out.Nodes, onnxfile.Node{Op: "Identity", In: []string{t.name}, Out: []string{name}})
		c.out.Outputs = append(c.out.Outputs, onnxfile.Value{Name: name, Shape: []int{-1, -1}})
	}
	if len(c.out.Outputs) == 0 {
		return errors.New("no output")
	}
	return nil
}

// fused lists the names in fused_ops, which protobuf's JSON has in base64.
func fused(n *node) []string {
	var all []string
	for _, s := range strs(object(object(n.attr["fused_ops"])["list"])["s"]) {
		all = append(all, decoded(s))
	}
	return all
}

func decoded(s string) string {
	if b, err := base64.StdEncoding.DecodeString(s); err == nil && slices.IndexFunc(b, func(c byte) bool { return c < 32 || c > 126 }) < 0 {
		return string(b)
	}
	return s
}

func intsOf(n *node, attr string) []int { return ints(object(object(n.attr[attr])["list"])["i"]) }

func textOf(n *node, attr string) string { return decoded(str(object(n.attr[attr])["s"])) }

func boolOf(n *node, attr string) bool { b, _ := object(n.attr[attr])["b"].(bool); return b }
