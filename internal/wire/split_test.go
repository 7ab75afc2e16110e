package wire

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// What is taken apart without reading it is what a decoder reads, for all that Parse
// lets through.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	space := func() string { return []string{"", "", "", " ", "\n\t", "\r "}[r.IntN(6)] }
	text := func() string {
		var b strings.Builder
		b.WriteByte('"')
		for range r.IntN(6) {
			b.WriteString([]string{"a", "é", `\"`, `\\`, `\\\"`, "{", "}", "[", "]", ",", ":", `\u00e9`, `\n`, "/", "長"}[r.IntN(15)])
		}
		b.WriteByte('"')
		return b.String()
	}
	var value func(depth int) string
	value = func(depth int) string {
		kind := r.IntN(8)
		if depth > 4 {
			kind = r.IntN(6)
		}
		open, shut := "[", "]"
		switch kind {
		case 0, 1:
			return text()
		case 2:
			return []string{"0", "-1", "1.5e3", "12345678901234567890"}[r.IntN(4)]
		case 3:
			return "null"
		case 4:
			return "true"
		case 5:
			return "[]"
		case 6:
			open, shut = "{", "}"
		}
		var parts []string
		for i := range r.IntN(5) {
			part := value(depth + 1)
			if kind == 6 { // names that differ
				part = text()[:1] + string(rune('A'+i)) + text()[1:] + space() + ":" + space() + part
			}
			parts = append(parts, space()+part+space())
		}
		return open + strings.Join(parts, ",") + space() + shut
	}
	objects := 0
	var check func(v jsontext.Value)
	check = func(v jsontext.Value) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(bytes.Clone(v)))
		_, _ = dec.ReadToken() // the bracket
		read := func() jsontext.Value {
			x, err := dec.ReadValue()
			if err != nil {
				t.Fatalf("%s: %v", v, err)
			}
			return x.Clone()
		}
		switch v.Kind() {
		case '{':
			objects++
			var o Object
			if err := o.split(v); err != nil {
				t.Fatalf("%s: %v", v, err)
			}
			for _, m := range o.members {
				name, err := jsontext.AppendUnquote(nil, read())
				if x := read(); err != nil || string(name) != string(m.name) || string(x) != string(m.value) {
					t.Fatalf("%s: member %q: %s, want %q: %s", v, m.name, m.value, name, x)
				}
				check(m.value)
			}
		case '[':
			elements(v, func(x jsontext.Value) bool {
				if want := read(); string(want) != string(x) {
					t.Fatalf("%s: element %s, want %s", v, x, want)
				}
				check(x)
				return true
			})
		default:
			return
		}
		if k := dec.PeekKind(); k != '}' && k != ']' {
			t.Fatalf("%s: %v is left over", v, k)
		}
	}
	for range 5000 {
		doc := `{"x":` + space() + value(0) + space() + "}"
		if _, err := Parse([]byte(doc)); err != nil {
			continue // a name that stands twice by chance
		}
		check(jsontext.Value(doc))
	}
	if objects < 3000 {
		t.Errorf("%d objects are too few to say", objects)
	}
}

// Strings of entries outlive the body that they came in.
func TestReadLogKeepsNothingOfTheBody(t *testing.T) {
	body := []byte(submission(false, entry("L1"), entry("L2")))
	o, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadLog(o, "app", 1, 10, testNow)
	if err != nil {
		t.Fatal(err)
	}
	was := fmt.Sprintf("%+v", s.Entries)
	for i := range body {
		body[i] = 'x'
	}
	if is := fmt.Sprintf("%+v", s.Entries); is != was || !strings.Contains(was, "L2") {
		t.Errorf("entries became %s, want %s", is, was)
	}
}
