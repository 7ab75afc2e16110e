// Package table holds the words for figures in rows and columns: what is asked for,
// the answer, and its form as CSV. It knows nothing of where figures come from.
package table

import (
	"fmt"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Query asks for figures of an app over [From, To).
type Query struct {
	App      engines.AppID
	From, To time.Time
	Step     time.Duration // an hour, a day, or 0 for one figure over all of it
	By       []string      // what to tell apart, beside what the figures are told apart by anyway
	Where    map[string][]string
	// Top is how many things stand by their name; the rest are "other". 0: all.
	Top int
	// Compare puts the figures of the period before beside them.
	Compare bool
}

// Answer is what comes back: the period as it was read, whole hours or days, and
// tables, the chief one first.
type Answer struct {
	From, To time.Time
	Step     time.Duration
	Tables   []Table
}

// Table is figures by row. Single tables have one row.
type Table struct {
	ID      string
	Single  bool
	Columns []string
	Rows    [][]Value
}

// Kind is what a Value is.
type Kind uint8

// The kinds.
const (
	None Kind = iota // there is none: a share of nothing
	IsText
	IsInt
	IsReal
	IsTime
)

// Value is one figure or name.
type Value struct {
	Kind Kind
	Text string
	Int  int64 // of a time: epoch ms
	Real float64
}

// Text makes a name.
func Text(s string) Value { return Value{Kind: IsText, Text: s} }

// Int makes a count.
func Int(n int64) Value { return Value{Kind: IsInt, Int: n} }

// Real makes a figure.
func Real(x float64) Value { return Value{Kind: IsReal, Real: x} }

// At makes a time from epoch ms.
func At(ms int64) Value { return Value{Kind: IsTime, Int: ms} }

// Share is part of whole, None where there is no whole.
func Share(part, whole int64) Value {
	if whole == 0 {
		return Value{}
	}
	return Real(float64(part) / float64(whole))
}

// Change is how much more than before it is: 0.5 is half as much again; None where
// there was nothing before.
func Change(now, before int64) Value {
	if before == 0 {
		return Value{}
	}
	return Real(float64(now)/float64(before) - 1)
}

// Time is the value's time in UTC.
func (v Value) Time() time.Time { return time.UnixMilli(v.Int).UTC() }

// String is the value as CSV has it: "" for none, times as ISO 8601 in UTC.
func (v Value) String() string {
	switch v.Kind {
	case IsText:
		return v.Text
	case IsInt:
		return strconv.FormatInt(v.Int, 10)
	case IsReal:
		return strconv.FormatFloat(v.Real, 'g', 6, 64)
	case IsTime:
		return v.Time().Format("2006-01-02T15:04:05Z")
	case None:
	}
	return ""
}

// Fault is something in a Query that cannot be answered.
type Fault struct{ Param, Reason string }

func (f *Fault) Error() string { return fmt.Sprintf("?%s: %s", f.Param, f.Reason) }
