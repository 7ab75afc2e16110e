package store

import "testing"

func TestBatchLines(t *testing.T) {
	body := AppendLine(nil, LineText, 3, []byte("abc"))
	body = AppendLine(AppendLine(AppendLine(body, LineHuge, 0, nil), LineTwice, 70_000, nil), LineEmpty, 0, nil)
	body = AppendLine(body, LineErased, 0, nil)
	for _, want := range []struct {
		kind LineKind
		n    int
		text string
	}{{LineText, 3, "abc"}, {LineHuge, 0, ""}, {LineTwice, 70_000, ""}, {LineEmpty, 0, ""}, {LineErased, 0, ""}} {
		kind, n, text, rest, err := CutLine(body)
		if err != nil || kind != want.kind || n != want.n || string(text) != want.text {
			t.Errorf("line %d %d %q, %v; want %+v", kind, n, text, err, want)
		}
		body = rest
	}
	for _, bad := range [][]byte{nil, {byte(LineText)}, {byte(LineText), 5, 'a'}, {byte(LineText), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}} {
		if _, _, _, _, err := CutLine(bad); err == nil {
			t.Errorf("%v was read", bad)
		}
	}
}
