package onnx

import (
	"errors"
	"slices"
	"sync"
	"testing"
)

// madeOnce is an opener whose replicas note what they were run with.
type madeOnce struct {
	mu     sync.Mutex
	made   []*noted
	fail   error
	closed bool
}

type noted struct {
	shapes [][]int
	closed bool
}

func (m *madeOnce) open() (replica, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return nil, m.fail
	}
	n := &noted{}
	m.made = append(m.made, n)
	return n, nil
}

func (m *madeOnce) close() { m.closed = true }

func (n *noted) run(in Tensor, use func([]Tensor) error) error {
	n.shapes = append(n.shapes, in.Shape)
	return use(nil)
}

func (n *noted) close() { n.closed = true }

func ask(tb testing.TB, r *replicas, shape []int, use func()) {
	tb.Helper()
	err := r.run([]Tensor{{Shape: shape}}, func([]Tensor) error {
		use()
		return nil
	})
	if err != nil {
		tb.Error(err)
	}
}

// TestReplicas: one at a time is one replica, two at a time are two, and who had a shape
// gets it again, whoever ran last.
func TestReplicas(t *testing.T) {
	model := &madeOnce{}
	r, err := newReplicas(model, 2)
	if err != nil {
		t.Fatal(err)
	}
	small, large := []int{1, 3}, []int{1, 9}
	nothing := func() {}
	ask(t, r, small, nothing)
	ask(t, r, large, nothing)
	if len(model.made) != 1 {
		t.Fatalf("%d replicas for one at a time", len(model.made))
	}
	// Within the run of one another is asked for: it gets a replica of its own.
	ask(t, r, small, func() { ask(t, r, []int{1, 5}, nothing) })
	if len(model.made) != 2 {
		t.Fatalf("%d replicas for two at a time", len(model.made))
	}
	ask(t, r, []int{1, 5}, nothing)
	ask(t, r, large, nothing)
	ask(t, r, []int{1, 5}, nothing)
	if got := len(model.made[0].shapes); got != 4 {
		t.Errorf("the first ran %v", model.made[0].shapes)
	}
	for _, shape := range model.made[1].shapes {
		if !slices.Equal(shape, []int{1, 5}) {
			t.Errorf("the second ran %v, which the first had", shape)
		}
	}
	if err := r.close(); err != nil || !model.closed || !model.made[0].closed || !model.made[1].closed {
		t.Errorf("close = %v; %+v", err, model)
	}
}

// TestReplicaFails: what can't be made is an error of the one that asked, and the next
// may try again.
func TestReplicaFails(t *testing.T) {
	broken := errors.New("broken")
	if _, err := newReplicas(&madeOnce{fail: broken}, 1); !errors.Is(err, broken) {
		t.Errorf("newReplicas = %v", err)
	}
	model := &madeOnce{}
	r, err := newReplicas(model, 2)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, r, []int{1}, func() {
		model.fail = broken
		if err := r.run([]Tensor{{Shape: []int{1}}}, nil); !errors.Is(err, broken) {
			t.Errorf("run = %v", err)
		}
		model.fail = nil
		ask(t, r, []int{1}, func() {})
	})
	if len(model.made) != 2 {
		t.Errorf("%d replicas, want 2", len(model.made))
	}
}
