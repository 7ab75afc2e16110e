package gateway

import (
	"errors"
	"strings"

	"github.com/portcullis-gg/portcullis/internal/wire"
)

// faults are what is wrong with the parameters of a query, all of it, as wire.Object has
// them of a body.
type faults struct {
	fields []wire.Field
	other  error // what is no fault of the caller's
}

func (f *faults) tell(name, reason string) {
	f.fields = append(f.fields, wire.Field{Pointer: name, Reason: reason})
}

// add takes the fault of one parameter, or nil.
func (f *faults) add(err error) {
	e := (*wire.Error)(nil)
	switch {
	case err == nil:
	case errors.As(err, &e) && e.Code == wire.InvalidParameter && len(e.Fields) > 0:
		f.fields = append(f.fields, e.Fields...)
	case f.other == nil:
		f.other = err
	}
}

// id reads an optional id of the query.
func (f *faults) id(c *call, name string) string {
	value, err := queryID(c, name, false)
	f.add(err)
	return value
}

// count reads an optional number of the query, at least 1.
func (f *faults) count(c *call, name string, usual, most int) int {
	n, err := queryCount(c, name, usual, most)
	f.add(err)
	return n
}

// part reads which part of a list is asked for.
func (f *faults) part(c *call) part {
	p, err := readPart(c)
	f.add(err)
	return p
}

// word reads an optional word of the query; "" and "all" are none.
func (f *faults) word(c *call, name string, words ...string) string {
	q := c.Query(name)
	if q == "" || q == "all" {
		return ""
	}
	for _, word := range words {
		if q == word {
			return word // q is the request's
		}
	}
	f.tell("?"+name, "must be "+strings.Join(words, ", ")+" or all")
	return ""
}

// oneOf reads one of some words, the first where nothing is said.
func (f *faults) oneOf(c *call, name string, words ...string) string {
	word, err := oneOf(c, name, words...)
	f.add(err)
	return word
}

// err is all of them as one error, nil where there are none.
func (f *faults) err() error {
	switch {
	case f.other != nil:
		return f.other
	case len(f.fields) > 0:
		e := wire.Invalid("", "")
		e.Fields = f.fields
		return e
	}
	return nil
}
