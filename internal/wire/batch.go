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

// BatchLine is one line of a batch: a check, and the name that its sender gave it.
type BatchLine struct {
	ID    string
	Check TextCheck
}

// batchKinds are what a line may be a check of.
var batchKinds = []engines.Kind{engines.KindText, engines.KindName, engines.KindImage, engines.KindAudio}

// ReadBatchLine reads a line: a check of a text or a name, with the fields of a text
// check, or of a picture or a sound, with those of its check in JSON. ID is set even where
// the error is not nil. options.async means nothing here.
func ReadBatchLine(o *Object, lim Limits) (l BatchLine, err error) {
	l.ID = o.ID("id", false)
	kind := engines.Kind(o.Require("kind"))
	switch kind {
	case engines.KindImage:
		l.Check, err = o.fileLine(lim.ImageBytes, ReadImageCheck)
	case engines.KindAudio:
		l.Check, err = o.fileLine(lim.AudioBytes, ReadAudioCheck)
	default:
		if kind != engines.KindText && kind != engines.KindName && o.Has("kind") {
			o.Fault("kind", "must be text, name, image or audio")
		}
		l.Check, err = ReadTextCheck(o, lim)
	}
	l.Check.Item.Kind, l.Check.Async = kind, false
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
