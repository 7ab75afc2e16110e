package wire

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// Offset units of positions.
const (
	CodePoints = ""
	UTF16      = "utf16"
	UTF8       = "utf8"
)

// Limits are the bounds of requests; they are configuration, published at
// GET /api/v1/limits.
type Limits struct {
	TextCodePoints int
	BodyBytes      int
	LogEntries     int
	FrameBytes     int
	// Of batches, and what an app may have of them.
	BatchLines, BatchLineBytes, BatchFileLineBytes, BatchesAtOnce, BatchLinesADay int
	BatchBytes                                                                    int64
	// Of pictures: bytes, pixels of a frame, frames that are looked at.
	ImageBytes, ImagePixels, ImageFrames int
	// Of sounds: bytes, how long one may be, how many channels it may have.
	AudioBytes, AudioSeconds, AudioChannels int
}

// TextCheck is a check as asked for (service document, section 2.7): of a text, a name,
// a picture or a sound (Item.Media).
type TextCheck struct {
	Item   engines.Item
	Detail bool
	Async  bool
	Unit   string
	// Peaks asks for the waveform of a sound.
	Peaks bool
}

// ReadTextCheck reads a text check from a request body or a stream message.
// Only content is required; it may be empty. All faults come at once.
func ReadTextCheck(o *Object, lim Limits) (TextCheck, error) {
	text := o.Require("content")
	c := readTextCheck(o)
	c.Item.Text = text
	if err := o.Err(); err != nil {
		return c, err
	}
	return c, tooLong("/content", c.Item.Text, lim.TextCodePoints)
}

// readTextCheck reads what is said of a text beside the text.
func readTextCheck(o *Object) (c TextCheck) {
	c.Item.Kind = engines.KindText
	c.Item.Player = engines.PlayerID(o.ID("user_id", false))
	c.Item.Scene = engines.SceneID(o.ID("scene_id", false))
	c.Item.Session = engines.SessionID(o.ID("session_id", false))
	c.Item.Parent = engines.RequestID(o.ID("parent", false))
	c.Item.Segment = o.segment()
	c.Item.Region = o.ID("region", false)
	c.Item.Language = o.language()
	opts := o.Object("options")
	if level, ok := opts.Int("strict_level", 1, 5); ok {
		c.Item.StrictLevel = int(level)
	}
	c.Detail = opts.Bool("return_detail")
	c.Async = opts.Bool("async")
	if unit, _ := opts.Text("offset_unit"); unit == UTF16 || unit == UTF8 {
		c.Unit = unit
	} else if unit != "" && unit != "codepoint" {
		opts.Fault("offset_unit", "must be codepoint, utf16 or utf8")
	}
	return c
}

func tooLong(pointer, text string, most int) error {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return nil
	}
	e := Fail(TooLarge, "text too long")
	e.Fields = []Field{{pointer, "at most " + strconv.Itoa(most) + " code points"}}
	return e
}

// language reads a BCP 47 tag by its shape (RFC 5646 section 2.1: subtags of 1
// to 8 letters or digits); empty counts as absent.
func (o *Object) language() string {
	s, _ := o.Text("language")
	if s == "" {
		return ""
	}
	if len(s) > 35 {
		o.Fault("language", "must be a BCP 47 tag")
		return ""
	}
	for i, sub := range strings.Split(strings.ReplaceAll(s, "_", "-"), "-") {
		ok := len(sub) >= 1 && len(sub) <= 8
		for _, r := range sub {
			ok = ok && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9')
		}
		if !ok {
			o.Fault("language", "must be a BCP 47 tag")
			return ""
		}
	}
	return s
}

// appendUnacted appends what was found and nobody acts on, nothing for nil.
func appendUnacted(dst []byte, name string, found *engines.Finding) []byte {
	if found == nil {
		return dst
	}
	dst = appendString(append(append(append(dst, `,"`...), name...), `":{"suggestion":`...), string(found.Suggestion))
	return append(appendLabels(append(dst, `,"label":`...), found.Labels), '}')
}

