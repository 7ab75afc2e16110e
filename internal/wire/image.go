package wire

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// ReadImageCheck reads what is said of a picture: the meta part of a form, or a JSON
// body beside its content. All faults come at once. The picture itself is its caller's
// to read, and put into Item.Media.
func ReadImageCheck(o *Object) (TextCheck, error) {
	var c TextCheck
	c.Item.Kind = engines.KindImage
	c.Item.Player = engines.PlayerID(o.ID("user_id", false))
	c.Item.Scene = engines.SceneID(o.ID("scene_id", false))
	c.Item.Session = engines.SessionID(o.ID("session_id", false))
	c.Item.Segment = o.ID("segment", false)
	c.Item.Region = o.ID("region", false)
	c.Item.Language = o.language()
	c.Item.Media = &engines.Media{Use: o.use()}
	for _, name := range []string{"url", "image_url", "content_url"} {
		if o.Has(name) {
			o.Fault(name, "pictures are never fetched: send the file")
		}
	}
	opts := o.Object("options")
	if level, ok := opts.Int("strict_level", 1, 5); ok {
		c.Item.StrictLevel = int(level)
	}
	opts.Bool("return_detail") // of text; a picture's answer has all there is
	c.Async = opts.Bool("async")
	return c, o.Err()
}

// use reads what a picture is for, upload where it is not said.
func (o *Object) use() engines.Use {
	s, _ := o.Text("use")
	switch use := engines.Use(s); {
	case s == "":
		return engines.UseUpload
	case slices.Contains(engines.Uses, use):
		return use
	}
	names := make([]string, len(engines.Uses))
	for i, u := range engines.Uses {
		names[i] = string(u)
	}
	o.Fault("use", "must be one of "+strings.Join(names, ", "))
	return ""
}

// Base64 reads the bytes of a member in base64 (RFC 4648, section 4 or 5, padded or
// not), at most so many: more is 1005.
func (o *Object) Base64(name string, most int) ([]byte, error) {
	v, ok := o.get(name)
	switch {
	case !ok:
		o.Fault(name, "is required")
		return nil, nil
	case v.Kind() != '"':
		o.Fault(name, "must be a string")
		return nil, nil
	}
	raw, err := unquoted(v)
	if err != nil {
		o.Fault(name, "not valid UTF-8")
		return nil, nil //nolint:nilerr // it is among the body's faults now
	}
	text := strings.TrimRight(string(raw), "=")
	if base64.RawStdEncoding.DecodedLen(len(text)) > most {
		e := Fail(TooLarge, "content too large")
		e.Fields = []Field{{o.Pointer(name), "at most " + strconv.Itoa(most) + " bytes"}}
		return nil, e
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(text, "-_") {
		enc = base64.RawURLEncoding
	}
	out, err := enc.DecodeString(text)
	if err != nil {
		reason := "must be base64"
		if strings.HasPrefix(text, "data:") {
			reason = "must be base64 alone, not a data: URL"
		}
		o.Fault(name, reason)
		return nil, nil
	}
	return out, nil
}

// appendMedia appends what was learned of a picture.
func appendMedia(dst []byte, f *engines.MediaFacts) []byte {
	dst = appendString(append(dst, `{"format":`...), f.Format)
	dst = Num(Num(Num(dst, "width", int64(f.Width)), "height", int64(f.Height)), "frames", int64(f.Frames))
	if f.DurationMS > 0 {
		dst = Num(dst, "duration_ms", f.DurationMS)
	}
	dst = Str(dst, "sha256", hex.EncodeToString(f.SHA256[:]))
	if f.PDQ != [32]byte{} || f.PDQQuality > 0 {
		dst = Num(Str(dst, "pdq", hex.EncodeToString(f.PDQ[:])), "pdq_quality", int64(f.PDQQuality))
	}
	if f.Trailing > 0 {
		dst = Num(dst, "trailing_bytes", int64(f.Trailing))
	}
	dst = List(dst, "ocr", len(f.Text), func(dst []byte, i int) []byte {
		l := &f.Text[i]
		return appendPlace(Real(Str(dst, "text", l.Text), "confidence", l.Confidence), &l.Place)
	})
	dst = List(dst, "qr", len(f.Codes), func(dst []byte, i int) []byte {
		c := &f.Codes[i]
		return appendPlace(Str(Str(dst, "kind", c.Kind), "content", strings.ToValidUTF8(c.Content, "\ufffd")), &c.Place)
	})
	return append(dst, '}')
}

// appendPlace appends where something is: a box where it is not the whole, a time where
// the picture moves.
func appendPlace(dst []byte, p *engines.Place) []byte {
	if p == nil {
		return dst
	}
	if p.Box != [4]int{} {
		dst = append(dst, `,"box":[`...)
		for i, n := range p.Box {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
		dst = append(dst, ']')
	}
	if p.EndMS > 0 {
		dst = Num(Num(dst, "at_ms", p.AtMS), "end_ms", p.EndMS)
	}
	return dst
}
