package wire

import (
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Batch is a batch as clients see it.
type Batch struct {
	ID                                      string
	App                                     engines.AppID
	State                                   string
	Lines                                   int
	Bytes                                   int64
	Done, Passed, Reviewed, Blocked, Errors int
	By                                      string
	Created, Started, Ended                 time.Time
}

// AppendBatch appends the members of a batch.
func AppendBatch(dst []byte, b *Batch) []byte {
	dst = Str(Str(Str(dst, "batch_id", b.ID), "status", b.State), "created_by", b.By)
	dst = Num(Num(Num(dst, "lines", int64(b.Lines)), "bytes", b.Bytes), "done", int64(b.Done))
	dst = Obj(dst, "counts", func(dst []byte) []byte {
		return Num(Num(Num(dst, "pass", int64(b.Passed)), "review", int64(b.Reviewed)), "block", int64(b.Blocked))
	})
	progress := 1.0
	if b.Lines > 0 {
		progress = float64(b.Done) / float64(b.Lines)
	}
	dst = strconv.AppendFloat(append(Num(dst, "errors", int64(b.Errors)), `,"progress":`...), progress, 'f', 4, 64)
	dst = When(dst, "created_at", b.Created)
	if !b.Started.IsZero() {
		dst = When(dst, "started_at", b.Started)
	}
	if !b.Ended.IsZero() {
		dst = When(dst, "ended_at", b.Ended)
	}
	return dst
}

// BatchLine is one line of a batch: a check, and the name that its sender gave it.
type BatchLine struct {
	ID    string
	Check TextCheck
}

// ReadBatchLine reads a line: a check of a text or a name, with the fields of a text
// check. ID is set even where the error is not nil. options.async means nothing here.
func ReadBatchLine(o *Object, lim Limits) (l BatchLine, err error) {
	l.ID = o.ID("id", false)
	kind := engines.Kind(o.Require("kind"))
	if kind != engines.KindText && kind != engines.KindName && o.Has("kind") {
		o.Fault("kind", "must be text or name")
	}
	l.Check, err = ReadTextCheck(o, lim)
	l.Check.Item.Kind, l.Check.Async = kind, false
	return l, err
}

// BatchLineID returns the id of a line, "" where it has none that could be read.
func BatchLineID(line []byte) string {
	o, err := Parse(line)
	if err != nil {
		return ""
	}
	return o.ID("id", false)
}

// AppendBatchResult appends the result of a line, a line break at its end.
func AppendBatchResult(dst []byte, line int, l *BatchLine, out *engines.Outcome) []byte {
	dst = appendBatchHead(dst, line, l.ID)
	dst = Str(dst, "request_id", string(out.RequestID))
	return append(AppendCheckResult(dst, &l.Check, out), '}', '\n')
}

// AppendBatchError appends what is wrong with a line, a line break at its end. The
// pointers are of places in the line.
func AppendBatchError(dst []byte, line int, id string, e *Error) []byte {
	dst = appendBatchHead(dst, line, id)
	return append(e.appendMembers(append(dst, `,"error":{`...)), '}', '}', '\n')
}

func appendBatchHead(dst []byte, line int, id string) []byte {
	dst = strconv.AppendInt(append(dst, `{"line":`...), int64(line), 10)
	return Some(dst, "id", id)
}
