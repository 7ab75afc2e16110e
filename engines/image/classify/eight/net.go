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
	mu      sync.RWMutex // Close waits for those that run
	closed  bool
}

// start is the first convolution, of 3×3 with stride 2.
type start struct {
	product *product
	// before is how many pixels beyond the picture lie before what it begins with, beyond what each channel is there.
	before   int
	beyond   [3]uint8
	mul, add [3]float32 // what the network makes of 0 to 255
}

// idle has rooms that nobody computes in, one for each processor: one network after the other finds it in the cache.
// Full-rule: one more is forgotten.
var idle = make(chan *room, min(runtime.NumCPU(), mostIdle))

// room is what one run computes in.
type room struct {
	x, y, z []float32 // pixels: what the next step takes, and two that a step needs besides
	wide    []float32 // BLOCK pixels with more channels, or some lines
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
	roomThird  = 56 * 56 * 48 // what attention works on at most
	roomZeros  = 112 * 160    // a line
	widest     = 1792         // channels
	block      = 56           // BLOCK of values.h
)

func newRoom() *room {
	f := func(n int) []float32 { return make([]float32, n) }
	b := func(n int) []uint8 { return make([]uint8, n) }
	return &room{
		x: f(roomPixels), y: f(roomPixels), z: f(roomThird), wide: f(block * widest), line: f(block * widest),
		zeros: f(roomZeros), small: f(widest), ranges: f(2 * 112 * 112), q: b(block * widest), shown: b(roomPixels), seen: b(roomPixels),
	}
}

// newNet makes a network of so many classes, to be built.
func newNet(classes int) *Net {
	return &Net{classes: classes}
}

// mostIdle bounds the rooms that are kept: each takes 8 MB.
const mostIdle = 16

func enter() *room {
	select {
	case r := <-idle:
		return r
	default:
		return newRoom()
	}
}

func leave(r *room) {
	r.scores = nil
	select {
	case idle <- r:
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
	r := enter()
	defer leave(r)
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
