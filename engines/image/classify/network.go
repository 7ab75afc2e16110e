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

// network is a model with the way in which pictures are laid out for it: one of the two.
type network struct {
	in      Input
	session runner
	rounded *eight.Net
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
	return &network{in: in, session: session}, nil
}

// newRounded has a network of the manifest computed in whole numbers.
func newRounded(open func([]byte) (*eight.Net, error), model []byte, in Input) (*network, error) {
	net, err := open(model)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what it is
	}
	return &network{in: in, rounded: net}, nil
}

// roundedScores is scores of one in whole numbers, which mixes the pixels itself.
func (n *network) roundedScores(p *stdimage.RGBA, count int) ([]float64, error) {
	size := p.Rect.Size()
	if size.X < 1 || size.Y < 1 {
		return nil, errNoPixels
	}
	v, said := n.in.view(size.X, size.Y), make([]float32, count)
	err := n.rounded.Run(&eight.Picture{
		Pix: p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], Stride: p.Stride, Width: size.X, Height: size.Y,
		Across: axis(n.in.taps(int(v.to.w), size.X, v.from.x, v.from.w)),
		Down:   axis(n.in.taps(int(v.to.h), size.Y, v.from.y, v.from.h)),
	}, said)
	scores := make([]float64, count)
	for i, v := range said {
		scores[i] = float64(v)
	}
	return scores, err //nolint:wrapcheck // it says what it is
}

// axis has as many weights for each tap as the one with the most has, none beyond the picture.
func axis(all []tap) eight.Axis {
	a := eight.Axis{First: make([]int32, len(all))}
	end := 0
	for i := range all {
		a.Count, end = max(a.Count, len(all[i].weights)), max(end, all[i].first+len(all[i].weights))
	}
	a.Weights = make([]float32, a.Count*len(all))
	for i, t := range all {
		first := max(0, min(t.first, end-a.Count))
		copy(a.Weights[i*a.Count+t.first-first:], t.weights)
		a.First[i] = int32(first) //nolint:gosec // a side of a picture
	}
	return a
}

// scores gives what the network says of a whole picture: n numbers.
func (n *network) scores(p *stdimage.RGBA, count int) ([]float64, error) {
	if n.rounded != nil {
		return finite(n.roundedScores(p, count))
	}
	scores := make([]float64, count)
	err := n.in.with(p, func(t onnx.Tensor, _ view) error {
		return n.session.Run([]onnx.Tensor{t}, func(out []onnx.Tensor) error {
			if len(out[0].Data) != count {
				return fmt.Errorf("the model gives %v, not %d scores", out[0].Shape, count)
			}
			for i, v := range out[0].Data {
				scores[i] = float64(v)
			}
			return nil
		})
	})
	return finite(scores, err)
}

// finite refuses scores that are no numbers.
func finite(scores []float64, err error) ([]float64, error) {
	for _, v := range scores {
		if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			err = fmt.Errorf("the model gives %v", v)
		}
	}
	return scores, err
}

func (n *network) close() error {
	if n.rounded != nil {
		return n.rounded.Close() //nolint:wrapcheck // it says what it is
	}
	return n.session.Close()
}
