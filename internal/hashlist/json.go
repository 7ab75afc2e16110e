package hashlist

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// entry is one indicator, by the names of its members.
type entry map[string]json.RawMessage

// readJSON reads indicators: objects one after the other, an array of them, or an
// object with an array data, as the API answers.
func readJSON(r io.Reader, each func(*Record) error) (res Result, err error) {
	in := &placed{r: r, line: 1}
	j := jsonReader{in: in, dec: json.NewDecoder(in), res: &res, each: each}
	for {
		in.allowed = j.dec.InputOffset() + entryBytes
		token, err := j.dec.Token()
		switch {
		case errors.Is(err, io.EOF):
			return res, nil
		case err != nil:
			return res, j.broken(err)
		}
		switch token {
		case json.Delim('['):
			err = j.array()
		case json.Delim('{'):
			err = j.object()
		default:
			return res, &FormatError{in.at(j.dec.InputOffset()), "an object or an array is expected"}
		}
		if err != nil {
			return res, err
		}
	}
}

type jsonReader struct {
	in   *placed
	dec  *json.Decoder
	res  *Result
	each func(*Record) error
}

// entryBytes is the most of a list that is held: an entry, and what was read ahead.
const entryBytes = 16 * lineBytes

// broken says where JSON is none. What the reader said stays what it is.
func (j *jsonReader) broken(err error) error {
	if j.in.failed != nil {
		return j.in.failed
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	at := j.dec.InputOffset()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = max(at, syntax.Offset-1)
	}
	return &FormatError{j.in.at(at), err.Error()}
}

// array reads entries up to the end of an array that has begun.
func (j *jsonReader) array() error {
	for j.dec.More() {
		j.in.allowed = j.dec.InputOffset() + entryBytes
		var value json.RawMessage
		if err := j.dec.Decode(&value); err != nil {
			return j.broken(err)
		}
		var e entry
		if err := json.Unmarshal(value, &e); err != nil {
			j.res.Lines++
			j.res.fault(j.in.at(j.dec.InputOffset()), "is not an object")
			continue
		}
		if err := j.take(e); err != nil {
			return err
		}
	}
	if _, err := j.dec.Token(); err != nil {
		return j.broken(err)
	}
	return nil
}

// object reads the members of an object that has begun: those in its data are entries,
// and it is one itself where it has none.
func (j *jsonReader) object() error {
	e, data := entry{}, false
	for j.dec.More() {
		name, err := j.dec.Token()
		if err != nil {
			return j.broken(err)
		}
		var value json.RawMessage
		if name == "data" {
			open, err := j.dec.Token()
			if err != nil {
				return j.broken(err)
			}
			if open != json.Delim('[') {
				return &FormatError{j.in.at(j.dec.InputOffset()), "data must be an array"}
			}
			data = true
			if err := j.array(); err != nil {
				return err
			}
			j.in.allowed = j.dec.InputOffset() + entryBytes
			continue
		}
		if err := j.dec.Decode(&value); err != nil {
			return j.broken(err)
		}
		if text, ok := name.(string); ok && len(e) < columnsAtMost {
			e[text] = value
		}
	}
	if _, err := j.dec.Token(); err != nil {
		return j.broken(err)
	}
	if data {
		return nil
	}
	return j.take(e)
}

func (j *jsonReader) take(e entry) error {
	j.res.Lines++
	rec := Record{Line: j.in.at(j.dec.InputOffset()), Quality: -1}
	if err := e.into(&rec); err != nil {
		j.res.fault(rec.Line, err.Error())
		return nil
	}
	j.res.Records++
	return j.each(&rec)
}

// text returns the first of some members that is a string.
func (e entry) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(e[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// into reads an entry: {type, indicator or raw_indicator}, {signal_type, signal_value},
// {hash_type, hash_value}, or members pdq and sha256; with quality.
func (e entry) into(to *Record) error {
	var gone bool
	if json.Unmarshal(e["should_delete"], &gone) == nil && gone {
		return errors.New("says that a hash is to be deleted: retire its entry instead")
	}
	refused := error(errNone)
	take := func(k kind, value string) error {
		return new(table).take(k, []byte(value), to, &refused)
	}
	for _, name := range []string{"pdq", "pdq_hash", "sha256", "md5", "sha1", "photodna"} {
		if err := take(kinds[plain([]byte(name))], e.text(name)); err != nil {
			return err
		}
	}
	if said := e.text("type", "signal_type", "hash_type", "indicator_type"); said != "" {
		value := e.text("indicator", "raw_indicator", "signal_value", "signal_str", "hash_value", "hash", "value")
		k := kinds[plain([]byte(said))]
		if k == noKind && !to.HasPDQ && !to.HasSHA256 {
			return errors.New("the kind of hash is not known: HASH_PDQ or HASH_SHA256")
		}
		if err := take(k, value); err != nil {
			return err
		}
	}
	if !to.HasPDQ && !to.HasSHA256 {
		return refused
	}
	for _, name := range []string{"quality", "pdq_quality"} {
		if raw, ok := e[name]; ok && string(raw) != "null" {
			return to.setQuality(raw)
		}
	}
	return nil
}

// placed knows on which line a place in what was read is, and reads no further ahead
// than it is allowed.
type placed struct {
	r       io.Reader
	read    int64
	allowed int64
	breaks  []int64 // places of line breaks that were not asked for yet
	line    int
	failed  error // what ended the reading, but for its end
}

func (p *placed) Read(b []byte) (int, error) {
	if left := p.allowed - p.read; left <= 0 {
		p.failed = &FormatError{p.line, fmt.Sprintf("an entry is longer than %d bytes", entryBytes)}
		return 0, p.failed
	} else if int64(len(b)) > left {
		b = b[:left]
	}
	n, err := p.r.Read(b)
	for i, c := range b[:n] {
		if c == '\n' {
			p.breaks = append(p.breaks, p.read+int64(i))
		}
	}
	p.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		p.failed = err
	}
	return n, err
}

// at is the line of a place, which is behind those that were asked for before.
func (p *placed) at(place int64) int {
	n := 0
	for n < len(p.breaks) && p.breaks[n] < place {
		n++
	}
	p.line += n
	p.breaks = p.breaks[n:]
	return p.line
}
