package classify

import (
	"errors"
	"fmt"
	stdimage "image"
	"math"

	"github.com/portcullis-gg/portcullis/engines/image/classify/eight"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// runner runs a model, any number of times at once.
type runner interface {
	// Run gives use what the model says of inputs, for as long as that runs.
	Run(inputs []onnx.Tensor, use func(outputs []onnx.Tensor) error) error
	Close() error
}

// network is a model with the way in which pictures are laid out for it.
type network struct {
	in      Input
	session runner
}

// newNetwork has open (onnx.New, onnx.NewHalf) prepare a model's bytes and holds it against
// what is expected of it.
func newNetwork(open func([]byte) (*onnx.Session, error), model []byte, in Input) (*network, error) {
	session, err := open(model)
	if err != nil {
		return nil, err
	}
	err = in.fits(session.Inputs())
	if n := len(session.Outputs()); err == nil && n < 1 {
		err = errors.New("the model has no output")
	}
	if err != nil {
		_ = session.Close()
		return nil, err
	}
	return &network{in, session}, nil
}

// newRounded has a network of the manifest, which gives classes, computed in whole numbers.
func newRounded(open func([]byte) (*eight.Net, error), model []byte, in Input, classes int) (*network, error) {
	net, err := open(model)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what it is
	}
	return &network{in, &rounded{net, classes}}, nil
}

// rounded is an eight.Net as a runner.
type rounded struct {
	net     *eight.Net
	classes int
}

// Run implements runner.
func (r *rounded) Run(inputs []onnx.Tensor, use func([]onnx.Tensor) error) error {
	scores := make([]float32, r.classes)
	if err := r.net.Run(inputs[0].Data, scores); err != nil {
		return err //nolint:wrapcheck // it says what it is
	}
	return use([]onnx.Tensor{{Shape: []int{1, r.classes}, Data: scores}})
}

// Close implements runner.
func (r *rounded) Close() error {
	return r.net.Close() //nolint:wrapcheck // it says what it is
}

// scores gives what the network says of a whole picture: n numbers.
func (n *network) scores(p *stdimage.RGBA, count int) ([]float64, error) {
	scores := make([]float64, count)
	err := n.in.with(p, func(t onnx.Tensor, _ view) error {
		return n.session.Run([]onnx.Tensor{t}, func(out []onnx.Tensor) error {
			if len(out[0].Data) != count {
				return fmt.Errorf("the model gives %v, not %d scores", out[0].Shape, count)
			}
			for i, v := range out[0].Data {
				scores[i] = float64(v)
				if math.IsNaN(scores[i]) || math.IsInf(scores[i], 0) {
					return fmt.Errorf("the model gives %v", v)
				}
			}
			return nil
		})
	})
	return scores, err
}

func (n *network) close() error { return n.session.Close() }
