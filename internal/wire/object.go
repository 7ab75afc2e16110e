package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deep a JSON document may nest.
const MaxDepth = 32

// Object is a JSON object being read: members are asked for by name, faults are
// collected, and Err tells all of them at once, each with its pointer. Unknown
// members are ignored; a member that is null counts as absent. Its strings are
// copies, so the input may be reused once all members are read (but see keep).
type Object struct {
	members []member
	at      *Object // that it is a member of, by name; nil is none
	name    string
	faults  *[]Field
	own     bool // nobody else has the input, which stays: strings may be parts of it
}

type member struct {
	name  []byte
	value jsontext.Value
}

// unquoted is what a JSON string says, in place where nothing is escaped.
func unquoted(v jsontext.Value) ([]byte, error) {
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1], nil
	}
	return jsontext.AppendUnquote(nil, v)
}

// Parse reads one JSON object strictly (RFC 8259 plus WIRE.md §1): a duplicate
// name at any depth, invalid UTF-8, a lone surrogate, nesting over MaxDepth or
// anything after the object is a 1001 that says where.
func Parse(data []byte) (*Object, error) {
	if d := depth(data); d > MaxDepth {
		return nil, Invalid("", "nested over "+strconv.Itoa(MaxDepth)+" levels")
	}
	p, ok := parsers.Get().(*parser)
	if !ok { // the pool holds nothing else
		p = new(parser)
	}
	defer p.rest()
	p.input = *bytes.NewBuffer(data)
	p.dec.Reset(&p.input)
	o := &Object{faults: new([]Field)}
	if err := o.read(&p.dec); err != nil {
		return nil, err
	}
	if _, err := p.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, Invalid("", "one JSON document expected, more follows")
	}
	return o, nil
}

// parser is a decoder that is used again: what it remembers of names is a third of what a
// small document costs. Of a document it reads the bytes where they lie.
type parser struct {
	dec   jsontext.Decoder
	input bytes.Buffer
}

var parsers sync.Pool // of *parser

// rest lets go of the document and gives the parser back.
func (p *parser) rest() {
	p.input = bytes.Buffer{}
	p.dec.Reset(&p.input)
	parsers.Put(p)
}

func (o *Object) read(dec *jsontext.Decoder) error {
	tok, err := dec.ReadToken()
	if err != nil {
		return syntax(err)
	}
	if tok.Kind() != '{' {
		return Invalid("", "must be a JSON object")
	}
	if o.members == nil {
		o.members = make([]member, 0, 8)
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return syntax(err)
		}
		var m member
		if m.name, err = unquoted(name); err != nil {
			return syntax(err)
		}
		if m.value, err = dec.ReadValue(); err != nil {
			return syntax(err)
		}
		o.members = append(o.members, m)
	}
	if _, err = dec.ReadToken(); err != nil {
		return syntax(err)
	}
	return nil
}

// syntax names what is wrong without quoting the input.
func syntax(err error) error {
	var s *jsontext.SyntacticError
	if !errors.As(err, &s) {
		if errors.Is(err, io.EOF) {
			return Invalid("", "a JSON object expected, got nothing")
		}
		return Invalid("", "not JSON")
	}
	reason := "not valid JSON"
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		reason = "the name stands twice"
	case strings.Contains(s.Error(), "invalid UTF-8"):
		reason = "not valid UTF-8"
	case strings.Contains(s.Error(), "surrogate"):
		reason = "a surrogate stands alone"
	case errors.Is(err, io.ErrUnexpectedEOF):
		reason = "the document ends early"
	}
	return Invalid(string(s.JSONPointer), fmt.Sprintf("%s (byte %d)", reason, s.ByteOffset))
}

// depth is the deepest nesting of brackets outside strings, found without
// recursion or memory, so that 100,000 of them cost nothing.
func depth(data []byte) int {
	deepest, now, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// get finds a member that is there and not null.
func (o *Object) get(name string) (jsontext.Value, bool) {
	if o == nil {
		return nil, false
	}
	for i := range o.members {
		if string(o.members[i].name) == name {
			v := o.members[i].value
			return v, v.Kind() != 'n'
		}
	}
	return nil, false
}

// Has reports whether the member stands and is not null.
func (o *Object) Has(name string) bool {
	_, ok := o.get(name)
	return ok
}

// Pointer is the RFC 6901 pointer of a member.
func (o *Object) Pointer(name string) string { return o.place() + "/" + inPointer.Replace(name) }

// place is the pointer of o.
func (o *Object) place() string {
	if o.at == nil {
		return ""
	}
	return o.at.Pointer(o.name)
}

// inPointer is made once: to make one takes longer than to read an entry of a log.
var inPointer = strings.NewReplacer("~", "~0", "/", "~1")

// Fault adds a fault of a member.
func (o *Object) Fault(name, reason string) {
	*o.faults = append(*o.faults, Field{o.Pointer(name), reason})
}

// Err is nil, or a 1001 with every fault found so far.
func (o *Object) Err() error {
	if len(*o.faults) == 0 {
		return nil
	}
	return &Error{Code: InvalidParameter, Message: codes[InvalidParameter].message, Fields: *o.faults}
}

// Text reads a string; ok is false when it is absent or no string (a fault).
func (o *Object) Text(name string) (s string, ok bool) {
	v, ok := o.get(name)
	if !ok {
		return "", false
	}
	if v.Kind() != '"' {
		o.Fault(name, "must be a string")
		return "", false
	}
	raw, err := unquoted(v)
	if err != nil {
		o.Fault(name, "not valid UTF-8")
		return "", false
	}
	if o.own {
		return unsafe.String(unsafe.SliceData(raw), len(raw)), true
	}
	return string(raw), true
}

// Require reads a string that must be there; it may be empty.
func (o *Object) Require(name string) string {
	s, ok := o.Text(name)
	if !ok && !o.Has(name) {
		o.Fault(name, "is required")
	}
	return s
}

// ID reads an id: 1 to 128 bytes without control characters. An absent or empty
// one is "" where it is not required.
func (o *Object) ID(name string, required bool) string {
	s, ok := o.Text(name)
	switch {
	case !ok && o.Has(name): // the fault is noted
	case s == "" && required:
		o.Fault(name, "is required")
	case !ValidID(s) && s != "":
		o.Fault(name, "must be 1 to 128 bytes without control characters")
	default:
		return s
	}
	return ""
}

// labelAtMost is how many code points a label has at most.
const labelAtMost = 128

// Label reads words of a person's or a studio's on one line, such as why somebody is
// banned: 1 to 128 code points, so that no language has fewer of them than another, without
// control characters. Absent or empty they are "" where they are not required.
func (o *Object) Label(name string, required bool) string {
	s, ok := o.Text(name)
	switch {
	case !ok && o.Has(name): // the fault is noted
	case s == "" && required:
		o.Fault(name, "is required")
	case utf8.RuneCountInString(s) > labelAtMost || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		o.Fault(name, "must be 1 to 128 characters without control characters")
	default:
		return s
	}
	return ""
}

// ValidID reports whether s can be an id.
func ValidID(s string) bool {
	if len(s) < 1 || len(s) > 128 {
		return false
	}
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= 0x20 && s[i] < 0x7f
	}
	if plain {
		return true
	}
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return false
		}
	}
	return true
}

