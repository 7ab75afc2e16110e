package classify

import (
	"errors"
	"fmt"
	stdimage "image"
	"sync"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Ways to lay out a picture for a network.
const (
	NCHW = "nchw" // all red, then all green, then all blue
	NHWC = "nhwc" // pixel by pixel
	RGB  = "rgb"
	BGR  = "bgr"
)

// Ways to fit a picture into a network's input.
const (
	Stretch = "stretch" // all of it, its proportions lost
	Crop    = "crop"    // the middle of it, as much as has the right proportions
	Pad     = "pad"     // all of it, with grey around
)

// Ways to sample a picture.
const (
	Area     = "area"     // the mean of what a sample covers; between neighbours when enlarging
	Bilinear = "bilinear" // between the four neighbours of a sample's centre
	Corners  = "corners"  // the same with the corners on each other: TensorFlow's align_corners
)

// Input says how a picture becomes the input of a network. A value of a channel, 0 to
// 255, becomes (value·Scale − Mean) / Std.
type Input struct {
	Width   int       `yaml:"width"`
	Height  int       `yaml:"height"`
	Layout  string    `yaml:"layout"`  // "" is nchw
	Colours string    `yaml:"colours"` // "" is rgb
	Scale   float64   `yaml:"scale"`   // 0 is 1/255
	Mean    []float64 `yaml:"mean"`    // of the channels in their order; none is 0
	Std     []float64 `yaml:"std"`     // none is 1
	Fit     string    `yaml:"fit"`     // "" is stretch
	Filter  string    `yaml:"filter"`  // "" is area
}

// maxSide bounds the input of a network.
const maxSide = 2048

// faults are what is wrong with it, each naming its key below prefix.
func (in *Input) faults(prefix string) []error {
	var errs []error
	bad := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s.%s: %s", prefix, key, fmt.Sprintf(format, args...)))
	}
	for key, n := range map[string]int{"width": in.Width, "height": in.Height} {
		if n < 1 || n > maxSide {
			bad(key, "must be 1 to %d", maxSide)
		}
	}
	oneOf := func(key, v string, all ...string) {
		for _, a := range all {
			if v == a || v == "" {
				return
			}
		}
		bad(key, "%q is none of %v", v, all)
	}
	oneOf("layout", in.Layout, NCHW, NHWC)
	oneOf("colours", in.Colours, RGB, BGR)
	oneOf("fit", in.Fit, Stretch, Crop, Pad)
	oneOf("filter", in.Filter, Area, Bilinear, Corners)
	if in.Scale < 0 {
		bad("scale", "must not be negative")
	}
	if n := len(in.Mean); n != 0 && n != 3 {
		bad("mean", "must have 3 values")
	}
	if n := len(in.Std); n != 0 && n != 3 {
		bad("std", "must have 3 values")
	}
	for _, s := range in.Std {
		if s <= 0 {
			bad("std", "must be positive")
		}
	}
	return errs
}

// fits says whether a model takes this input.
func (in *Input) fits(model []onnx.Info) error {
	if len(model) != 1 {
		return fmt.Errorf("the model has %d inputs: one is supported", len(model))
	}
	want := in.shape()
	have := model[0].Shape
	if len(have) != len(want) {
		return fmt.Errorf("the model takes %v, not %v", have, want)
	}
	for i, d := range have {
		if d > 0 && d != want[i] {
			return fmt.Errorf("the model takes %v, not %v", have, want)
		}
	}
	return nil
}

func (in *Input) shape() []int {
	if in.Layout == NHWC {
		return []int{1, in.Height, in.Width, 3}
	}
	return []int{1, 3, in.Height, in.Width}
}

// view says which part of a picture an input shows, and where in the input.
type view struct {
	// From is the part of the picture, to the part of the input, both in pixels.
	from, to struct{ x, y, w, h float64 }
}

func (in *Input) view(width, height int) view {
	var v view
	w, h := float64(width), float64(height)
	v.from.w, v.from.h = w, h
	v.to.w, v.to.h = float64(in.Width), float64(in.Height)
	switch in.Fit {
	case Crop:
		scale := min(w/v.to.w, h/v.to.h)
		v.from.w, v.from.h = v.to.w*scale, v.to.h*scale
		v.from.x, v.from.y = (w-v.from.w)/2, (h-v.from.h)/2
	case Pad:
		scale := min(v.to.w/w, v.to.h/h)
		v.to.w, v.to.h = max(1, float64(int(w*scale+.5))), max(1, float64(int(h*scale+.5)))
		v.to.x, v.to.y = float64(int(float64(in.Width)-v.to.w)/2), float64(int(float64(in.Height)-v.to.h)/2)
	}
	return v
}

// grey is what lies around a padded picture.
const grey = 114

// tensors are reused: an input of 224×224 takes 600 kB, one of 640×640 4.9 MB.
var tensors sync.Pool

var errNoPixels = errors.New("the picture has no pixels")

// with lays a picture out and gives the tensor to use, for as long as that runs.
func (in *Input) with(p *stdimage.RGBA, use func(onnx.Tensor, view) error) error {
	size := p.Rect.Size()
	if size.X < 1 || size.Y < 1 {
		return errNoPixels
	}
	buf, _ := tensors.Get().(*[]float32)
	n := 3 * in.Width * in.Height
	if buf == nil || cap(*buf) < n {
		made := make([]float32, n)
		buf = &made
	}
	defer tensors.Put(buf)
	data := (*buf)[:n]
	v := in.view(size.X, size.Y)
	in.fill(p, v, data)
	return use(onnx.Tensor{Shape: in.shape(), Data: data}, v)
}

// fill writes all of data.
func (in *Input) fill(p *stdimage.RGBA, v view, data []float32) {
	mul, add := in.linear()
	// Where the value of channel c of the pixel at (x, y) goes.
	pixel, channel, row := 1, in.Width*in.Height, in.Width
	if in.Layout == NHWC {
		pixel, channel, row = 3, 1, 3*in.Width
	}
	if in.Fit == Pad {
		for i := range data {
			c := i / channel % 3
			data[i] = grey*mul[c] + add[c]
		}
	}
	source := [3]int{0, 1, 2}
	if in.Colours == BGR {
		source = [3]int{2, 1, 0}
	}
	x0, y0 := int(v.to.x), int(v.to.y)
	r, g, b := source[0], source[1], source[2]
	in.sample(p, v, func(y int, line []float32) {
		to := data[(y0+y)*row+x0*pixel:]
		for len(line) >= 3 && len(to) > 2*channel {
			to[0] = line[r]*mul[0] + add[0]
			to[channel] = line[g]*mul[1] + add[1]
			to[2*channel] = line[b]*mul[2] + add[2]
			line, to = line[3:], to[min(pixel, len(to)):]
		}
	})
}

// linear gives what a value of each channel is multiplied by, and what is added then.
func (in *Input) linear() (mul, add [3]float32) {
	scale := in.Scale
	if scale == 0 {
		scale = 1. / 255
	}
	for c := range 3 {
		mean, std := 0., 1.
		if len(in.Mean) == 3 {
			mean = in.Mean[c]
		}
		if len(in.Std) == 3 {
			std = in.Std[c]
		}
		mul[c], add[c] = float32(scale/std), float32(-mean/std)
	}
	return mul, add
}
