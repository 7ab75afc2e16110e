package ct2

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// The version of operators that has LayerNormalization.
const opset = 17

// Options says how matrices are kept.
type Options struct {
	// Int8 keeps them in 8 bits, a quarter of the size and of the time; else float32.
	Int8 bool
}

// size is that of a Whisper network.
type size struct {
	d, heads, layers, mels, vocabulary int
}

// Encoder makes the network that listens: from mel [1, mels, 2n] the keys and values
// that each layer of the decoder looks at, "key_i" [1, heads, d/heads, n] and "value_i"
// [1, heads, n, d/heads]. n is at most 1500, 30 s.
func Encoder(model []byte, o Options) ([]byte, error) {
	g, err := begin(model, o, "whisper-encoder")
	if err != nil {
		return nil, err
	}
	encoder, err := g.size("encoder")
	if err != nil {
		return nil, err
	}
	decoder, err := g.size("decoder")
	if err != nil {
		return nil, err
	}
	g.encode(encoder, decoder)
	return g.file()
}

// Decoder makes the network that writes, see decode for what it takes and gives.
// config is the config.json beside the model, which names the heads whose attention
// follows what is heard in time.
func Decoder(model, config []byte, o Options) ([]byte, error) {
	g, err := begin(model, o, "whisper-decoder")
	if err != nil {
		return nil, err
	}
	s, err := g.size("decoder")
	if err != nil {
		return nil, err
	}
	follow, err := alignment(config, s)
	if err != nil {
		return nil, err
	}
	g.decode(s, follow)
	return g.file()
}

func begin(model []byte, o Options, name string) (*graph, error) {
	t, err := read(model)
	if err != nil {
		return nil, fmt.Errorf("read the CTranslate2 model: %w", err)
	}
	g := &graph{t: t, int8: o.Int8}
	g.Model.Name, g.Opset = name, opset
	return g, nil
}

func (g *graph) file() ([]byte, error) {
	if g.err != nil {
		return nil, fmt.Errorf("convert the CTranslate2 model: %w", g.err)
	}
	b, err := g.Marshal()
	if err != nil {
		return nil, fmt.Errorf("convert the CTranslate2 model: %w", err)
	}
	return b, nil
}

// size reads the size of one side off its tensors, and what else must be as Whisper's is.
func (g *graph) size(side string) (size, error) {
	var s size
	norm, heads := g.t[side+"/layer_norm/gamma"], g.t[side+"/num_heads"]
	if norm == nil || len(norm.shape) != 1 || heads == nil || len(heads.raw) == 0 {
		return s, fmt.Errorf("convert the CTranslate2 model: its %s is not Whisper's", side)
	}
	s.d, s.heads = norm.shape[0], int(heads.floats()[0])
	for g.t[fmt.Sprintf("%s/layer_%d/ffn/linear_0/weight", side, s.layers)] != nil {
		s.layers++
	}
	if conv := g.t["encoder/conv1/weight"]; conv != nil && len(conv.shape) == 3 {
		s.mels = conv.shape[1]
	}
	if e := g.t["decoder/embeddings/weight"]; e != nil && len(e.shape) == 2 {
		s.vocabulary = e.shape[0]
	}
	if s.layers == 0 || s.mels == 0 || s.vocabulary == 0 || s.heads <= 0 || s.d%s.heads != 0 {
		return s, fmt.Errorf("convert the CTranslate2 model: %s of %+v is not Whisper's", side, s)
	}
	if a := g.t[side+"/activation"]; a != nil && len(a.raw) > 0 && a.floats()[0] != 3 {
		return s, fmt.Errorf("convert the CTranslate2 model: activation %v of the %s is not GELU", a.floats()[0], side)
	}
	return s, nil
}

// queries is what the scores of attention are divided by.
func (s size) queries() float32 { return float32(1 / math.Sqrt(float64(s.d/s.heads))) }

// alignment reads which heads of which layer follow the sound, in the order of layers.
func alignment(config []byte, s size) ([][]int64, error) {
	var c map[string]json.RawMessage
	var heads [][2]int
	err := json.Unmarshal(config, &c)
	if err == nil && c["alignment_heads"] != nil {
		err = json.Unmarshal(c["alignment_heads"], &heads)
	}
	if err != nil {
		return nil, fmt.Errorf("read config.json of the CTranslate2 model: %w", err)
	}
	if len(heads) == 0 {
		return nil, errors.New("config.json of the CTranslate2 model names no alignment_heads")
	}
	of := make([][]int64, s.layers)
	for _, h := range heads {
		if h[0] < 0 || h[0] >= s.layers || h[1] < 0 || h[1] >= s.heads {
			return nil, fmt.Errorf("config.json of the CTranslate2 model: alignment_heads has %v of %d layers with %d heads", h, s.layers, s.heads)
		}
		of[h[0]] = append(of[h[0]], int64(h[1]))
	}
	for i := range of {
		slices.Sort(of[i])
	}
	return of, nil
}
