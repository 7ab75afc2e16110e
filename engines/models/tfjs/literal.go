package tfjs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deep literals may be nested; a model has about ten levels.
const maxDepth = 64

// exported finds what a JavaScript module exports where that is a literal (an object,
// a list or a string) and reads it: objects as map[string]any, lists as []any, numbers
// as float64. JSON is such a literal too. Nothing is run.
func exported(module string) (any, error) {
	const mark = ".exports="
	at := -1
	for i := 0; ; {
		j := strings.Index(module[i:], mark)
		if j < 0 {
			break
		}
		i += j + len(mark)
		if rest := strings.TrimLeft(module[i:], " \n\t"); rest != "" && strings.ContainsRune("{[\"'", rune(rest[0])) {
			at = i
		}
	}
	if at < 0 {
		if rest := strings.TrimLeft(module, " \r\n\t\ufeff"); rest == "" || rest[0] != '{' {
			return nil, errors.New("it exports no literal")
		}
		at = 0 // plain JSON
	}
	l := literal{text: module, at: at}
	v, err := l.value(0)
	if err != nil {
		return nil, fmt.Errorf("at byte %d: %w", l.at, err)
	}
	return v, nil
}

// literal reads JavaScript literals as minifiers write them.
type literal struct {
	text string
	at   int
}

func (l *literal) space() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
}

func (l *literal) peek() byte {
	l.space()
	if l.at >= len(l.text) {
		return 0
	}
	return l.text[l.at]
}

func (l *literal) take(s string) bool {
	l.space()
	if !strings.HasPrefix(l.text[l.at:], s) {
		return false
	}
	l.at += len(s)
	return true
}

func (l *literal) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, errors.New("nested too deep")
	}
	switch c := l.peek(); {
	case c == '{':
		return l.object(depth)
	case c == '[':
		return l.list(depth)
	case c == '"' || c == '\'':
		return l.quoted()
	case l.take("!0") || l.take("true"):
		return true, nil
	case l.take("!1") || l.take("false"):
		return false, nil
	case l.take("null") || l.take("void 0"):
		return nil, nil
	}
	return l.number()
}

func (l *literal) object(depth int) (any, error) {
	l.at++
	m := map[string]any{}
	for !l.take("}") {
		key, err := l.key()
		if err != nil {
			return nil, err
		}
		if !l.take(":") {
			return nil, fmt.Errorf("no : after %q", key)
		}
		if m[key], err = l.value(depth + 1); err != nil {
			return nil, err
		}
		if !l.take(",") && l.peek() != '}' {
			return nil, fmt.Errorf("no , or } after the value of %q", key)
		}
	}
	return m, nil
}

func (l *literal) key() (string, error) {
	if c := l.peek(); c == '"' || c == '\'' {
		return l.quoted()
	}
	begin := l.at
	for l.at < len(l.text) && isName(l.text[l.at]) {
		l.at++
	}
	if l.at == begin {
		return "", errors.New("no key")
	}
	return l.text[begin:l.at], nil
}

func isName(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func (l *literal) list(depth int) (any, error) {
	l.at++
	list := []any{}
	for !l.take("]") {
		v, err := l.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if !l.take(",") && l.peek() != ']' {
			return nil, errors.New("no , or ] after a value of a list")
		}
	}
	return list, nil
}

func (l *literal) number() (any, error) {
	begin := l.at
	for l.at < len(l.text) && strings.IndexByte("+-.0123456789eE", l.text[l.at]) >= 0 {
		l.at++
	}
	v, err := strconv.ParseFloat(l.text[begin:l.at], 64)
	if err != nil {
		l.at = begin
		return nil, errors.New("no literal")
	}
	return v, nil
}

// quoted reads a string in either kind of quotes. Those of weights are megabytes
// without an escape, which are not copied.
func (l *literal) quoted() (string, error) {
	quote := l.text[l.at]
	l.at++
	begin := l.at
	var b strings.Builder
	for l.at < len(l.text) {
		switch c := l.text[l.at]; c {
		case quote:
			part := l.text[begin:l.at]
			l.at++
			if b.Len() == 0 {
				return part, nil
			}
			return b.String() + part, nil
		case '\\':
			b.WriteString(l.text[begin:l.at])
			if err := l.escape(&b); err != nil {
				return "", err
			}
			begin = l.at
		case '\n':
			return "", errors.New("a string does not end on its line")
		default:
			l.at++
		}
	}
	return "", errors.New("a string does not end")
}

func (l *literal) escape(b *strings.Builder) error {
	if l.at+1 >= len(l.text) {
		return errors.New("a string does not end")
	}
	c := l.text[l.at+1]
	l.at += 2
	if i := strings.IndexByte("nrtbfv0", c); i >= 0 {
		b.WriteByte("\n\r\t\b\f\v\x00"[i])
		return nil
	}
	digits := map[byte]int{'u': 4, 'x': 2}[c]
	if digits == 0 {
		b.WriteByte(c)
		return nil
	}
	if l.at+digits > len(l.text) {
		return errors.New("a string does not end")
	}
	v, err := strconv.ParseUint(l.text[l.at:l.at+digits], 16, 16)
	if err != nil {
		return fmt.Errorf("%q is no escape", l.text[l.at-2:l.at+digits])
	}
	l.at += digits
	r := rune(v)
	if !utf8.ValidRune(r) {
		r = utf8.RuneError // half of a pair: no name or weight has one
	}
	b.WriteRune(r)
	return nil
}
