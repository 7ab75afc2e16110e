package wire

import (
	"strconv"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/name"
)

// mostSize bounds what an app may ask of a name's length.
const mostSize = 256

// ReadNameCheck reads a check of a name: the fields of a text check, the names that
// are taken, and in its options how long a name may be.
func ReadNameCheck(o *Object, lim Limits) (TextCheck, error) {
	ask := engines.Naming{Taken: o.IDs("taken", name.MostTaken)}
	opts := o.Object("options")
	if n, ok := opts.Int("min_length", 1, mostSize); ok {
		ask.Min = int(n)
	}
	if n, ok := opts.Int("max_length", 1, mostSize); ok {
		ask.Max = int(n)
	}
	if ask.Max > 0 && ask.Min > ask.Max {
		opts.Fault("min_length", "must not be above max_length")
	}
	c, err := ReadTextCheck(o, lim)
	c.Item.Kind, c.Item.Naming = engines.KindName, &ask
	return c, err
}

// appendSuggestions says what of a name that was not let through is to be changed.
func appendSuggestions(dst []byte, c *TextCheck, v *engines.Verdict) []byte {
	if c.Item.Kind != engines.KindName || v.Suggestion == engines.Pass {
		return dst
	}
	list := name.Suggest(c.Item.Text, c.Item.Naming, v.Hits, c.Item.Language)
	spans := make([]engines.Span, len(list))
	for i := range list {
		spans[i] = list[i].Span
	}
	at := offsets(c.Item.Text, spans)
	dst = append(dst, `,"suggestions":[`...)
	for i := range list {
		s := &list[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		span := inUnit(c.Item.Text, s.Span, at[i], c.Unit)
		dst = appendString(append(dst, `{"reason":`...), string(s.Reason))
		dst = strconv.AppendInt(append(dst, `,"start":`...), int64(span.Start), 10)
		dst = strconv.AppendInt(append(dst, `,"end":`...), int64(span.End), 10)
		dst = appendString(append(dst, `,"part":`...), c.Item.Text[at[i].Start:at[i].End])
		dst = appendString(append(dst, `,"text":`...), s.Text)
		dst = append(appendString(append(dst, `,"language":`...), s.Language), '}')
	}
	return append(dst, ']')
}

// inUnit is a span of code points in the unit that was asked for; at is the same in bytes.
func inUnit(text string, span, at engines.Span, unit string) engines.Span {
	switch unit {
	case UTF8:
		return at
	case UTF16:
		return engines.Span{Start: utf16Len(text[:at.Start]), End: utf16Len(text[:at.End])}
	}
	return span
}