// ValidText reports whether s can be a text that people write: UTF-8 without control
// characters but those that divide lines.
func ValidText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 && r != '\n' && r != '\r' && r != '\t' || r == 0x7f })
}

// Int reads a JSON integer in [low, high]; ok is false when it is absent or a
// fault. 3.0 and 3e0 are not integers here.
func (o *Object) Int(name string, low, high int64) (n int64, ok bool) {
	v, ok := o.get(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if v.Kind() != '0' || err != nil || n < low || n > high {
		switch {
		case low == math.MinInt64 && high == math.MaxInt64:
			o.Fault(name, "must be an integer of 64 bits")
		case high == math.MaxInt64:
			o.Fault(name, fmt.Sprintf("must be an integer, at least %d", low))
		default:
			o.Fault(name, fmt.Sprintf("must be an integer from %d to %d", low, high))
		}
		return 0, false
	}
	return n, true
}

// Bool reads a boolean, false when absent.
func (o *Object) Bool(name string) bool {
	v, ok := o.get(name)
	if ok && v.Kind() != 't' && v.Kind() != 'f' {
		o.Fault(name, "must be true or false")
	}
	return ok && v.Kind() == 't'
}

// Object reads an object; nil, of which every member is absent, when it is not there.
func (o *Object) Object(name string) *Object {
	v, ok := o.get(name)
	if !ok {
		return nil
	}
	return o.nested(name, v)
}

func (o *Object) nested(name string, v jsontext.Value) *Object {
	in := &Object{}
	if !o.into(in, name, v) {
		return nil
	}
	return in
}

// into is nested in an Object that has served before; false where v is no object.
func (o *Object) into(in *Object, name string, v jsontext.Value) bool {
	if v.Kind() != '{' {
		o.Fault(name, "must be an object")
		return false
	}
	*in = Object{members: in.members[:0], at: o, name: name, faults: o.faults, own: o.own}
	if err := in.split(v); err != nil {
		o.Fault(name, "not valid JSON")
		return false
	}
	return true
}

// Each calls f with every object of an array of at most most entries; a longer
// one is 1005, which Each returns.
func (o *Object) Each(name string, most int, f func(i int, entry *Object)) error {
	values, err := o.array(name, most)
	if err != nil {
		return err
	}
	list := o.list(name)
	for i, v := range values {
		if entry := list.nested(strconv.Itoa(i), v); entry != nil {
			f(i, entry)
		}
	}
	return nil
}

// list is an array, whose members have their places for names.
func (o *Object) list(name string) *Object {
	return &Object{at: o, name: name, faults: o.faults, own: o.own}
}

// keep copies a member, so that its strings may be parts of it (own): one copy for all
// of them, that lasts as long as any does.
func (o *Object) keep(name string) {
	for i := range o.members {
		if m := &o.members[i]; string(m.name) == name {
			m.value = bytes.Clone(m.value)
		}
	}
}

// IDs reads an array of ids.
func (o *Object) IDs(name string, most int) []string {
	values, err := o.array(name, most)
	if err != nil {
		o.Fault(name, fmt.Sprintf("at most %d entries", most))
		return nil
	}
	list := o.list(name)
	var ids []string
	for i, v := range values {
		list.members = append(list.members[:0], member{strconv.AppendInt(nil, int64(i), 10), v})
		ids = append(ids, list.ID(strconv.Itoa(i), true))
	}
	return ids
}

func (o *Object) array(name string, most int) ([]jsontext.Value, error) {
	v, ok := o.get(name)
	if !ok {
		return nil, nil
	}
	if v.Kind() != '[' {
		o.Fault(name, "must be an array")
		return nil, nil
	}
	var values []jsontext.Value
	over := false
	elements(v, func(v jsontext.Value) bool {
		if over = len(values) == most; !over {
			values = append(values, v)
		}
		return !over
	})
	if over {
		return nil, Fail(TooLarge, fmt.Sprintf("%s: more than %d entries", o.Pointer(name), most))
	}
	return values, nil
}
