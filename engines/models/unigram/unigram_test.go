package unigram_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/unigram"
)

// source is a table of n pieces, each with a score and a vector of its own.
func source(n int) *unigram.Source {
	s := &unigram.Source{
		Normal:  map[rune][]rune{'Ａ': {'A'}, '\u00ad': {}, '½': {'1', '⁄', '2'}},
		Unknown: 2, First: 0, Last: 1, Tokens: 5, Width: 64,
		Positions: make([]float32, 5*64), Gamma: make([]float32, 64), Beta: make([]float32, 64),
	}
	s.Positions[7], s.Gamma[63], s.Beta[1] = 0.5, 2, -1
	for i := range n {
		s.Pieces = append(s.Pieces, fmt.Sprintf("p%d", i*i))
		s.Scores = append(s.Scores, -float32(i)/8)
		for range 64 / unigram.Block {
			s.Rows = append(s.Rows, 0, 0x3C) // a scale of 1
			for k := range unigram.Block / 2 {
				s.Rows = append(s.Rows, byte(i+k))
			}
		}
	}
	return s
}

func open(t *testing.T, s *unigram.Source) (*unigram.Table, []byte) {
	t.Helper()
	b, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	table, err := unigram.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return table, b
}

func find(t *testing.T, table *unigram.Table, piece string) (int32, float32) {
	t.Helper()
	h := unigram.Nothing
	for _, b := range []byte(piece) {
		h = h.With(b)
	}
	var buffer []byte
	id, score, err := table.Find(h, []byte(piece), &buffer)
	if err != nil {
		t.Fatal(err)
	}
	return id, score
}

func TestTable(t *testing.T) {
	s := source(3000)
	table, b := open(t, s)
	if table.Pieces() != 3000 || table.Width() != 64 || table.Tokens() != 5 || table.Letters() != len("p8994001") || table.Lowest() != -2999.0/8 ||
		table.First() != 0 || table.Last() != 1 || table.Unknown() != 2 {
		t.Errorf("the head says %d pieces of %d", table.Pieces(), table.Width())
	}
	if table.Positions[7] != 0.5 || table.Gamma[63] != 2 || table.Beta[1] != -1 {
		t.Error("what is added and the normalisation are others")
	}
	for i, p := range s.Pieces {
		if id, score := find(t, table, p); int(id) != i || score != s.Scores[i] {
			t.Errorf("Find(%q) = %d, %v, want %d, %v", p, id, score, i, s.Scores[i])
		}
	}
	for _, none := range []string{"", "p", "p2", "p8994002", "P0", "p00"} {
		if id, _ := find(t, table, none); id >= 0 {
			t.Errorf("Find(%q) = %d", none, id)
		}
	}
	if again, _ := s.Marshal(); !bytes.Equal(b, again) {
		t.Error("two runs make two files")
	}
}

func TestNormal(t *testing.T) {
	table, _ := open(t, source(3))
	for r, want := range map[rune]string{'Ａ': "A", '\u00ad': "", '½': "1⁄2", 'A': "-", 0x10FFFF: "-"} {
		to, ok := table.Normal(r)
		var got []rune
		for _, v := range to {
			got = append(got, rune(v)) //nolint:gosec // a character
		}
		if !ok {
			got = []rune{'-'}
		}
		if string(got) != want {
			t.Errorf("Normal(%q) = %q, want %q", r, string(got), want)
		}
	}
}

func TestRow(t *testing.T) {
	table, _ := open(t, source(20))
	var buffer []byte
	row, err := table.Row(19, &buffer, []float32{42})
	if err != nil || len(row) != 65 || row[0] != 42 {
		t.Fatalf("Row gives %d values, %v", len(row), err)
	}
	for i, got := range row[1:] {
		b := byte(19 + i%16)
		want := float32(b&15) - 8
		if i%32 >= 16 {
			want = float32(b>>4) - 8
		}
		if got != want {
			t.Errorf("value %d is %v, want %v", i, got, want)
		}
	}
	if _, err := table.Row(20, &buffer, nil); err == nil {
		t.Error("a piece that is none has a row")
	}
}

// Scales are in half precision: normal numbers, those below, and none.
func TestSpread(t *testing.T) {
	for bits, want := range map[uint16]float64{0x3C00: 1, 0xC000: -2, 0x3555: 0.333251953125, 0x0001: 1.0 / (1 << 24), 0x83FF: -1023.0 / (1 << 24), 0: 0, 0x7C00: math.Inf(1)} {
		b := make([]byte, unigram.BlockBytes)
		b[0], b[1], b[2] = byte(bits), byte(bits>>8), 0x79 //nolint:gosec // its bytes
		got := unigram.Spread(b, nil)
		if len(got) != unigram.Block || float64(got[0]) != want || float64(got[16]) != -want {
			t.Errorf("Spread with a scale of %04x = %v and %v, want %v", bits, got[0], got[16], want)
		}
	}
}

// TestDamaged has tables refused that are cut off, and faults named that only show later.
func TestDamaged(t *testing.T) {
	b, err := source(50).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for n := range b {
		if _, err := unigram.Open(bytes.NewReader(b[:n]), int64(n)); err == nil {
			t.Fatalf("%d of %d bytes are taken", n, len(b))
		}
	}
	table, err := unigram.Open(bytes.NewReader(b[:len(b)-1]), int64(len(b))) // it became shorter since
	if err != nil {
		t.Fatal(err)
	}
	var buffer []byte
	if _, err := table.Row(49, &buffer, nil); err == nil {
		t.Error("a row that is cut off was read")
	}
}

func TestRefuses(t *testing.T) {
	for name, change := range map[string]func(*unigram.Source){
		"no pieces": func(s *unigram.Source) { s.Pieces = nil }, "a score too few": func(s *unigram.Source) { s.Scores = s.Scores[1:] },
		"an empty piece": func(s *unigram.Source) { s.Pieces[1] = "" }, "a long piece": func(s *unigram.Source) { s.Pieces[1] = string(make([]byte, 256)) },
		"a row too few": func(s *unigram.Source) { s.Rows = s.Rows[1:] }, "no such special piece": func(s *unigram.Source) { s.Last = 3 },
		"an odd width": func(s *unigram.Source) { s.Width = 65 },
	} {
		s := source(3)
		change(s)
		if _, err := s.Marshal(); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// FuzzOpen reads files that anybody may have written: they are refused or read within bounds.
func FuzzOpen(f *testing.F) {
	b, err := source(9).Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b, "p4")
	f.Add(b[:60], "")
	f.Fuzz(func(t *testing.T, b []byte, piece string) {
		table, err := unigram.Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		h := unigram.Nothing
		for _, c := range []byte(piece) {
			h = h.With(c)
			table.Normal(rune(c))
		}
		var buffer []byte
		id, _, err := table.Find(h, []byte(piece), &buffer)
		if err != nil || id < 0 {
			return
		}
		if row, err := table.Row(id, &buffer, nil); err != nil || len(row) != table.Width() {
			t.Errorf("piece %d has %d values, %v", id, len(row), err)
		}
	})
}
