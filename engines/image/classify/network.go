package classify

import (
	"errors"
	"fmt"
	stdimage "image"
	"math"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// network is a model with the way in which pictures are laid out for it.
type network struct {
	in      Input
	session *onnx.Session
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
