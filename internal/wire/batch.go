package wire

import (
	"slices"
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

// BatchLine is one line of a batch: a check, and the name that its sender gave it. Of the
// fields of one thing there is a check each, in Fields, and Check is empty.
type BatchLine struct {
	ID     string
	Check  TextCheck
	Fields []FieldCheck
}

// Len is how many checks a line has: one, or one of each field.
func (l *BatchLine) Len() int {
	if l.Fields != nil {
		return len(l.Fields)
	}
	return 1
}

// At is check i of a line.
func (l *BatchLine) At(i int) *TextCheck {
	if l.Fields != nil {
		return &l.Fields[i].Check
	}
	return &l.Check
}

// batchKinds are what a line may be a check of.
var batchKinds = []engines.Kind{engines.KindText, engines.KindName, batchFields, engines.KindImage, engines.KindAudio}

// batchFields is what a line calls itself that is a check of the fields of one thing.
const batchFields engines.Kind = "fields"

// ReadBatchLine reads a line: the body of the check that its kind names, of a picture or
// a sound as it is in JSON. ID is set even where the error is not nil. options.async means
// nothing here, and is a fault of fields as it is there.
func ReadBatchLine(o *Object, lim Limits) (l BatchLine, err error) {
	l.ID = o.ID("id", false)
	switch kind := engines.Kind(o.Require("kind")); kind {
	case engines.KindImage:
		l.Check, err = o.fileLine(lim.ImageBytes, ReadImageCheck)
	case engines.KindAudio:
		l.Check, err = o.fileLine(lim.AudioBytes, ReadAudioCheck)
	case engines.KindName:
		l.Check, err = ReadNameCheck(o, lim)
	case batchFields:
		l.Fields, err = ReadFieldsCheck(o, lim)
	default:
		if kind != engines.KindText && o.Has("kind") {
			o.Fault("kind", "must be text, name, fields, image or audio")
		}
		l.Check, err = ReadTextCheck(o, lim)
	}
	l.Check.Async = false
	return l, err
}

// fileLine reads the check of a file of so many bytes at most, and the file.
func (o *Object) fileLine(most int, read func(*Object) (TextCheck, error)) (TextCheck, error) {
	file, err := o.Base64("content_base64", most)
	if err != nil {
		return TextCheck{}, err
	}
	claim, _ := o.Text("content_type")
	c, err := read(o)
	c.Item.Media.Bytes, c.Item.Media.Type = file, claim
	return c, err
}

// BatchLineHead returns the id of a line and what it is a check of, each "" where that
// is not said or could not be read.
func BatchLineHead(line []byte) (id string, kind engines.Kind) {
	o, err := Parse(line)
	if err != nil {
		return "", ""
	}
	name, _ := o.Text("kind")
	if k := engines.Kind(name); slices.Contains(batchKinds, k) {
		kind = k
	}
	return o.ID("id", false), kind
}

// AppendBatchResult appends the result of a line, a line break at its end; outcome i is
// of check i of it. With fields each of them has a request_id of its own.
func AppendBatchResult(dst []byte, line int, l *BatchLine, outcomes []engines.Outcome) []byte {
	dst = appendBatchHead(dst, line, l.ID)
	if l.Fields != nil {
		dst = AppendFieldsResult(dst, l.Fields, outcomes)
	} else {
		dst = AppendCheckResult(Str(dst, "request_id", string(outcomes[0].RequestID)), &l.Check, &outcomes[0])
	}
	return append(dst, '}', '\n')
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
