package policy

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxDocument bounds the bytes of one layer or list.
const MaxDocument = 8 << 20

// ReadLayer reads the settings of a layer, YAML or JSON. An error is Faults: all
// of them at once, each with its pointer and line.
func ReadLayer(kind LayerKind, name string, data []byte) (Layer, error) {
	l := Layer{Kind: kind, Name: name}
	if err := CheckLayer(kind, name); err != nil {
		return l, Faults{{Reason: err.Error()}}
	}
	r := read(data, &l.Settings)
	return l, r.judged(l.Validate())
}

// ReadSettings reads settings whose layer is not known yet: Layer.Validate says
// what else is wrong with them there. Otherwise it is as ReadLayer.
func ReadSettings(data []byte) (Settings, error) {
	var s Settings
	r := read(data, &s)
	return s, r.judged(s.Validate())
}

// ReadList reads a word list, YAML or JSON. Its tests are for TestWords.
func ReadList(data []byte) (List, error) {
	var l List
	r := read(data, &l)
	return l, r.judged(l.Validate())
}

// reader fills Go values from a document and remembers where everything stood.
type reader struct {
	faults Faults
	lines  map[string]int
	own    bool // the value is one that can be left out, so that 0 is a number as any
}

func read(data []byte, into any) *reader {
	r := &reader{lines: map[string]int{}}
	root, err := parse(data)
	switch {
	case err != nil:
		r.faults = Faults{*err}
	case root != nil:
		r.value(root, "", reflect.ValueOf(into).Elem())
	}
	return r
}

// judged adds what validation found and returns all, in the order of the text.
func (r *reader) judged(found Faults) error {
	unread := slices.Clone(r.faults)
	for _, f := range found {
		for at := f.Pointer; f.Line == 0; at = at[:strings.LastIndexByte(at, '/')] {
			f.Line = r.lines[at]
			if at == "" {
				break
			}
		}
		// What could not be read is no use to judge.
		if !slices.ContainsFunc(unread, func(have Fault) bool {
			return have.Pointer == f.Pointer || have.Pointer != "" && strings.HasPrefix(f.Pointer, have.Pointer+"/")
		}) {
			r.faults = append(r.faults, f)
		}
	}
	slices.SortStableFunc(r.faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return r.faults.err()
}

func (r *reader) fault(n *yaml.Node, pointer, reason string) {
	if len(r.faults) >= maxFaults {
		return
	}
	r.faults = append(r.faults, Fault{Pointer: pointer, Line: n.Line, Reason: reason})
}

var timeType = reflect.TypeFor[time.Time]()

// value fills v, whose type says what is asked for. What is empty stays as it is.
func (r *reader) value(n *yaml.Node, pointer string, v reflect.Value) {
	if r.lines[pointer] == 0 {
		r.lines[pointer] = n.Line
	}
	if n.Kind == yaml.AliasNode {
		r.fault(n, pointer, "must be written out: references are not taken")
		return
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	switch {
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.own = true
		r.value(n, pointer, v.Elem())
		r.own = false
	case v.Type() == timeType:
		r.time(n, pointer, v)
	case v.Kind() == reflect.Struct:
		r.own = false
		r.object(n, pointer, v)
	case v.Kind() == reflect.Map:
		r.table(n, pointer, v)
	case v.Kind() == reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			r.fault(n, pointer, "must be a list")
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
		for i, item := range n.Content {
			r.value(item, pointerAt(pointer, i), v.Index(i))
		}
	default:
		r.scalar(n, pointer, v)
	}
}

// pairs calls f with the keys and values of an object.
func (r *reader) pairs(n *yaml.Node, pointer string, f func(key, value *yaml.Node, at string)) {
	if n.Kind != yaml.MappingNode {
		r.fault(n, pointer, "must be an object")
		return
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := pointerTo(pointer, key.Value)
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			r.fault(key, at, "is not a key that is known here")
			continue
		}
		if seen[key.Value] {
			r.fault(key, at, "stands twice")
			continue
		}
		seen[key.Value] = true
		r.lines[at] = key.Line
		f(key, value, at)
	}
}

func (r *reader) object(n *yaml.Node, pointer string, v reflect.Value) {
	// A plain text stands for a word that has nothing but its term.
	if first := v.Type().Field(0); n.Kind == yaml.ScalarNode && first.Name == "Term" {
		r.scalar(n, pointer, v.Field(0))
		return
	}
	r.pairs(n, pointer, func(key, value *yaml.Node, at string) {
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
			if name == key.Value {
				r.value(value, at, v.Field(i))
				return
			}
		}
		r.fault(key, at, "is not a key that is known here")
	})
}

