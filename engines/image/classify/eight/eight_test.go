package eight

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// network is one of the two, as it is tested.
type network struct {
	name, file  string
	open        func([]byte) (*Net, error)
	classes     int
	shape       []int
	step, plane int     // where the next pixel lies, where the next channel does
	scale       float32 // of a channel's 0 to 255
	// most is how far a probability may be from float32's, mean how far on average.
	most, mean float64
}

var networks = []network{
	{"nudity", "nsfwjs-mid.onnx", Nudity, 5, []int{1, Side, Side, 3}, 3, 1, 1. / 255, .1, .01},
	{"safety", "image-safety-s.onnx", Safety, 3, []int{1, 3, Side, Side}, 1, Side * Side, 1, .05, .005},
}

func (n *network) model(tb testing.TB) []byte {
	tb.Helper()
	if !Able() {
		tb.Skip("this processor has no AVX-512 VNNI")
	}
	model, err := os.ReadFile(filepath.Join(onnxtest.Models(tb), n.file))
	if err != nil {
		tb.Fatalf("%v (make setup)", err)
	}
	return model
}

func (n *network) net(tb testing.TB) *Net {
	tb.Helper()
	net, err := n.open(n.model(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = net.Close() })
	return net
}

// shown is a game-like scene, every other one tinted like skin or blood.
func shown(seed uint64) *Picture {
	rng := rand.New(rand.NewPCG(seed, 17)) //nolint:gosec // the same pictures each time
	img := pictures.Scene(rng, Side, Side)
	tint := [][3]float32{{1, 1, 1}, {1, .77, .63}, {1, 1, 1}, {.8, .1, .1}}[seed%4]
	for i, v := range img.Pix {
		if i%4 < 3 {
			img.Pix[i] = uint8(float32(v) * tint[i%4])
		}
	}
	each := Axis{1, make([]int32, Side), make([]float32, Side)}
	for i := range Side {
		each.First[i], each.Weights[i] = int32(i), 1
	}
	return &Picture{img.Pix, img.Stride, Side, Side, each, each}
}

// floats are a picture's, in the order in which the network's file takes them.
func (n *network) floats(p *Picture) []float32 {
	x := make([]float32, 3*Side*Side)
	for i := range Side * Side {
		for c := range 3 {
			x[i*n.step+c*n.plane] = float32(p.Pix[4*i+c]) * n.scale
		}
	}
	return x
}

// TestAgrees holds both networks against ONNX Runtime in float32.
func TestAgrees(t *testing.T) {
	for _, n := range networks {
		t.Run(n.name, func(t *testing.T) {
			net := n.net(t)
			onnxtest.Start(t)
			exact, err := onnx.New(n.model(t))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = exact.Close() }()
			worst, sum, count := 0., 0., 0
			for seed := range uint64(16) {
				x, got := shown(seed), make([]float32, n.classes)
				if err := net.Run(x, got); err != nil {
					t.Fatal(err)
				}
				err = exact.Run([]onnx.Tensor{{Shape: n.shape, Data: n.floats(x)}}, func(out []onnx.Tensor) error {
					for i, want := range out[0].Data {
						d := math.Abs(float64(got[i] - want))
						worst, sum, count = max(worst, d), sum+d, count+1
						if !(d <= n.most) {
							t.Errorf("picture %d: %v, in float32 %v", seed, got, out[0].Data)
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if mean := sum / float64(count); mean > n.mean || mean == 0 {
				t.Errorf("probabilities differ by %.2g on average, at most %g", mean, n.mean)
			}
			t.Logf("largest difference %.2g, mean %.2g", worst, sum/float64(count))
		})
	}
}

func BenchmarkRun(b *testing.B) {
	for _, n := range networks {
		b.Run(n.name, func(b *testing.B) {
			net, x, scores := n.net(b), shown(1), make([]float32, n.classes)
			for b.Loop() {
				if err := net.Run(x, scores); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRefuses hands in what is no such network, and pictures of another size.
func TestRefuses(t *testing.T) {
	for i, n := range networks {
		model := n.model(t)
		for what, other := range map[string][]byte{"nothing": nil, "half of it": model[:len(model)/2], "the other network": networks[1-i].model(t)} {
			if net, err := n.open(other); err == nil {
				_ = net.Close()
				t.Errorf("%s: %s was taken", n.name, what)
			}
		}
		net := n.net(t)
		for what, change := range map[string]func(*Picture){
			"no pixels":            func(p *Picture) { p.Width = 0 },
			"too few pixels":       func(p *Picture) { p.Pix = p.Pix[:len(p.Pix)-1] },
			"short rows":           func(p *Picture) { p.Stride-- },
			"pixels to the left":   func(p *Picture) { p.Across.First[5] = -1 },
			"pixels below":         func(p *Picture) { p.Down.First[5] = Side },
			"too few weights":      func(p *Picture) { p.Down.Weights = p.Down.Weights[1:] },
			"pixels without count": func(p *Picture) { p.Across.Count = 0 },
		} {
			p := shown(1)
			p.Across.First, p.Down.First = slices.Clone(p.Across.First), slices.Clone(p.Down.First)
			change(p)
			if err := net.Run(p, make([]float32, n.classes)); err == nil {
				t.Errorf("%s: a picture with %s was taken", n.name, what)
			}
		}
		if err := net.Close(); err != nil {
			t.Error(err)
		}
		if err := net.Run(shown(1), make([]float32, n.classes)); err == nil {
			t.Errorf("%s: it ran after Close", n.name)
		}
	}
}

// TestTogether has several look at once: what they see is what one sees.
func TestTogether(t *testing.T) {
	for _, n := range networks {
		net := n.net(t)
		want := make([][]float32, 4)
		for seed := range want {
			want[seed] = make([]float32, n.classes)
			if err := net.Run(shown(uint64(seed)), want[seed]); err != nil { //nolint:gosec // small
				t.Fatal(err)
			}
		}
		var wg sync.WaitGroup
		for seed := range want {
			wg.Go(func() {
				x, got := shown(uint64(seed)), make([]float32, n.classes) //nolint:gosec // small
				for range 3 {
					if err := net.Run(x, got); err != nil || !slices.Equal(got, want[seed]) {
						t.Errorf("%s: picture %d: %v (%v), alone %v", n.name, seed, got, err, want[seed])
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestStrip: of a picture that is wider than a room, the same is seen as of a small one that shows the same.
func TestStrip(t *testing.T) {
	n := networks[0]
	net := n.net(t)
	small, got, want := shown(2), make([]float32, n.classes), make([]float32, n.classes)
	for y := 1; y < Side; y++ { // all rows as the first
		copy(small.Pix[y*small.Stride:], small.Pix[:4*Side])
	}
	const width = roomPixels/4/Side*Side + Side
	strip := &Picture{make([]uint8, 4*width), 4 * width, width, 1, small.Across, small.Down}
	strip.Across.First, strip.Down.First = make([]int32, Side), make([]int32, Side)
	for x := range Side {
		at := x * (width / Side)
		strip.Across.First[x] = int32(at) //nolint:gosec // small
		copy(strip.Pix[4*at:], small.Pix[4*x:4*x+4])
	}
	for p, to := range map[*Picture][]float32{small: want, strip: got} {
		if err := net.Run(p, to); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}
