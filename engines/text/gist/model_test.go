package gist

import (
	"bufio"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/unigram"
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
	Text   string
	IDs    []int32
	Logits []float64 // none where only the pieces count
}

func goldens(tb testing.TB, file string) (all []golden) {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			tb.Fatal(err)
		}
		all = append(all, g)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

// surelyNot are log-odds under which an answer says that it is not so, however far under:
// there eight bits may be off by more than where it counts.
const surelyNot = -3

// TestGolden holds pieces and answers against those of the training.
func TestGolden(t *testing.T) {
	m := open1(t)
	c := cutter{table: m.table}
	off, counts, n, pieces := 0.0, 0.0, 0, 0
	for _, file := range []string{"testdata/golden.jsonl", "testdata/pieces.jsonl"} {
		for _, g := range goldens(t, file) {
			got, err := c.cut(g.Text)
			if err != nil || !slices.Equal(got, g.IDs) {
				t.Errorf("pieces of %.100q: %v, %v, want %v", g.Text, got, err, g.IDs)
			}
			if pieces++; g.Logits == nil {
				continue
			}
			answers, err := m.Read(g.Text)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range g.Logits {
				n++
				off += math.Abs(answers[i] - want)
				near := math.Abs(max(answers[i], surelyNot) - max(want, surelyNot))
				counts += near
				if near > 1.75 || math.Abs(answers[i]-want) > 3 {
					t.Errorf("Read(%q) = %.3f, want %.3f", g.Text, answers, g.Logits)
				}
			}
		}
	}
	t.Logf("%d texts; %d answers are %.4f off in the mean, %.4f where it counts", pieces, n, off/float64(n), counts/float64(n))
	if pieces < 100 || n < 100 || off/float64(n) > 0.3 || counts/float64(n) > 0.1 {
		t.Errorf("%d answers are %.3f off in the mean, %.3f where it counts, want at most 0.3 and 0.1 of 100 and more; %d texts", n, off/float64(n), counts/float64(n), pieces)
	}
}

// long are texts that are far longer than what is read of them, and empty ones.
var long = []string{
	"", " ", "\x00", "\xff\xfe", strings.Repeat("a", 10_000), strings.Repeat(".", 10_000), strings.Repeat("\u0301", 10_000), strings.Repeat("가", 10_000),
	strings.Repeat("a ", 10_000), strings.Repeat(" ", 10_000), strings.Repeat("\x01", 10_000), strings.Repeat("😀🜀", 5_000), strings.Repeat("\U000E0041", 10_000),
}

func TestLong(t *testing.T) {
	m := open1(t)
	c := cutter{table: m.table}
	for _, text := range long {
		ids, err := c.cut(text)
		if err != nil || len(ids) < 3 || len(ids) > m.table.Tokens() || ids[0] != m.table.First() || ids[len(ids)-1] != m.table.Last() {
			t.Errorf("%.20q: %v, %v", text, ids, err)
		}
		if len(c.starts) > mostKept+32 {
			t.Errorf("%.20q: %d characters are kept", text, len(c.starts))
		}
		first, err := m.Read(text)
		if err != nil || math.IsNaN(first[0]+first[1]+first[2]+first[3]) {
			t.Errorf("Read(%.20q) = %v, %v", text, first, err)
		}
		if again, _ := m.Read(text); again != first {
			t.Errorf("Read(%.20q) = %v, then %v", text, first, again)
		}
	}
}

// TestBound: what stands behind as much of a text as is read changes nothing, however it is
// cut. (The training cuts such texts to their ends, and a row of one letter elsewhere.)
func TestBound(t *testing.T) {
	m := open1(t)
	c, whole := cutter{table: m.table}, cutter{table: m.table, whole: true}
	for _, letter := range []string{"a", "ha", ".", "가", "가나 "} {
		got, err := c.cut(strings.Repeat(letter, 10_000))
		if err != nil {
			t.Fatal(err)
		}
		got = slices.Clone(got)
		// One place is the mark that begins the text.
		want, err := whole.cut(string([]rune(strings.Repeat(letter, mostKept))[:mostKept-1]))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", letter, got, err, want)
		}
	}
}

// TestTogether has many read at a time what each reads alone.
func TestTogether(t *testing.T) {
	m := open1(t)
	want := map[string][Kinds]float64{}
	all := goldens(t, "testdata/golden.jsonl")
	for _, g := range all {
		got, err := m.Read(g.Text)
		if err != nil {
			t.Fatal(err)
		}
		want[g.Text] = got
	}
	done := make(chan error)
	for range 4 {
		go func() {
			var errs []error
			for _, g := range all {
				if got, err := m.Read(g.Text); err != nil || got != want[g.Text] {
					errs = append(errs, errors.Join(err, errors.New(g.Text)))
				}
			}
			done <- errors.Join(errs...)
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestMissing(t *testing.T) {
	if _, err := Open(t.TempDir()); !errors.Is(err, models.ErrMissing) {
		t.Errorf("Open = %v, want ErrMissing", err)
	}
}

// TestDamaged has a file of another content refused.
func TestDamaged(t *testing.T) {
	store, entry := models.NewStore(t.TempDir()), models.Find(models.Gist)
	for i := range entry.Files {
		path := store.Path(&entry.Files[i])
		if err := os.MkdirAll(store.Dir()+"/gist", 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(unigram.Magic), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(store.Dir()); !errors.Is(err, models.ErrDamaged) {
		t.Errorf("Open = %v, want ErrDamaged", err)
	}
}

// FuzzCut holds what is cut against the same cut with no end in sight, and against what a
// text may have.
func FuzzCut(f *testing.F) {
	m := open1(f)
	for _, file := range []string{"testdata/golden.jsonl", "testdata/pieces.jsonl"} {
		for _, g := range goldens(f, file) {
			f.Add(g.Text)
		}
	}
	for _, text := range long {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, whole := cutter{table: m.table}, cutter{table: m.table, whole: true}
		got, err := c.cut(text)
		want, err2 := whole.cut(text)
		if err := errors.Join(err, err2); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
		if len(got) < 3 || len(got) > m.table.Tokens() {
			t.Fatalf("%d pieces", len(got))
		}
		for i, id := range got {
			if id < 0 || int(id) >= m.table.Pieces() || i > 0 && id == m.table.Unknown() && got[i-1] == id {
				t.Fatalf("piece %d of %v", i, got)
			}
		}
	})
}

// sentence has 32 pieces with the marks of its beginning and end.
const sentence = "we played that map for two hours with people from all over the world and the healer never once came back to help us"

func BenchmarkRead(b *testing.B) {
	m := open1(b)
	for b.Loop() {
		if _, err := m.Read(sentence); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCut(b *testing.B) {
	m := open1(b)
	c := cutter{table: m.table}
	for name, text := range map[string]string{"sentence": sentence, "a": long[4], "points": long[5], "hangul": long[7], "emoji": long[11]} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ids, err := c.cut(text)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(ids)), "pieces")
			}
		})
	}
}
