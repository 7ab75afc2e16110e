package table

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is written is read again, and no cell begins as a formula does.
func TestCSV(t *testing.T) {
	names := []string{"plain", "a,b", `say "hi"`, "two\r\nlines", "", " padded ", "=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\uFF1D1", "日本", "-"}
	in := Table{Columns: []string{"name", "n", "share"}}
	for i, name := range names {
		in.Rows = append(in.Rows, []Value{Text(name), Int(int64(-i)), Share(int64(i), 0)})
	}
	got, err := csv.NewReader(strings.NewReader(string(in.AppendCSV(nil)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(names)+1 {
		t.Fatalf("%d lines, want %d", len(got), len(names)+1)
	}
	var read, want []string
	for i, name := range names {
		read = append(read, got[i+1][0])
		if dangerous(name) {
			name = "'" + name
		}
		want = append(want, strings.ReplaceAll(name, "\r\n", "\n")) // as the reader does
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if got[3][1] != "-2" || got[3][2] != "" {
		t.Errorf("figures %q, want -2 and nothing", got[3][1:])
	}
}

func dangerous(s string) bool {
	switch s {
	case "=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\uFF1D1", "-":
		return true
	}
	return false
}
