package hashlist

import (
	"bytes"
	"errors"
	"fmt"
)

// table is a CSV file that is being read. A field in quotes ends on its line: the tools
// that hand lists out write no breaks into fields, and an open quote would swallow the
// rest of a file.
type table struct {
	separator byte
	columns   []kind
	quality   int // the column of it, -1 for none
	named     int // the column that says what the hash is, with value; -1 for none
	value     int
	fields    [][]byte
}

// columnsAtMost bounds the columns of a table.
const columnsAtMost = 256

var (
	errQuote   = errors.New("a quote is not closed on its line, or stands inside a field")
	errColumns = errors.New("more than 256 columns")
)

func (t *table) line(line []byte, to *Record) (bool, error) {
	if t.columns == nil {
		return false, t.header(line)
	}
	if err := t.split(line); err != nil {
		return false, err
	}
	if len(t.fields) != len(t.columns) {
		return false, fmt.Errorf("has %d fields, the header %d", len(t.fields), len(t.columns))
	}
	refused := error(errNone)
	for i, k := range t.columns {
		if err := t.take(k, t.fields[i], to, &refused); err != nil {
			return false, err
		}
	}
	if t.named >= 0 {
		k := kinds[plain(t.fields[t.named])]
		if k == noKind && len(t.fields[t.value]) > 0 {
			return false, errors.New("the kind of hash is not known: pdq or sha256")
		}
		if err := t.take(k, t.fields[t.value], to, &refused); err != nil {
			return false, err
		}
	}
	if !to.HasPDQ && !to.HasSHA256 {
		return false, refused
	}
	if t.quality >= 0 && len(t.fields[t.quality]) > 0 {
		if err := to.setQuality(t.fields[t.quality]); err != nil {
			return false, err
		}
	}
	return true, nil
}

// take puts a field that is a hash where it belongs; refused becomes why a line that has
// no other is not taken.
func (t *table) take(k kind, field []byte, to *Record, refused *error) error {
	if len(field) == 0 {
		return nil
	}
	switch k {
	case pdqKind:
		return to.setPDQ(field)
	case sumKind:
		return to.setSHA256(field)
	case weakKind:
		*refused = errWeak
	case dnaKind:
		*refused = errDNA
	case noKind:
	}
	return nil
}

// header learns what the columns are.
func (t *table) header(line []byte) error {
	t.separator = ','
	for _, c := range []byte{';', '\t'} {
		if bytes.Count(line, []byte{c}) > bytes.Count(line, []byte{t.separator}) {
			t.separator = c
		}
	}
	if err := t.split(line); err != nil {
		return &notOne{"the header: " + err.Error()}
	}
	t.quality, t.named, t.value = -1, -1, -1
	columns, useful := make([]kind, len(t.fields)), false
	for i, f := range t.fields {
		name := plain(f)
		columns[i] = kinds[name]
		useful = useful || columns[i] == pdqKind || columns[i] == sumKind
		switch name {
		case "quality", "pdqquality", "hashquality":
			t.quality = i
		case "hashtype", "signaltype", "indicatortype", "type":
			t.named = i
		case "hash", "hashvalue", "signalvalue", "signal", "indicator", "value":
			t.value = i
		}
	}
	if t.named < 0 || t.value < 0 {
		t.named = -1
	}
	if !useful && t.named < 0 {
		return &notOne{"the header names no column pdq or sha256, nor hash_type and hash_value; md5, sha1 and PhotoDNA are not taken"}
	}
	t.columns = columns
	return nil
}

// split takes a line apart into t.fields, without spaces around them.
func (t *table) split(line []byte) error {
	t.fields = t.fields[:0]
	for more := true; more; {
		if len(t.fields) == columnsAtMost {
			return errColumns
		}
		var field []byte
		var err error
		if field, line, more, err = t.field(line); err != nil {
			return err
		}
		t.fields = append(t.fields, field)
	}
	return nil
}

// field takes the first field off a line; more says that a separator followed it.
func (t *table) field(line []byte) (field, rest []byte, more bool, err error) {
	blank := " \t"
	if t.separator == '\t' {
		blank = " "
	}
	line = bytes.TrimLeft(line, blank)
	if len(line) == 0 || line[0] != '"' {
		field, rest, more = bytes.Cut(line, []byte{t.separator})
		if bytes.IndexByte(field, '"') >= 0 {
			return nil, nil, false, errQuote
		}
		return bytes.TrimRight(field, blank), rest, more, nil
	}
	end := 1
	for ; end < len(line); end++ {
		if line[end] != '"' {
			continue
		}
		if end+1 == len(line) || line[end+1] != '"' {
			break
		}
		end++ // two of them are one
	}
	if end >= len(line) {
		return nil, nil, false, errQuote
	}
	field, rest = bytes.ReplaceAll(line[1:end], []byte(`""`), []byte(`"`)), bytes.TrimLeft(line[end+1:], blank)
	if len(rest) > 0 && rest[0] != t.separator {
		return nil, nil, false, errQuote
	}
	if len(rest) > 0 {
		return bytes.TrimSpace(field), rest[1:], true, nil
	}
	return bytes.TrimSpace(field), nil, false, nil
}
