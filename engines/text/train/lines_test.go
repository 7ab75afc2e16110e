package train

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Every file of written lines loads, and no line of a language is given two answers: the
// trainer would weigh both and learn neither.
func TestWrittenLinesHaveOneAnswer(t *testing.T) {
	files := writtenLines(t, "*.yaml")
	answers := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		for key, lines := range f.Lines {
			if _, err := categoriesOf(key); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, line := range lines {
				id := f.Language + " " + strings.ToLower(line)
				if was, ok := answers[id]; ok && was != key {
					t.Errorf("%s: %q is %s, elsewhere %s", name, line, key, was)
				}
				answers[id] = key
			}
		}
	}
}

// Lines of the test sets are not trained on: what they measured would be memory. Of a word
// or two ("gg wp") everybody thinks.
func TestWrittenLinesAreNotTestLines(t *testing.T) {
	tests := map[string]string{}
	names, err := filepath.Glob("../../../internal/eval/testdata/own/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no test sets found (%v)", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(data)) {
			var r row
			if err := json.Unmarshal([]byte(l), &r); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if key := letters(r.Text); sentence(key) {
				tests[key] = filepath.Base(name)
			}
		}
	}
	for name, f := range writtenLines(t, "*.yaml") {
		for _, lines := range f.Lines {
			for _, line := range lines {
				if set, ok := tests[letters(line)]; ok {
					t.Errorf("%s: %q stands in %s", name, line, set)
				}
			}
		}
	}
}

func writtenLines(t *testing.T, pattern string) map[string]*linesFile {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("lines", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no lines found (%v)", err)
	}
	files := map[string]*linesFile{}
	for _, name := range names {
		f, err := readLinesFile(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		files[filepath.Base(name)] = f
	}
	return files
}

// sentence reports whether letters are more than a word or two; a letter of China, Japan or
// Korea says as much as two others.
func sentence(letters string) bool {
	n := 0
	for _, r := range letters {
		n++
		if r >= 0x2e80 {
			n++
		}
	}
	return n >= 12
}

// letters are the letters, their marks and the digits of a text, without case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
