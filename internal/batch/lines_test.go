package batch

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// readAll reads lines as read does; a huge one is "<huge>".
func readAll(t *testing.T, r io.Reader, most int) (lines []string) {
	t.Helper()
	l := newLineReader(r, most)
	for {
		line, huge, err := l.next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		if huge {
			lines = append(lines, "<huge>")
			continue
		}
		lines = append(lines, string(line))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200_000) // more than the reader's buffer
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"one", "a", []string{"a"}},
		{"ended", "a\n", []string{"a"}},
		{"two", "a\nb", []string{"a", "b"}},
		{"as Windows ends them", "a\r\nb\r\n", []string{"a", "b"}},
		{"empty ones", "\n\na\n\n", []string{"", "", "a", ""}},
		{"a lone break", "\n", []string{""}},
		{"byte order mark", "\ufeffa\n\ufeffb", []string{"a", "\ufeffb"}},
		{"as long as may be", "1234567890\n1234567890\r\n", []string{"1234567890", "1234567890"}},
		{"too long", "12345678901\na\n", []string{"<huge>", "a"}},
		{"too long at the end", "a\n12345678901", []string{"a", "<huge>"}},
		{"much too long", long + "\na\n" + long, []string{"<huge>", "a", "<huge>"}},
		{"returns within", "a\rb\n", []string{"a\rb"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(test.in), iotest.OneByteReader(strings.NewReader(test.in)), iotest.DataErrReader(strings.NewReader(test.in))} {
				if got := readAll(t, r, 10); strings.Join(got, "|") != strings.Join(test.want, "|") || len(got) != len(test.want) {
					t.Errorf("lines %.100q, want %.100q", got, test.want)
				}
			}
		})
	}
	broken := errors.New("gone")
	l := newLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10)
	if line, _, err := l.next(); string(line) != "a" || err != nil {
		t.Errorf("before it broke: %q, %v", line, err)
	}
	if _, _, err := l.next(); !errors.Is(err, broken) {
		t.Errorf("a line that did not arrive whole: %v, want %v", err, broken)
	}
}

// FuzzLines: whatever comes, however it is parted, is what it is without the reader, and
// goes into a chunk and out of it unchanged.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "a\nb\r\n", "\n\n", "{}\n{\"id\":\"1\"}\n\xff\x00", strings.Repeat("y", 100) + "\nz", "\ufeff\n", strings.Repeat("y", 16) + "\r\r\n"} {
		f.Add([]byte(seed), 16)
	}
	f.Fuzz(func(t *testing.T, in []byte, most int) {
		if most < 1 || most > 1<<20 {
			return
		}
		want := strings.Split(string(bytes.TrimPrefix(in, []byte("\ufeff"))), "\n")
		if want[len(want)-1] == "" && (len(want) > 1 || len(in) == 0) {
			want = want[:len(want)-1]
		}
		got, body := readAll(t, iotest.HalfReader(bytes.NewReader(in)), most), []byte(nil)
		if len(got) != len(want) {
			t.Fatalf("%d lines of %q, want %d", len(got), in, len(want))
		}
		for i := range want {
			line := strings.TrimSuffix(want[i], "\r")
			switch {
			case got[i] == line && len(line) <= most:
			case got[i] != "<huge>" || len(line) <= most:
				t.Errorf("line %d of %q is %q, want %q", i+1, in, got[i], line)
			}
			body = store.AppendLine(body, store.LineText, len(got[i]), []byte(got[i]))
		}
		for i := range got {
			_, _, text, rest, err := store.CutLine(body)
			if err != nil || string(text) != got[i] {
				t.Fatalf("line %d came back as %q, %v", i+1, text, err)
			}
			body = rest
		}
		if len(body) != 0 {
			t.Errorf("%d bytes are left", len(body))
		}
	})
}
