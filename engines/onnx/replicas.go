package onnx

import (
	"slices"
	"sync"
)

// replica is a model made ready once, which one may run at a time. It makes itself ready for
// each shape of input anew, which takes longer than computing, and remembers those it had.
type replica interface {
	run(input Tensor, use func(outputs []Tensor) error) error
	close()
}

// opener makes replicas of a model, until it is closed.
type opener interface {
	open() (replica, error)
	close()
}

// mostReplicas bounds how many may run one model at a time: each has its own memory.
const mostReplicas = 32

// replicas run a model of one input as often at a time as there are processors. A replica is
// made when nobody is idle, and who had a shape before is asked for it first, so that where
// one picture is looked at at a time no shape is made ready twice.
type replicas struct {
	model opener
	// turns has one for each that runs. Full-rule: the next waits, since a processor would
	// not be free for it any sooner.
	turns chan struct{}

	mu   sync.Mutex
	idle []*ready // the one used last comes last
}

// ready is a replica and the shapes that it was run with, which are as few as its callers
// make them: the library keeps more of each than this does.
type ready struct {
	replica

	shapes map[[mostDims]int]bool
}

func newReplicas(model opener, most int) (*replicas, error) {
	r := &replicas{model: model, turns: make(chan struct{}, most)}
	first, err := r.another()
	if err != nil {
		model.close()
		return nil, err
	}
	r.idle = []*ready{first}
	return r, nil
}

func (r *replicas) another() (*ready, error) {
	made, err := r.model.open()
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what it is
	}
	return &ready{made, map[[mostDims]int]bool{}}, nil
}

// run implements runner.
func (r *replicas) run(inputs []Tensor, use func([]Tensor) error) error {
	r.turns <- struct{}{}
	defer func() { <-r.turns }()
	shape := keyOf(inputs[0].Shape)
	one, err := r.take(shape)
	if err != nil {
		return err
	}
	defer r.give(one)
	one.shapes[shape] = true
	return one.run(inputs[0], use) //nolint:wrapcheck // it says what it is
}

// take gives an idle replica, one that had the shape where there is such.
func (r *replicas) take(shape [mostDims]int) (*ready, error) {
	r.mu.Lock()
	if n := len(r.idle); n > 0 {
		at := n - 1
		for i, one := range slices.Backward(r.idle) {
			if one.shapes[shape] {
				at = i
				break
			}
		}
		one := r.idle[at]
		r.idle = slices.Delete(r.idle, at, at+1)
		r.mu.Unlock()
		return one, nil
	}
	r.mu.Unlock()
	return r.another() // turns has as many as there may be
}

func (r *replicas) give(one *ready) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, one)
}

// close implements runner. Nobody runs any more.
func (r *replicas) close() error {
	for _, one := range r.idle {
		one.close()
	}
	r.model.close()
	return nil
}

func keyOf(shape []int) (key [mostDims]int) {
	copy(key[:], shape)
	return key
}
