package meaning

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

func open1(tb testing.TB) *Model {
	tb.Helper()
	onnxtest.Start(tb)
	m, err := Open(onnxtest.Models(tb))
	if err != nil {
		tb.Fatalf("%v (make setup)", err)
	}
	tb.Cleanup(func() {
		if err := m.Close(); err != nil {
			tb.Error(err)
		}
	})
	return m
}

// golden is a text with what the training's own tokeniser and network make of it, in float32.
type golden struct {
	Text  string
	IDs   []int32
	Logit *float64 // nil where only the tokens count
}

func goldens(tb testing.TB, file string) (all []golden) {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			tb.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

// TestGolden holds pieces and answers against those of the training. Eight bits cost a
// fifth of a logit, on some sentences nearly one.
func TestGolden(t *testing.T) {
	m := open1(t)
	c := cutter{words: m.words}
	off, n := 0.0, 0
	for _, file := range []string{"testdata/golden.jsonl", "testdata/tokens.jsonl"} {
		for _, g := range goldens(t, file) {
			if got := c.cut(g.Text); !slices.Equal(got, g.IDs) {
				t.Errorf("pieces of %q: %v, want %v", g.Text, got, g.IDs)
			}
			if g.Logit == nil {
				continue
			}
			got, err := m.Logit(g.Text)
			if err != nil {
				t.Fatal(err)
			}
			n++
			off += math.Abs(got - *g.Logit)
			if math.Abs(got-*g.Logit) > 1.25 {
				t.Errorf("Logit(%q) = %.3f, want %.3f", g.Text, got, *g.Logit)
			}
		}
	}
	if n < 40 || off/float64(n) > 0.25 {
		t.Errorf("%d answers are %.3f off in the mean, want at most 0.25 of 40 and more", n, off/float64(n))
	}
}

// TestLong reads texts that are far longer than what is read of them, and empty ones.
func TestLong(t *testing.T) {
	m := open1(t)
	c := cutter{words: m.words}
	for _, text := range []string{"", " ", "\x00", strings.Repeat("a", 10_000), strings.Repeat("\u0301", 10_000), strings.Repeat("가", 10_000), strings.Repeat("a ", 10_000), "\xff\xfe"} {
		ids := c.cut(text)
		if len(ids) < 2 || len(ids) > m.words.most || ids[0] != m.words.first || ids[len(ids)-1] != m.words.last {
			t.Errorf("%.20q: %v", text, ids)
		}
		first, err := m.Logit(text)
		if err != nil || math.IsNaN(first) {
			t.Errorf("Logit(%.20q) = %v, %v", text, first, err)
		}
		if again, _ := m.Logit(text); again != first {
			t.Errorf("Logit(%.20q) = %v, then %v", text, first, again)
		}
	}
}

func TestMissing(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, models.ErrMissing) {
		t.Errorf("Open = %v, want ErrMissing", err)
	}
}

// TestDamaged has every table that is cut short refused.
func TestDamaged(t *testing.T) {
	file, err := os.ReadFile(models.NewStore(onnxtest.Models(t)).Path(&models.File{Name: wordsFile}))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 7, 20, 1000, len(file) / 2, len(file) - 1} {
		if _, err := readWords(bytes.NewReader(file[:n]), int64(n)); err == nil {
			t.Errorf("%d of %d bytes are taken", n, len(file))
		}
	}
}

func FuzzCut(f *testing.F) {
	m := open1(f)
	for _, g := range goldens(f, "testdata/tokens.jsonl") {
		f.Add(g.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := cutter{words: m.words}
		ids := c.cut(text)
		if len(ids) < 2 || len(ids) > m.words.most {
			t.Fatalf("%d pieces", len(ids))
		}
		for _, id := range ids {
			if id < 0 || int(id) >= m.words.n || !utf8.Valid(m.words.piece(int(id))) {
				t.Fatalf("piece %d", id)
			}
		}
	})
}

func BenchmarkLogit(b *testing.B) {
	m := open1(b)
	for b.Loop() {
		if _, err := m.Logit("we played that map for two hours with people from all over the world and the healer never once came back to the base to help us"); err != nil {
			b.Fatal(err)
		}
	}
}
