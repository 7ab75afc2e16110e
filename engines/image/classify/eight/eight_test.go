package eight

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
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
	{"nudity", "nsfwjs-mid.onnx", Nudity, 5, []int{1, Side, Side, 3}, 3, 1, 1. / 255, .15, .02},
	{"safety", "image-safety-s.onnx", Safety, 3, []int{1, 3, Side, Side}, 1, Side * Side, 1, .05, .005},
}

func (n *network) model(t testing.TB) []byte {
	t.Helper()
	if !Able() {
		t.Skip("this processor has no AVX-512 VNNI")
	}
	model, err := os.ReadFile(filepath.Join(onnxtest.Models(t), n.file))
	if err != nil {
		t.Fatalf("%v (make setup)", err)
	}
	return model
}

func (n *network) net(t testing.TB) *Net {
	t.Helper()
	net, err := n.open(n.model(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = net.Close() })
	return net
}

// shown is a game-like scene as the network is shown it, every other one tinted like skin or blood.
func (n *network) shown(seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 17)) //nolint:gosec // the same pictures each time
	img := pictures.Scene(rng, Side, Side)
	tint := [][3]float32{{1, 1, 1}, {1, .77, .63}, {1, 1, 1}, {.8, .1, .1}}[seed%4]
	x := make([]float32, 3*Side*Side)
	for p := range Side * Side {
		for c := range 3 {
			x[p*n.step+c*n.plane] = float32(img.Pix[4*p+c]) * tint[c] * n.scale
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
				x, got := n.shown(seed), make([]float32, n.classes)
				if err := net.Run(x, got); err != nil {
					t.Fatal(err)
				}
				err = exact.Run([]onnx.Tensor{{Shape: n.shape, Data: x}}, func(out []onnx.Tensor) error {
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
			net, x, scores := n.net(b), n.shown(1), make([]float32, n.classes)
			for b.Loop() {
				if err := net.Run(x, scores); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
