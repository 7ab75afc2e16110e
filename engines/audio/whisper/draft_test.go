package whisper

import (
	"math"
	"slices"
	"testing"
)

func TestDraft(t *testing.T) {
	d := draft{tokens: []int{1, 2, 3, 4, 5, 6}}
	step := func(name string, matched, token int, next ...int) {
		t.Helper()
		d.written(matched, token)
		if got := d.next(); !slices.Equal(got, next) {
			t.Errorf("%s: %v is expected next, want %v", name, got, next)
		}
	}
	if got := d.next(); len(got) != 6 {
		t.Errorf("%v is expected first", got)
	}
	step("another word", 2, 9, 4, 5, 6)
	step("a word less", 0, 5, 6)
	step("a word more, then as expected", 0, 4, 5, 6)
	step("the rest", 2, 7)
	step("nothing is left", 0, 7)
	long := draft{tokens: make([]int, 100)}
	if n := len(long.next()); n != atOnce {
		t.Errorf("%d tokens are read at once", n)
	}
	long.written(0, 9)
	if n := len(long.next()); n != wary {
		t.Errorf("%d tokens are read at once behind one that was not expected", n)
	}
}

func TestEncode(t *testing.T) {
	tk := &tokens{ids: map[string]int{}}
	for i, s := range []string{" ", "a", "b", "c", "d", "1", "ab", " a", "cd", "abcd", " ab", "!"} {
		tk.ids[s] = i
		tk.bytes = append(tk.bytes, []byte(s))
	}
	for _, c := range []struct {
		word  string
		glued bool
		want  []int
	}{
		{"ab", true, []int{6}},
		{"ab", false, []int{10}},
		{"abcd", true, []int{9}},
		{"dab", true, []int{4, 6}},
		{"cab", false, []int{0, 3, 6}},
		{"ab1!", false, []int{10, 5, 11}},
		{"", true, nil},
		{"é", true, nil},
	} {
		if got := tk.encode(c.word, c.glued); !slices.Equal(got, c.want) {
			t.Errorf("encode(%q, %t) = %v, want %v", c.word, c.glued, got, c.want)
		}
	}
}

func TestSumExp(t *testing.T) {
	row, want := make(onnxRow, 0, 400), 0.0
	for i := range 400 {
		row = append(row, -float32(i)*0.037)
		want += math.Exp(float64(row[i]))
	}
	row = append(row, float32(math.Inf(-1))) // what is never written
	got := sumExp(row, 0)
	if d := got/want - 1; d > 2e-3 || d < -2e-3 {
		t.Errorf("%v, want %v", got, want)
	}
}
