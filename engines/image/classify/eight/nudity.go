package eight

import "github.com/portcullis-gg/portcullis/engines/models/onnxfile"

// Nudity prepares nsfwjs-mid, a MobileNetV2 (Sandler et al. 2018) of 1.4 times the channels, of the file that
// the converter makes. It gives probabilities of 5 classes.
func Nudity(model []byte) (*Net, error) {
	if !Able() {
		return nil, ErrUnable
	}
	f, err := open(model)
	if err != nil {
		return nil, err
	}
	n := newNet(5)
	b := &mobile{Net: n, file: f, side: Side / 2}
	b.build()
	if f.err != nil {
		_ = n.Close()
		return nil, f.err
	}
	return n, nil
}

// mobile builds the network of its nodes, one after the other.
type mobile struct {
	*Net
	*file

	at, side, channels int
}

// next is the next node, which must be of that kind.
func (b *mobile) next(op string) *onnxfile.Node {
	if b.at >= len(b.nodes) || b.nodes[b.at].Op != op || len(b.nodes[b.at].Out) != 1 {
		b.fail("node %d is no %s", b.at, op)
		return &onnxfile.Node{In: make([]string, 3), Out: make([]string, 1)}
	}
	n := &b.nodes[b.at]
	b.at++
	return n
}

func (b *mobile) is(op string) bool { return b.at < len(b.nodes) && b.nodes[b.at].Op == op }

// conv reads the next convolution; relu says whether it ends in ReLU6.
func (b *mobile) conv() (w, bias []float32, shape [4]int, stride int, relu bool) {
	n := b.next("Conv")
	if len(n.In) != 3 {
		b.fail("a convolution without bias")
		return nil, nil, [4]int{1, 1, 1, 1}, 1, false
	}
	shape = b.shape(n.In[1])
	w, bias = b.floats(n.In[1], shape[:]...), b.floats(n.In[2], shape[0])
	stride = 1
	if s := n.Ints("strides"); len(s) == 2 {
		stride = s[0]
	}
	if relu = b.is("Clip"); relu {
		b.next("Clip")
	}
	return w, bias, shape, stride, relu
}

func (b *mobile) build() {
	b.next("Transpose")
	mul, sub := b.next("Mul"), b.next("Sub")
	for c := range 3 {
		b.start.mul[c], b.start.add[c] = b.floats(mul.In[0])[0]/255, -b.floats(sub.In[1])[0]
	}
	w, bias, shape, stride, relu := b.conv()
	if shape != [4]int{48, 3, 3, 3} || stride != 2 || !relu {
		b.fail("it begins with a convolution of %v", shape)
		return
	}
	b.first(w, bias, shape[0], actRELU6)
	b.channels = shape[0]
	for b.err == nil && b.block() {
	}
	b.head()
}

// block is more channels, a convolution of each and fewer channels; false where the network ends instead.
func (b *mobile) block() bool {
	if b.err != nil {
		return false
	}
	from, side := b.at, b.side
	var more *product
	w, bias, shape, stride, relu := b.conv()
	wide := b.channels
	if shape[2] == 1 {
		if !b.is("Conv") {
			b.at = from
			return false
		}
		if shape[1] != b.channels || stride != 1 || !relu {
			b.fail("more channels by %v", shape)
			return false
		}
		wide = shape[0]
		more = b.pointwise(w, bias, nil, shape[1], wide, actRELU6)
		w, bias, shape, stride, relu = b.conv()
	}
	if shape != [4]int{wide, 1, 3, 3} || stride < 1 || stride > 2 || !relu {
		b.fail("each channel by %v", shape)
		return false
	}
	d := b.each(inBytes(w), inBytes(bias), wide, stride, 2-stride) // TensorFlow's SAME: what is odd lies behind
	w, bias, shape, s, relu := b.conv()
	if shape[1] != wide || shape[2] != 1 || s != 1 || relu {
		b.fail("fewer channels by %v", shape)
		return false
	}
	fewer := b.pointwise(w, bias, nil, wide, shape[0], actNone)
	plus := b.is("Add")
	if plus {
		b.next("Add")
	}
	if plus && (shape[0] != b.channels || stride != 1) {
		b.fail("%d channels are added to %d", shape[0], b.channels)
		return false
	}
	b.steps = append(b.steps, func(r *room) {
		var add []float32
		if plus {
			add = r.x
		}
		inverted(r, more, d, fewer, side, r.x, add, r.y)
		r.x, r.y = r.y, r.x
	})
	b.side, b.channels = side/stride, shape[0]
	return true
}

// inBytes are weights of what ends in ReLU6 and is rounded to bytes: 6 is 255 there.
func inBytes(w []float32) []float32 {
	all := make([]float32, len(w))
	for i, v := range w {
		all[i] = v * 255 / 6
	}
	return all
}

func (b *mobile) head() {
	w, bias, shape, _, relu := b.conv()
	if b.err == nil && (shape[1] != b.channels || shape[2] != 1 || !relu || b.side != 7) {
		b.fail("it ends with a convolution of %v", shape)
	}
	b.next("AveragePool")
	b.next("Squeeze")
	gemm := b.next("Gemm")
	b.next("Softmax")
	if len(gemm.In) != 3 {
		b.fail("it ends without a bias")
	}
	if b.err != nil {
		return
	}
	c := shape[0]
	classes, plus := b.floats(gemm.In[1], c, 5), b.floats(gemm.In[2], 5)
	p := b.pointwise(w, bias, nil, shape[1], c, actRELU6)
	b.steps = append(b.steps, func(r *room) {
		multiply(r, p, 7*7, r.x, nil, r.y)
		mean(r.y, 7*7, padded(c), r.small)
		copy(r.scores, plus)
		for i, v := range r.small[:c] {
			for o := range r.scores {
				r.scores[o] += v * classes[i*5+o]
			}
		}
		softmax(r.scores)
	})
}
