package speaker

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// whole is the network as its file has it.
func whole(tb testing.TB) *Model {
	tb.Helper()
	onnxtest.Start(tb)
	b, err := models.NewStore(onnxtest.Models(tb)).Read(models.Find(models.Speaker), file)
	if err != nil {
		tb.Fatal(err)
	}
	session, err := onnx.New(b)
	if err != nil {
		tb.Fatal(err)
	}
	m := &Model{session}
	tb.Cleanup(func() { _ = m.Close() })
	return m
}

// TestEightBits: the network in 8 bits says of a voice what it says in 32, whatever is said,
// and of two as much as it says of those: to a third of what turns Same.
func TestEightBits(t *testing.T) {
	exact, rounded := whole(t), open(t)
	var want, got []Voice
	for v := range uint64(6) {
		r := sounds.Rand(v)
		voice := sounds.NewVoice(r)
		for _, seconds := range []float64{1, 3, 6} {
			pcm := sounds.SpokenAt(sounds.Babble(r, voice, seconds), -20)
			for into, m := range map[*[]Voice]*Model{&want: exact, &got: rounded} {
				e, err := m.Embed(pcm)
				if err != nil {
					t.Fatal(err)
				}
				*into = append(*into, e)
			}
		}
	}
	for i := range want {
		if c := Cosine(&want[i], &got[i]); c < 0.999 {
			t.Errorf("stretch %d: cosine %.5f to what it is in 32 bits", i, c)
		}
		for k := range i {
			if a, b := Cosine(&want[i], &want[k]), Cosine(&got[i], &got[k]); a-b > turnCosine/3 || b-a > turnCosine/3 {
				t.Errorf("stretches %d and %d are %.4f alike, %.4f in 32 bits", i, k, b, a)
			}
		}
	}
}
