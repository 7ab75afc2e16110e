package eight

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
)

// ErrUnable says that the kernels can't run here.
var ErrUnable = errors.New("not on this processor, or not in this build: products of 8 bits need AVX-512 VNNI")

// Side is that of the pictures that both networks look at.
const Side = 224

// Net is a network ready to run, any number of times at once.
type Net struct {
	arena   arena
	start   start
	steps   []func(*room)
	classes int
	// idle has rooms that nobody computes in, one for each processor. Full-rule: one more is forgotten.
	idle   chan *room
	mu     sync.RWMutex // Close waits for those that run
	closed bool
}

// room is what one run computes in.
type room struct {
	x, y, z []float32 // pixels: what the next step takes, and two that a step needs besides
	wide    []float32 // pixels with more channels, patches
	line    []float32 // BLOCK pixels
	zeros   []float32
	small   []float32
	ranges  []float32 // two for each pixel that is shown in bytes
	q       []uint8   // BLOCK pixels
	shown   []uint8   // a picture's pixels, and what each channel's convolution makes of them
	seen    []uint8
	scores  []float32
}

const (
	roomPixels = 112 * 112 * 48
	roomThird  = 56 * 56 * 48                // what attention works on at most
	roomWide   = 3 * (Side + 2) * (Side + 2) // what the networks are shown with zeros around: all else is less
	roomZeros  = 112 * 160                   // a line
	widest     = 1792                        // channels
	block      = 56                          // BLOCK of product.h
)

func newRoom() *room {
	f := func(n int) []float32 { return make([]float32, n) }
	b := func(n int) []uint8 { return make([]uint8, n) }
	return &room{
		x: f(roomPixels), y: f(roomPixels), z: f(roomThird), wide: f(roomWide), line: f(block * widest),
		zeros: f(roomZeros), small: f(widest), ranges: f(2 * 112 * 112), q: b(block * widest), shown: b(roomPixels), seen: b(roomPixels),
	}
}

// newNet makes a network of so many classes, to be built.
func newNet(classes int) *Net {
	return &Net{classes: classes, idle: make(chan *room, min(runtime.NumCPU(), mostIdle))}
}

// mostIdle bounds the rooms that are kept: each takes 8 MB.
const mostIdle = 16

func (n *Net) enter() *room {
	select {
	case r := <-n.idle:
		return r
	default:
		return newRoom()
	}
}

func (n *Net) leave(r *room) {
	r.scores = nil
	select {
	case n.idle <- r:
	default:
	}
}

// Run writes what the network says of a picture into scores.
func (n *Net) Run(picture *Picture, scores []float32) error {
	if err := picture.check(); err != nil {
		return err
	}
	if len(scores) != n.classes {
		return fmt.Errorf("%d scores, not %d", len(scores), n.classes)
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.closed {
		return errors.New("the network was closed")
	}
	r := n.enter()
	defer n.leave(r)
	r.scores = scores
	n.start.run(r, picture, r.x)
	for _, step := range n.steps {
		step(r)
	}
	return nil
}

// Close waits for those that run and frees the network.
func (n *Net) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	n.arena.close()
	return nil
}

// softmax makes probabilities of scores.
func softmax(scores []float32) {
	top, sum := scores[0], 0.
	for _, v := range scores {
		top = max(top, v)
	}
	for i, v := range scores {
		e := math.Exp(float64(v - top))
		scores[i], sum = float32(e), sum+e
	}
	for i := range scores {
		scores[i] = float32(float64(scores[i]) / sum)
	}
}