// AppendTextResult appends the result object of a text check (section 2.8 of
// the service document): the members a caller may see, detail only when asked for.
func AppendTextResult(dst []byte, c *TextCheck, out *engines.Outcome) []byte {
	v := &out.Verdict
	dst = appendString(append(dst, `{"suggestion":`...), string(v.Suggestion))
	dst = appendString(append(dst, `,"action":`...), string(v.Action))
	dst = appendLabels(append(dst, `,"label":`...), v.Labels)
	if c.Detail && c.Item.Media == nil {
		dst = appendDetail(append(dst, `,"detail":`...), c.Item.Text, v.Hits, c.Unit)
	}
	if v.Observed != nil {
		dst = appendUnacted(dst, "observed", v.Observed)
	} else { // callers are not told which policy it is that they must not act on
		dst = appendUnacted(dst, "observed", v.Shadow)
	}
	if v.Action == engines.Mask {
		dst = appendString(append(dst, `,"content":`...), v.Masked)
	}
	if v.Warn {
		dst = append(dst, `,"warn":true`...)
	}
	if v.Observed == nil { // else callers must not act on it
		dst = Some(dst, "reason", v.Reason)
	}
	if v.Degraded {
		dst = append(dst, `,"degraded":true`...)
	}
	dst = appendSuggestions(dst, c, v)
	if out.CaseID != "" {
		dst = appendString(append(dst, `,"case_id":`...), string(out.CaseID))
	}
	if c.Item.Media != nil {
		if f := c.Item.Media.Facts(); f != nil {
			dst = appendMedia(append(dst, `,"media":`...), f, tell{words: true, peaks: c.Peaks})
		}
	}
	dst = appendString(append(dst, `,"mode":`...), string(v.Mode))
	dst = strconv.AppendInt(append(dst, `,"latency_ms":`...), out.Took.Milliseconds(), 10)
	return append(dst, '}')
}

func appendLabels(dst []byte, labels []engines.Label) []byte {
	dst = append(dst, '[')
	for i, l := range labels {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"category":`...), string(l.Category))
		dst = strconv.AppendFloat(append(dst, `,"confidence":`...), l.Confidence, 'g', 4, 64)
		if l.SubLabel != "" {
			dst = appendString(append(dst, `,"sub_label":`...), l.SubLabel)
		}
		dst = strconv.AppendInt(append(dst, `,"severity":`...), int64(l.Severity), 10)
		dst = appendString(append(dst, `,"source":`...), string(l.Source))
		dst = append(appendPlace(dst, l.Place), '}')
	}
	return append(dst, ']')
}

// appendDetail appends hit_keywords and positions: keyword i is the sent text at
// position i.
func appendDetail(dst []byte, text string, hits []engines.Span, unit string) []byte {
	at := offsets(text, hits)
	dst = append(dst, `{"hit_keywords":[`...)
	for i := range hits {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, text[at[i].Start:at[i].End])
	}
	dst = append(dst, `],"positions":`...)
	dst = appendSpans(dst, text, hits, at, unit)
	return append(dst, '}')
}

func appendSpans(dst []byte, text string, hits, at []engines.Span, unit string) []byte {
	dst = append(dst, '[')
	for i, h := range hits {
		if i > 0 {
			dst = append(dst, ',')
		}
		if unit != CodePoints { // else at may be nil
			h = inUnit(text, h, at[i], unit)
		}
		dst = strconv.AppendInt(append(dst, `{"start":`...), int64(h.Start), 10)
		dst = strconv.AppendInt(append(dst, `,"end":`...), int64(h.End), 10)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// offsets turns spans of code points into spans of bytes. Hits are sorted by
// start, so one walk serves all starts; an end is walked from its own start.
func offsets(text string, hits []engines.Span) []engines.Span {
	at := make([]engines.Span, len(hits))
	point, b := 0, 0
	for i, h := range hits {
		for point < h.Start && b < len(text) {
			_, n := utf8.DecodeRuneInString(text[b:])
			b, point = b+n, point+1
		}
		end := b
		for p := point; p < h.End && end < len(text); p++ {
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
		}
		at[i] = engines.Span{Start: b, End: end}
	}
	return at
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
