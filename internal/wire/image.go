package wire

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// ReadImageCheck reads what is said of a picture: the meta part of a form, or a JSON
// body beside its content. All faults come at once. The picture itself is its caller's
// to read, and put into Item.Media.
func ReadImageCheck(o *Object) (TextCheck, error) {
	c := o.mediaCheck(engines.KindImage, engines.Uses, engines.UseUpload)
	o.neverFetched("pictures", "url", "image_url", "content_url")
	opts := o.Object("options")
	opts.Bool("return_detail") // of text; a picture's answer has all there is
	return c, o.Err()
}

// ReadAudioCheck is the same of a sound.
func ReadAudioCheck(o *Object) (TextCheck, error) {
	c := o.mediaCheck(engines.KindAudio, engines.SoundUses, engines.UseClip)
	o.neverFetched("sounds", "url", "audio_url", "content_url")
	opts := o.Object("options")
	opts.Bool("return_detail") // as above
	c.Peaks = opts.Bool("return_peaks")
	return c, o.Err()
}

// mediaCheck reads what is said of a file of any kind.
func (o *Object) mediaCheck(kind engines.Kind, uses []engines.Use, use engines.Use) (c TextCheck) {
	c.Item.Kind = kind
	c.Item.Player = engines.PlayerID(o.ID("user_id", false))
	c.Item.Scene = engines.SceneID(o.ID("scene_id", false))
	c.Item.Session = engines.SessionID(o.ID("session_id", false))
	c.Item.Segment = o.ID("segment", false)
	c.Item.Region = o.ID("region", false)
	c.Item.Language = o.language()
	c.Item.Media = &engines.Media{Use: o.use(uses, use)}
	opts := o.Object("options")
	if level, ok := opts.Int("strict_level", 1, 5); ok {
		c.Item.StrictLevel = int(level)
	}
	c.Async = opts.Bool("async")
	return c
}

// neverFetched faults the members that would name an address.
func (o *Object) neverFetched(things string, names ...string) {
	for _, name := range names {
		if o.Has(name) {
			o.Fault(name, things+" are never fetched: send the file")
		}
	}
}

// use reads what a file is for, usual where it is not said.
func (o *Object) use(uses []engines.Use, usual engines.Use) engines.Use {
	s, _ := o.Text("use")
	switch use := engines.Use(s); {
	case s == "":
		return usual
	case slices.Contains(uses, use):
		return use
	}
	names := make([]string, len(uses))
	for i, u := range uses {
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
