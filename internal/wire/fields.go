package wire

import (
	"strconv"

	"github.com/portcullis-gg/portcullis/engines"
)

// MostFields bounds how many fields one thing may have.
const MostFields = 32

// FieldCheck is one field of a thing that has several: a guild's name, its motto, a sign.
type FieldCheck struct {
	Name  string
	Check TextCheck
}

// ReadFieldsCheck reads a check of the named fields of one thing, each of which is a
// text of its own, or a name. What else a text check says holds for all of them; a field
// may name a scene, whose rules are then its own. All faults come at once.
func ReadFieldsCheck(o *Object, lim Limits) (list []FieldCheck, err error) {
	fields := o.Object("fields")
	switch {
	case fields == nil && !o.Has("fields"):
		o.Fault("fields", "is required")
	case fields != nil && len(fields.members) == 0:
		o.Fault("fields", "must have a field")
	case fields != nil && len(fields.members) > MostFields:
		return nil, tooMany("/fields", MostFields)
	}
	all := readTextCheck(o)
	if all.Async {
		o.Object("options").Fault("async", "is not for fields")
	}
	if fields != nil {
		for i := range fields.members {
			list = append(list, readField(fields, string(fields.members[i].name), all))
		}
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	for i := range list {
		if err := tooLong(fields.Pointer(list[i].Name), list[i].Check.Item.Text, lim.TextCodePoints); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readField reads a field: its text, or an object that says more of it.
func readField(fields *Object, name string, all TextCheck) FieldCheck {
	f := FieldCheck{Name: name, Check: all}
	item := &f.Check.Item
	if !ValidID(name) {
		fields.Fault(name, "a field's name must be 1 to 128 bytes without control characters")
	}
	v, there := fields.get(name)
	if !there { // null: a field that is not filled in
		return f
	}
	if v.Kind() != '{' {
		item.Text, _ = fields.Text(name)
		return f
	}
	in := fields.Object(name)
	if in == nil { // a fault that is noted
		return f
	}
	item.Text = in.Require("content")
	if scene := in.ID("scene_id", false); scene != "" {
		item.Scene = engines.SceneID(scene)
	}
	switch kind, _ := in.Text("kind"); engines.Kind(kind) {
	case "", engines.KindText:
	case engines.KindName:
		item.Kind, item.Naming = engines.KindName, &engines.Naming{}
	default:
		in.Fault("kind", "must be text or name")
	}
	return f
}

func tooMany(pointer string, most int) error {
	e := Fail(TooLarge, "too many fields")
	e.Fields = []Field{{pointer, "at most " + strconv.Itoa(most)}}
	return e
}

// AppendFieldsResult appends the result of a thing's fields: what is gravest of them, and
// each by its name. Outcome i is of field i.
func AppendFieldsResult(dst []byte, list []FieldCheck, outcomes []engines.Outcome) []byte {
	worst := 0
	for i := range outcomes {
		if graver(&outcomes[i].Verdict, &outcomes[worst].Verdict) {
			worst = i
		}
	}
	v := &outcomes[worst].Verdict
	dst = appendString(append(dst, `,"result":{"suggestion":`...), string(v.Suggestion))
	dst = appendString(append(dst, `,"action":`...), string(v.Action))
	dst = append(dst, `,"flagged":[`...)
	flagged := 0
	for i := range list {
		if len(outcomes[i].Verdict.Labels) == 0 && outcomes[i].Verdict.Suggestion == engines.Pass {
			continue
		}
		if flagged++; flagged > 1 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, list[i].Name)
	}
	dst = append(dst, `],"fields":{`...)
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, list[i].Name), `:{"request_id":`...)
		dst = append(appendString(dst, string(outcomes[i].RequestID)), ',')
		at := len(dst)
		dst = AppendTextResult(dst, &list[i].Check, &outcomes[i])
		dst = append(dst[:at], dst[at+1:]...) // the brace that is open already
	}
	return append(dst, '}', '}')
}

// graver orders verdicts by what is suggested, then by what becomes of the content.
func graver(a, b *engines.Verdict) bool {
	if a.Suggestion != b.Suggestion {
		return a.Suggestion.Rank() > b.Suggestion.Rank()
	}
	return keptBack[a.Action] > keptBack[b.Action]
}

var keptBack = map[engines.Action]int{engines.Mask: 1, engines.Hold: 2, engines.Drop: 3}
