package ct2_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/ct2"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

const (
	width      = 8
	heads      = 2
	mels       = 4
	vocabulary = 20
)

// file writes a table as CTranslate2 does.
type file struct {
	body bytes.Buffer
	n    uint32
}

func (f *file) u32(v int) { _ = binary.Write(&f.body, binary.LittleEndian, uint32(v)) } //nolint:gosec // small
func (f *file) name(s string) {
	_ = binary.Write(&f.body, binary.LittleEndian, uint16(len(s)+1)) //nolint:gosec // small
	f.body.WriteString(s + "\x00")
}

func (f *file) tensor(name string, kind int, raw []byte, shape ...int) {
	f.name(name)
	f.body.WriteByte(byte(len(shape)))
	for _, d := range shape {
		f.u32(d)
	}
	f.body.WriteByte(byte(kind))
	f.u32(len(raw))
	f.body.Write(raw)
	f.n++
}

func (f *file) floats(rng *rand.Rand, name string, about float64, shape ...int) {
	size := 1
	for _, d := range shape {
		size *= d
	}
	var raw []byte
	for range size {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(about+0.3*rng.NormFloat64())))
	}
	f.tensor(name, 0, raw, shape...)
}

// tiny is a Whisper of one layer that was never trained.
func tiny(change func(f *file, name string) bool) []byte {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // weights
	f := &file{}
	add := func(name string, about float64, shape ...int) {
		if change == nil || !change(f, name) {
			f.floats(rng, name, about, shape...)
		}
	}
	linear := func(name string, out, in int) { add(name+"/weight", 0, out, in); add(name+"/bias", 0, out) }
	norm := func(name string) { add(name+"/gamma", 1, width); add(name+"/beta", 0, width) }
	add("encoder/conv1/weight", 0, width, mels, 3)
	add("encoder/conv1/bias", 0, width)
	add("encoder/conv2/weight", 0, width, width, 3)
	add("encoder/conv2/bias", 0, width)
	add("encoder/position_encodings/encodings", 0, 1500, width)
	add("decoder/position_encodings/encodings", 0, 448, width)
	add("decoder/embeddings/weight", 0, vocabulary, width)
	for _, side := range []string{"encoder", "decoder"} {
		f.tensor(side+"/num_heads", 2, []byte{heads, 0})
		f.tensor(side+"/activation", 1, []byte{3})
		layer := side + "/layer_0"
		norm(layer + "/self_attention/layer_norm")
		linear(layer+"/self_attention/linear_0", 3*width, width)
		linear(layer+"/self_attention/linear_1", width, width)
		norm(layer + "/ffn/layer_norm")
		linear(layer+"/ffn/linear_0", 4*width, width)
		linear(layer+"/ffn/linear_1", width, 4*width)
		norm(side + "/layer_norm")
	}
	norm("decoder/layer_0/attention/layer_norm")
	linear("decoder/layer_0/attention/linear_0", width, width)
	linear("decoder/layer_0/attention/linear_1", 2*width, width)
	linear("decoder/layer_0/attention/linear_2", width, width)
	return f.whole()
}

func (f *file) whole() []byte {
	out := &file{}
	out.u32(6)
	out.name("WhisperSpec")
	out.u32(3)
	out.u32(int(f.n))
	out.body.Write(f.body.Bytes())
	out.u32(1)
	out.name("decoder/projection/weight")
	out.name("decoder/embeddings/weight")
	return out.body.Bytes()
}

var config = []byte(`{"alignment_heads": [[0, 1]], "lang_ids": []}`)

