package bert

import (
	"fmt"
	"strconv"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// What is published as all-MiniLM-L6-v2: six layers of 384 values and twelve heads. Of
// multilingual-e5-small, which has twelve layers, the first six are used.
const (
	width   = 384
	inner   = 4 * width
	heads   = 12
	layers  = 6
	epsilon = 1e-12
)

// The head that training adds: a hidden layer with tanh, then one number of a sentence or more.
const (
	hiddenWeight = "head.dense.weight" // [384, 384]
	hiddenBias   = "head.dense.bias"   // [384]
	headWeight   = "head.out.weight"   // [n, 384]
	headBias     = "head.out.bias"     // [n]
)

// mostAnswers bounds what a head may give.
const mostAnswers = 16

// encoder is a published network with its upper layers replaced. The first fault stays.
type encoder struct {
	base, trained *table
	frozen        int  // layers that are the published ones
	first         bool // the sentence is what its first token became, else the mean of all
	tokens        int  // at most, the first and last one of every text included
	answers       int  // numbers that the head gives
	err           error
}

// open reads both files. The notes of trained say what it is: "frozen", the number of
// published layers below it, "pooling", mean or cls, and "tokens".
func open(base, trained []byte) (*encoder, error) {
	e := &encoder{}
	var err error
	if e.base, err = readBase(base); err != nil {
		return nil, fmt.Errorf("read the published encoder: %w", err)
	}
	if e.trained, err = readTable(trained); err != nil {
		return nil, fmt.Errorf("read the trained layers: %w", err)
	}
	notes := e.trained.notes
	e.first = notes["pooling"] == "cls"
	if !e.first && notes["pooling"] != "mean" {
		return nil, fmt.Errorf("the trained layers: pooling %q is neither mean nor cls", notes["pooling"])
	}
	if e.frozen, err = strconv.Atoi(notes["frozen"]); err != nil || e.frozen < 0 || e.frozen >= layers {
		return nil, fmt.Errorf("the trained layers: %q of %d layers can't be frozen", notes["frozen"], layers)
	}
	if e.tokens, err = strconv.Atoi(notes["tokens"]); err != nil || e.tokens < 8 || e.tokens > 512 {
		return nil, fmt.Errorf("the trained layers: %q tokens are not 8 to 512", notes["tokens"])
	}
	out := e.trained.tensors[headWeight]
	if out == nil || len(out.shape) != 2 || out.shape[0] > mostAnswers {
		return nil, fmt.Errorf("the trained layers: no tensor %s of [n %d]", headWeight, width)
	}
	e.answers = out.shape[0]
	return e, nil
}

// readBase reads a published encoder: a safetensors file, or one of 4 bits.
func readBase(file []byte) (*table, error) {
	if !isPacked(file) {
		return readTable(file)
	}
	p, err := readPacked(file)
	if err != nil {
		return nil, err
	}
	return &p.table, nil
}

func (e *encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

// find is the tensor of a name with a shape: of what was trained, else the published one.
func (e *encoder) find(name string, shape ...int) *tensor {
	x := e.trained.tensors[name]
	if x == nil {
		x = e.base.tensors[name]
	}
	if !x.has(shape...) {
		e.fail("no tensor %s of %v", name, shape)
		return nil
	}
	return x
}

func (e *encoder) floats(name string, shape ...int) []float32 {
	x := e.find(name, shape...)
	if x == nil || x.kind != kindFloat && x.kind != kindFour {
		e.fail("tensor %s is not of float32", name)
		size := 1
		for _, d := range shape {
			size *= d
		}
		return make([]float32, size)
	}
	return x.floats()
}

// matrix is a matrix in 8 bits, with a scale for each row.
type matrix struct {
	values  []int8
	scales  []float32
	out, in int
}

// matrix gives one in 8 bits: as it was kept, or rounded here.
func (e *encoder) matrix(name string, out, in int) matrix {
	x := e.find(name, out, in)
	if x == nil {
		return matrix{make([]int8, out*in), make([]float32, out), out, in}
	}
	if x.kind == kindInt8 {
		m := matrix{make([]int8, out*in), e.floats(name+scaleSuffix, out), out, in}
		for i, b := range x.raw {
			m.values[i] = int8(b) //nolint:gosec // its two's complement
		}
		return m
	}
	return rounded(x.floats(), out, in)
}

// scaleSuffix names the scales of a matrix that is kept in 8 bits.
const scaleSuffix = "_scale"

func rounded(v []float32, out, in int) matrix {
	values, scales := onnxfile.Rounded(v, out, in)
	return matrix{values, scales, out, in}
}
