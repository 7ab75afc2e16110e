package bert_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/bert"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// file is a safetensors file of numbers around zero; norms are around one.
type file struct {
	header map[string]any
	values []byte
	rng    *rand.Rand
}

func newFile(notes map[string]string) *file {
	f := &file{header: map[string]any{}, rng: rand.New(rand.NewPCG(1, 2))} //nolint:gosec // weights
	if notes != nil {
		f.header["__metadata__"] = notes
	}
	return f
}

func (f *file) add(name string, about float64, shape ...int) {
	size, from := 1, len(f.values)
	for _, d := range shape {
		size *= d
	}
	for range size {
		f.values = binary.LittleEndian.AppendUint32(f.values, math.Float32bits(float32(about+0.05*f.rng.NormFloat64())))
	}
	f.header[name] = map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{from, len(f.values)}}
}

func (f *file) layer(i int) {
	name := fmt.Sprintf("encoder.layer.%d.", i)
	linear := func(part string, out, in int) {
		f.add(name+part+".weight", 0, out, in)
		f.add(name+part+".bias", 0, out)
	}
	for _, part := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
		linear(part, 384, 384)
	}
	linear("intermediate.dense", 1536, 384)
	linear("output.dense", 384, 1536)
	for _, part := range []string{"attention.output.LayerNorm", "output.LayerNorm"} {
		f.add(name+part+".weight", 1, 384)
		f.add(name+part+".bias", 0, 384)
	}
}

func (f *file) bytes() []byte {
	b, err := json.Marshal(f.header)
	if err != nil {
		panic(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b...), f.values...)
}

func published() []byte {
	f := newFile(nil)
	f.add("embeddings.word_embeddings.weight", 0, 5, 384)
	f.add("embeddings.position_embeddings.weight", 0, 512, 384)
	f.add("embeddings.token_type_embeddings.weight", 0, 2, 384)
	f.add("embeddings.LayerNorm.weight", 1, 384)
	f.add("embeddings.LayerNorm.bias", 0, 384)
	for i := range 6 {
		f.layer(i)
	}
	return f.bytes()
}

func trained(frozen string, notes map[string]string, layers ...int) []byte {
	return trainedFor(1, frozen, notes, layers...)
}

// trainedFor are trained layers with a head of so many answers.
func trainedFor(answers int, frozen string, notes map[string]string, layers ...int) []byte {
	all := map[string]string{"frozen": frozen, "pooling": "mean", "tokens": "64"}
	maps.Copy(all, notes)
	f := newFile(all)
	for _, i := range layers {
		f.layer(i)
	}
	f.add("head.dense.weight", 0, 384, 384)
	f.add("head.dense.bias", 0, 384)
	f.add("head.out.weight", 0, answers, 384)
	f.add("head.out.bias", 0, answers)
	return f.bytes()
}

const tokenizer = `{"model":{"type":"WordPiece","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"b":3,"a":4}}}`

// TestNetwork packs layers and puts them on others: what was packed answers as what was not,
// and the pooling and the trained layers count.
func TestNetwork(t *testing.T) {
	onnxtest.Start(t)
	base := published()
	words := make([]float32, 7*384)
	for i := range words {
		words[i] = float32(math.Sin(float64(i)))
	}
	all := map[string]float32{}
	for name, layers := range map[string][]byte{
		"mean": trained("4", nil, 4, 5), "cls": trained("4", map[string]string{"pooling": "cls"}, 4, 5), "upper": trained("5", nil, 5),
	} {
		packed, err := bert.Pack(layers)
		if err != nil {
			t.Fatal(err)
		}
		for form, b := range map[string][]byte{" as trained": layers, " packed": packed} {
			network, err := bert.Network("meaning", base, b)
			if err != nil {
				t.Fatal(err)
			}
			all[name+form] = answers(t, network, words)[0]
		}
		if whole, packed := all[name+" as trained"], all[name+" packed"]; whole != packed {
			t.Errorf("%s: %v as trained, %v packed", name, whole, packed)
		}
	}
	if all["mean packed"] == all["cls packed"] || all["mean packed"] == all["upper packed"] {
		t.Errorf("all answer the same: %v", all)
	}
}

func TestWords(t *testing.T) {
	b, err := bert.Words(published(), []byte(tokenizer), trained("5", nil, 5))
	if err != nil {
		t.Fatal(err)
	}
	if want := 8 + 12 + 4*(64*384+2*384+5) + 5*384 + 8*5; len(b) != want+len("[UNK][CLS][SEP]ba") || !strings.HasSuffix(string(b), "[UNK][CLS][SEP]ba") {
		t.Errorf("%d bytes", len(b))
	}
	if again, _ := bert.Words(published(), []byte(tokenizer), trained("5", nil, 5)); string(again) != string(b) {
		t.Error("two runs make two files")
	}
}

// TestRefuses names what is wrong.
func TestRefuses(t *testing.T) {
	good := trained("5", nil, 5)
	for want, b := range map[string][]byte{
		"cut off":                  good[:100],
		"neither mean nor cls":     trained("5", map[string]string{"pooling": "max"}, 5),
		"can't be frozen":          trained("6", nil, 5),
		"are not 8 to 512":         trained("5", map[string]string{"tokens": "0"}, 5),
		"no tensor encoder.layer.": trained("4", nil, 5),
	} {
		if _, err := bert.Pack(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Pack = %v, want %q", err, want)
		}
	}
	if _, err := bert.Network("meaning", good, good); err == nil || !strings.Contains(err.Error(), "no tensor encoder.layer.0.") {
		t.Errorf("Network = %v", err)
	}
	if _, err := bert.Words(published(), []byte(`{"model":{"vocab":{"a":1}}}`), good); err == nil {
		t.Error("words that are not numbered from 0 on are taken")
	}
}

func FuzzPack(f *testing.F) {
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Add([]byte(`\x40\x00\x00\x00\x00\x00\x00\x00{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}    `))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := bert.Pack(b); err == nil && len(b) < 1<<20 {
			t.Error("layers of less than a megabyte are taken")
		}
	})
}