func (r *reader) table(n *yaml.Node, pointer string, v reflect.Value) {
	if len(n.Content) > 0 { // else it says nothing, as if it were not there
		v.Set(reflect.MakeMap(v.Type()))
	}
	r.pairs(n, pointer, func(key, value *yaml.Node, at string) {
		elem := reflect.New(v.Type().Elem()).Elem()
		r.value(value, at, elem)
		v.SetMapIndex(reflect.ValueOf(key.Value).Convert(v.Type().Key()), elem)
	})
}

func (r *reader) scalar(n *yaml.Node, pointer string, v reflect.Value) {
	if n.Kind != yaml.ScalarNode {
		r.fault(n, pointer, "must be a single value")
		return
	}
	switch v.Kind() {
	case reflect.String:
		// Stores refuse a NUL, and U+FFFD is what a reader leaves of a lone surrogate.
		if strings.ContainsFunc(n.Value, unreadable) {
			r.fault(n, pointer, "has control characters, or U+FFFD")
			return
		}
		v.SetString(n.Value)
	case reflect.Bool:
		if n.Tag != "!!bool" {
			r.fault(n, pointer, "must be true or false")
			return
		}
		v.SetBool(n.Value[0] == 't' || n.Value[0] == 'T')
	case reflect.Int:
		i, err := strconv.Atoi(n.Value)
		if n.Tag != "!!int" || err != nil {
			r.fault(n, pointer, "must be a whole number")
			return
		}
		r.zero(n, pointer, i == 0)
		v.SetInt(int64(i))
	case reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, 64)
		if n.Tag != "!!int" && n.Tag != "!!float" || err != nil {
			r.fault(n, pointer, "must be a number")
			return
		}
		r.zero(n, pointer, f == 0)
		v.SetFloat(f)
	default:
		panic("policy: no way to read a " + v.Type().String())
	}
}

// unreadable reports characters that no text of a policy is meant to have; lines may
// end and be indented.
func unreadable(r rune) bool {
	return control(r) && r != '\n' && r != '\r' && r != '\t' || r == utf8.RuneError
}

// zero refuses a 0 where leaving the key out says the same: whoever writes a
// strictness of 0 means something by it.
func (r *reader) zero(n *yaml.Node, pointer string, is bool) {
	if is && !r.own {
		r.fault(n, pointer, "must not be 0: leave it out to take it from the layers below")
	}
}

func (r *reader) time(n *yaml.Node, pointer string, v reflect.Value) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, n.Value); n.Kind == yaml.ScalarNode && err == nil {
			v.Set(reflect.ValueOf(t.UTC()))
			return
		}
	}
	r.fault(n, pointer, "must be a date such as 2030-01-31 or a time such as 2030-01-31T18:00:00Z")
}

// parse makes a tree of a document, nil of one that says nothing.
func parse(data []byte) (*yaml.Node, *Fault) {
	if len(data) > MaxDocument {
		return nil, &Fault{Reason: fmt.Sprintf("is larger than %d MiB", MaxDocument>>20)}
	}
	if !utf8.Valid(data) {
		return nil, &Fault{Reason: "is not valid UTF-8"}
	}
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '{' {
		return parseJSON(data)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, yamlFault(err)
	}
	if err := dec.Decode(new(yaml.Node)); err == nil {
		return nil, &Fault{Reason: "has more than one document"}
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// yamlFault takes the line out of what the YAML library says.
func yamlFault(err error) *Fault {
	f := &Fault{Line: 1, Reason: strings.TrimPrefix(err.Error(), "yaml: ")} // it leaves out the first line's number
	if rest, ok := strings.CutPrefix(f.Reason, "line "); ok {
		if number, reason, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				f.Line, f.Reason = line, reason
			}
		}
	}
	f.Reason = "is not YAML: " + f.Reason
	return f
}
