package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// half is the heads that one core learns: heads do not depend on one another, so
// two cores give the same as one.
const half = classify.Heads / 2

// cell is what four heads know of a feature; half a cache line.
type cell struct {
	weight, grad [half]float32
}

// net is a logistic regression of several heads, as it learns.
type net struct {
	bits  uint
	cells [2][]cell
	bias  [classify.Heads]float32
	grad  [classify.Heads]float32
}

// tiny is the gradient below which a row teaches a head nothing any more.
const tiny = 0.004

// learn runs AdaGrad over the samples.
func learn(ctx context.Context, samples []sample, o options, say func(string, ...any)) (*net, error) {
	n := &net{bits: o.bits}
	n.cells[0], n.cells[1] = make([]cell, 1<<o.bits), make([]cell, 1<<o.bits)
	var order []int32
	for i := range samples {
		for range samples[i].repeat {
			order = append(order, int32(i))
		}
	}
	rng := rand.New(rand.NewPCG(o.seed, 7))
	for epoch := range o.epochs {
		rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		var g errgroup.Group
		var loss [2]float64
		for part := range 2 {
			g.Go(func() error {
				for k, i := range order {
					if k&0xFFF == 0 && ctx.Err() != nil {
						return ctx.Err()
					}
					loss[part] += n.step(part, &samples[i], o)
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		say("epoch %d: loss of abuse %.4f", epoch+1, loss[0]/float64(len(order)))
	}
	return n, nil
}

// step learns one sample with one half of the heads; it returns the loss of the first.
func (n *net) step(part int, s *sample, o options) float64 {
	cells, shift := n.cells[part], 32-n.bits
	var z [half]float32
	for _, f := range s.features {
		c := &cells[f>>shift]
		for h := range z {
			z[h] += c.weight[h]
		}
	}
	norm := float32(1 / math.Sqrt(float64(max(1, len(s.features)))))
	loss := 0.0
	var active [half]int
	var delta [half]float32
	count := 0
	for h := range z {
		head := part*half + h
		if !s.asked.has(head) {
			continue
		}
		p := 1 / (1 + math.Exp(-float64(n.bias[head]+z[h]*norm)))
		y := 0.0
		if s.yes.has(head) {
			y = 1
		}
		g := (p - y) * float64(s.weight)
		if head == int(classify.Hate) {
			g *= s.hate
		}
		if s.clean && p > 0.15 {
			g *= o.hard
		}
		if h == 0 {
			loss = -math.Log(max(1e-9, 1-math.Abs(p-y)))
		}
		n.grad[head] += float32(g * g)
		n.bias[head] -= float32(0.1 * g / (math.Sqrt(float64(n.grad[head])) + 1e-4))
		if math.Abs(g) < tiny {
			continue
		}
		active[count], delta[count] = h, float32(g)*norm
		count++
	}
	rate := float32(o.rate)
	for k := range count {
		h, d := active[k], delta[k]
		d2, step := d*d, rate*d
		for _, f := range s.features {
			c := &cells[f>>shift]
			c.grad[h] += d2
			c.weight[h] -= step / (float32(math.Sqrt(float64(c.grad[h]))) + 1e-4)
		}
	}
	return loss
}

// quantise rounds the weights to a byte: the 99.99th percentile becomes 127.
func (n *net) quantise() *classify.Trained {
	t := &classify.Trained{Bits: n.bits, Weights: make([][classify.Heads]int8, 1<<n.bits), Bias: n.bias}
	sizes := make([]float32, 1<<n.bits)
	for head := range classify.Heads {
		cells, h := n.cells[head/half], head%half
		for i := range cells {
			sizes[i] = float32(math.Abs(float64(cells[i].weight[h])))
		}
		slices.Sort(sizes)
		unit := max(sizes[len(sizes)-1-len(sizes)/10000], 1e-6) / 127
		t.Scale[head] = unit
		for i := range cells {
			q := math.Round(float64(cells[i].weight[h] / unit))
			t.Weights[i][head] = int8(max(-127, min(127, q)))
		}
	}
	return t
}
