package tfjs

import (
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// arithmetic converts an operator of two tensors. A list beside a tensor of four
// dimensions belongs to the channels, which lie second in ONNX.
func (c *converter) arithmetic(n *node) error {
	op := map[string]string{"Add": "Add", "AddV2": "Add", "BiasAdd": "Add", "Sub": "Sub", "Mul": "Mul"}[n.op]
	if len(n.in) != 2 {
		return fmt.Errorf("it has %d inputs", len(n.in))
	}
	rank := 0
	for _, in := range n.in {
		rank = max(rank, c.known[source(in)].rank)
	}
	names := make([]string, 2)
	for i, in := range n.in {
		w, constant := c.weights[source(in)]
		if constant && rank == 4 && len(w.shape) == 1 && w.shape[0] > 1 {
			names[i] = c.lay(source(in), []int{w.shape[0], 1, 1}, w.data)
			continue
		}
		t, err := c.arg(n, i)
		if err != nil {
			return err
		}
		if rank == 4 && t.rank != 4 && t.rank != 0 && (!constant || len(w.data) != 1) {
			return fmt.Errorf("tensors of 4 and %d dimensions", t.rank)
		}
		names[i] = t.name
	}
	c.known[n.name] = tensor{name: c.add(op, names), rank: rank}
	return nil
}

// activate applies a function of single values (or Softmax) and names the result after n.
func (c *converter) activate(n *node, in tensor, fn string) error {
	switch fn {
	case "":
	case "Relu":
		in.name = c.add("Relu", []string{in.name})
	case "Relu6":
		low, high := c.lay("low", nil, []float32{0}), c.lay("six", nil, []float32{6})
		in.name = c.add("Clip", []string{in.name, low, high})
	case "Softmax":
		if in.rank != 2 {
			return fmt.Errorf("a tensor of %d dimensions is not supported: 2 are", in.rank)
		}
		in.name = c.add("Softmax", []string{in.name}, onnxfile.Int("axis", 1))
	default:
		return fmt.Errorf("%s is not supported", fn)
	}
	c.known[n.name] = in
	return nil
}

// window is what convolutions and pools have in common: strides and padding, given in
// NHWC.
func window(n *node) ([]onnxfile.Attr, error) {
	if f := textOf(n, "data_format"); f != "" && f != "NHWC" {
		return nil, fmt.Errorf("data in %s is not supported", f)
	}
	stride := intsOf(n, "strides")
	if len(stride) != 4 {
		return nil, errors.New("its strides are not four")
	}
	attrs := []onnxfile.Attr{onnxfile.Ints("strides", stride[1], stride[2])}
	switch p := textOf(n, "padding"); p {
	case "SAME":
		return append(attrs, onnxfile.Text("auto_pad", "SAME_UPPER")), nil
	case "VALID":
		return append(attrs, onnxfile.Text("auto_pad", "VALID")), nil
	default:
		return nil, fmt.Errorf("padding %q is not supported", p)
	}
}

// conv converts a convolution with what is fused to it: a bias and a function.
func (c *converter) conv(n *node, depthwise bool) error {
	in, err := c.arg(n, 0)
	if err != nil {
		return err
	}
	w, err := c.constant(n, 1)
	if err != nil {
		return err
	}
	if in.rank != 4 || len(w.shape) != 4 {
		return errors.New("it is no convolution of pictures")
	}
	attrs, err := window(n)
	if err != nil {
		return err
	}
	if d := intsOf(n, "dilations"); len(d) == 4 {
		attrs = append(attrs, onnxfile.Ints("dilations", d[1], d[2]))
	}
	shape, data := turn(w, depthwise)
	if depthwise {
		attrs = append(attrs, onnxfile.Int("group", w.shape[2]))
	}
	names := []string{in.name, c.lay(source(n.in[1]), shape, data)}
	fn, bias, err := c.tail(n)
	if err != nil {
		return err
	}
	if bias != "" {
		names = append(names, bias)
	}
	return c.activate(n, tensor{name: c.add("Conv", names, attrs...), rank: 4}, fn)
}

// tail reads what is fused to an operator of two inputs: the name of its bias and the
// function after it, "" for none.
func (c *converter) tail(n *node) (fn, bias string, err error) {
	for _, op := range fused(n) {
		if op == "BiasAdd" {
			t, err := c.arg(n, 2)
			if err != nil {
				return "", "", err
			}
			bias = t.name
			continue
		}
		if fn != "" {
			return "", "", fmt.Errorf("two functions are fused to it: %s and %s", fn, op)
		}
		fn = op
	}
	return fn, bias, nil
}

// turn lays weights of a convolution out as ONNX has them: height, width, in, out
// become out, in, height, width; where each channel is apart, height, width, channel,
// multiplier become channel·multiplier, 1, height, width.
func turn(w weight, depthwise bool) ([]int, []float32) {
	h, wd, in, out := w.shape[0], w.shape[1], w.shape[2], w.shape[3]
	data := make([]float32, 0, len(w.data))
	kernel := func(i, o int) {
		for at := i*out + o; at < len(w.data); at += in * out {
			data = append(data, w.data[at]) // height and width run on outside of in and out
		}
	}
	if depthwise {
		for i := range in {
			for o := range out {
				kernel(i, o)
			}
		}
		return []int{in * out, 1, h, wd}, data
	}
	for o := range out {
		for i := range in {
			kernel(i, o)
		}
	}
	return []int{out, in, h, wd}, data
}

func (c *converter) matmul(n *node) error {
	in, err := c.arg(n, 0)
	if err != nil {
		return err
	}
	w, err := c.arg(n, 1)
	if err != nil {
		return err
	}
	if in.rank != 2 || w.rank != 2 {
		return fmt.Errorf("tensors of %d and %d dimensions are not supported", in.rank, w.rank)
	}
	flag := func(on bool) int {
		if on {
			return 1
		}
		return 0
	}
	fn, bias, err := c.tail(n)
	if err != nil {
		return err
	}
	names := []string{in.name, w.name}
	if bias != "" {
		names = append(names, bias)
	}
	out := c.add("Gemm", names, onnxfile.Int("transA", flag(boolOf(n, "transpose_a"))), onnxfile.Int("transB", flag(boolOf(n, "transpose_b"))))
	return c.activate(n, tensor{name: out, rank: 2}, fn)
}

// pool converts a pool. TensorFlow leaves padding out of an average, as ONNX does
// unless told to count it.
func (c *converter) pool(n *node) error {
	in, err := c.arg(n, 0)
	if err != nil {
		return err
	}
	attrs, err := window(n)
	if err != nil {
		return err
	}
	size := intsOf(n, "ksize")
	if in.rank != 4 || len(size) != 4 {
		return errors.New("it is no pool of pictures")
	}
	op := map[string]string{"AvgPool": "AveragePool", "MaxPool": "MaxPool"}[n.op]
	c.known[n.name] = tensor{name: c.add(op, []string{in.name}, append(attrs, onnxfile.Ints("kernel_shape", size[1], size[2]))...), rank: 4}
	return nil
}

// squeeze drops the height and width that a pool has left 1 of.
func (c *converter) squeeze(n *node) error {
	in, err := c.arg(n, 0)
	if err != nil {
		return err
	}
	dims := intsOf(n, "squeeze_dims")
	if in.rank != 4 || len(dims) != 2 || dims[0] != 1 || dims[1] != 2 {
		return fmt.Errorf("dimensions %v of %d: only height and width of a picture are supported", dims, in.rank)
	}
	axes := fmt.Sprintf("axes%d", len(c.out.Weights))
	c.out.Weights = append(c.out.Weights, onnxfile.Weight{Name: axes, Shape: []int{2}, Ints: []int64{2, 3}})
	c.known[n.name] = tensor{name: c.add("Squeeze", []string{in.name, axes}), rank: 2}
	return nil
}