func session(t *testing.T, b []byte, err error) *onnx.Session {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	s, err := onnx.New(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func run(t *testing.T, s *onnx.Session, in ...onnx.Tensor) []onnx.Tensor {
	t.Helper()
	var out []onnx.Tensor
	err := s.Run(in, func(o []onnx.Tensor) error {
		for _, v := range o {
			out = append(out, onnx.Tensor{Shape: slices.Clone(v.Shape), Data: slices.Clone(v.Data)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// step has the decoder read tokens after those whose keys and values past holds.
func step(t *testing.T, s *onnx.Session, sound []onnx.Tensor, past onnx.Tensor, tokens ...float32) []onnx.Tensor {
	t.Helper()
	n, m := len(tokens), past.Shape[0]
	places, mask := make([]float32, n), make([]float32, n*(m+n))
	for i := range n {
		places[i] = float32(m - 1 + i)
		mask[i*(m+n)] = -1e9
		for j := m + i + 1; j < m+n; j++ {
			mask[i*(m+n)+j] = -1e9
		}
	}
	return run(t, s, append([]onnx.Tensor{
		{Shape: []int{1, n}, Data: tokens}, {Shape: []int{1, n}, Data: places}, {Shape: []int{1, 1, n, m + n}, Data: mask}, past,
	}, sound...)...)
}

// Tokens that are read one by one come to what they come to at once, and windows of any
// length are taken; 8 bits are near to float32.
func TestConvert(t *testing.T) {
	onnxtest.Start(t)
	var exact []float32
	for _, o := range []ct2.Options{{}, {Int8: true}} {
		model := tiny(nil)
		eb, eerr := ct2.Encoder(model, o)
		db, derr := ct2.Decoder(model, config, o)
		encoder, decoder := session(t, eb, eerr), session(t, db, derr)
		mel := make([]float32, mels*12)
		for i := range mel {
			mel[i] = float32(i%7) / 7
		}
		sound := run(t, encoder, onnx.Tensor{Shape: []int{1, mels, 12}, Data: mel})
		if len(sound) != 2 || !slices.Equal(sound[0].Shape, []int{1, heads, width / heads, 6}) || !slices.Equal(sound[1].Shape, []int{1, heads, 6, width / heads}) {
			t.Fatalf("the encoder gives %v, %v", sound[0].Shape, sound[1].Shape)
		}
		none := onnx.Tensor{Shape: []int{1, 2 * width}, Data: make([]float32, 2*width)}
		all := step(t, decoder, sound, none, 3, 7, 1)
		logits := all[0].Data[2*vocabulary:]
		if exact == nil {
			exact = logits
		}
		past := none
		var last []onnx.Tensor
		for _, token := range []float32{3, 7, 1} {
			last = step(t, decoder, sound, past, token)
			past = onnx.Tensor{Shape: []int{past.Shape[0] + 1, 2 * width}, Data: slices.Concat(past.Data, last[1].Data)}
		}
		for i := range vocabulary {
			if tolerance := map[bool]float64{false: 1e-4, true: 0.1}[o.Int8]; math.Abs(float64(logits[i]-last[0].Data[i])) > tolerance || math.Abs(float64(logits[i]-exact[i])) > 2*tolerance {
				t.Errorf("%+v: token %d: at once %v, one by one %v, in float32 %v", o, i, logits[i], last[0].Data[i], exact[i])
			}
		}
		follow := last[2]
		sum := float32(0)
		for _, v := range follow.Data {
			sum += v
		}
		if !slices.Equal(follow.Shape, []int{1, 1, 6}) || math.Abs(float64(sum)-1) > 1e-4 {
			t.Errorf("%+v: follow %v comes to %v", o, follow.Shape, sum)
		}
	}
}

func TestRefuses(t *testing.T) {
	good := tiny(nil)
	change := func(name string, write func(f *file)) []byte {
		return tiny(func(f *file, n string) bool {
			if n == name && write != nil {
				write(f)
			}
			return n == name
		})
	}
	for name, c := range map[string]struct {
		model []byte
		want  string
	}{
		"nothing":         {nil, "it ends at byte 0"},
		"another version": {append([]byte{5}, good[1:]...), "version 5"},
		"another network": {bytes.Replace(good, []byte("WhisperSpec"), []byte("WhisperSpoc"), 1), "WhisperSpoc"},
		"cut off":         {good[:len(good)-5], "it ends at byte"},
		"too long":        {append(slices.Clone(good), 1), "1 bytes after its end"},
		"one is missing":  {change("encoder/conv2/bias", nil), "no tensor encoder/conv2/bias"},
		"another shape": {change("encoder/conv2/bias", func(f *file) {
			f.tensor("encoder/conv2/bias", 0, make([]byte, 4*(width+1)), width+1)
		}), "has shape [9], not [8]"},
		"bytes that lie": {change("encoder/conv2/bias", func(f *file) { f.tensor("encoder/conv2/bias", 0, make([]byte, 4), width) }), "4 bytes of type 0 for shape [8]"},
		"an unknown type": {change("encoder/conv2/bias", func(f *file) {
			f.tensor("encoder/conv2/bias", 9, make([]byte, 4*width), width)
		}), "type 9"},
		"huge": {change("encoder/conv2/bias", func(f *file) {
			f.tensor("encoder/conv2/bias", 0, nil, math.MaxInt32, math.MaxInt32)
		}), "too large"},
		"8 bits without scales": {change("encoder/layer_0/ffn/linear_1/weight", func(f *file) {
			f.tensor("encoder/layer_0/ffn/linear_1/weight", 1, make([]byte, 4*width*width), width, 4*width)
		}), "linear_1/weight_scale"},
	} {
		if _, err := ct2.Encoder(c.model, ct2.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, c := range []string{"", "{}", `{"alignment_heads": [[1, 0]]}`, `{"alignment_heads": [[0, 2]]}`, `{"alignment_heads": 3}`} {
		if _, err := ct2.Decoder(good, []byte(c), ct2.Options{}); err == nil || !strings.Contains(err.Error(), "config.json") {
			t.Errorf("config %q: %v", c, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	good := tiny(nil)
	f.Add(good)
	for i := range 8 {
		f.Add(good[:len(good)*i/8])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := ct2.Encoder(b, ct2.Options{}); err == nil && len(b) < 1000 {
			t.Errorf("a network out of %d bytes", len(b))
		}
	})
}
