package wire

import (
	"bytes"
	"fmt"
	"math"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Document is a part of a policy as it came: JSON or YAML, which who keeps policies
// reads.
type Document struct {
	Layer, Name string
	Body        []byte
	Remove      bool
}

// document reads a member that is an object, or a text with YAML in it.
func (o *Object) document(name string, d *Document) {
	d.Remove = o.Bool("remove")
	v, ok := o.get(name)
	switch {
	case ok && d.Remove:
		o.Fault(name, "is not for what is removed")
	case !ok && !d.Remove:
		o.Fault(name, "is required, or remove")
	case !ok:
	case v.Kind() == '"':
		text, _ := o.Text(name)
		d.Body = []byte(text)
	case v.Kind() == '{':
		d.Body = bytes.Clone(v)
	default:
		o.Fault(name, "must be an object, or a text with YAML in it")
	}
}

const documentsAtMost = 64

// ReadDrafts reads the member policy: {layer, name, body or remove}, or {layers} with
// several of them. It returns where each of them stands.
func ReadDrafts(o *Object) (list []Document, at []string) {
	if !o.Has("policy") {
		o.Fault("policy", "is required")
		return nil, nil
	}
	in := o.part("policy")
	if !in.Has("layers") {
		return []Document{in.draft()}, []string{in.place()}
	}
	err := in.Each("layers", documentsAtMost, func(_ int, one *Object) {
		list, at = append(list, one.draft()), append(at, one.place())
	})
	if err != nil {
		in.Fault("layers", fmt.Sprintf("at most %d", documentsAtMost))
	}
	return list, at
}

func (o *Object) draft() Document {
	d := Document{Layer: o.ID("layer", true), Name: o.ID("name", true)}
	o.document("body", &d)
	return d
}

// RolloutRequest begins a rollout.
type RolloutRequest struct {
	Document
	Tests   []PolicyTest
	Bounds  *Bounds
	Comment string
}

// PolicyTest is a line of a test set.
type PolicyTest struct {
	Content, Language string
	Scene             engines.SceneID
	Kind              engines.Kind
	Region, Segment   string
	Suggestion        engines.Suggestion
	Category          engines.Category
}

// Bounds are those of a rollout.
type Bounds struct {
	Block, Review Bound
	Least         int64
}

// Bound is by how much two shares may differ.
type Bound struct{ Absolute, Relative float64 }

const commentAtMost = 2000

// ReadRollout reads a rollout. Its error has every fault of its shape; what is wrong
// with the policy is for who keeps policies.
func ReadRollout(o *Object, most int) (RolloutRequest, error) {
	r := RolloutRequest{Comment: o.short("comment", commentAtMost)}
	o.document("body", &r.Document)
	err := o.Each("tests", most, func(_ int, in *Object) {
		expect := in.part("expect")
		t := PolicyTest{
			Content: in.Require("content"), Language: in.language(), Scene: engines.SceneID(in.ID("scene_id", false)),
			Kind: in.kind(textKinds), Region: in.ID("region", false), Segment: in.segment(),
			Suggestion: engines.Suggestion(expect.oneOf("suggestion", suggestionNames)), Category: engines.Category(expect.ID("category", false)),
		}
		if t.Suggestion == "" && t.Category == "" {
			in.Fault("expect", "names a suggestion, a category or both")
		}
		r.Tests = append(r.Tests, t)
	})
	if err != nil {
		return r, err
	}
	if o.Has("bounds") {
		in := o.part("bounds")
		r.Bounds = &Bounds{Block: in.bound("block"), Review: in.bound("review")}
		r.Bounds.Least, _ = in.Int("least", 1, math.MaxInt32)
		if r.Bounds.Least == 0 {
			r.Bounds.Least = leastUsual
		}
	}
	return r, o.Err()
}

// leastUsual is from how many decisions a bound counts where a rollout does not say.
const leastUsual = 200

var suggestionNames = []string{string(engines.Pass), string(engines.Review), string(engines.Block)}

func (o *Object) bound(name string) Bound {
	in := o.part(name)
	var b Bound
	b.Absolute, _ = in.Float("absolute", 0, 1)
	b.Relative, _ = in.Float("relative", 0, math.MaxFloat64)
	if in.Has("relative") && b.Relative < 1 && b.Relative != 0 {
		in.Fault("relative", "is a factor, at least 1; 0 for none")
	}
	return b
}

// textKinds are those of content that is text, contentKinds all of them.
var (
	textKinds    = []string{string(engines.KindText), string(engines.KindName)}
	contentKinds = append(textKinds[:2:2], string(engines.KindImage), string(engines.KindAudio), string(engines.KindVideo))
)

// kind reads a kind of content; absent is text.
func (o *Object) kind(of []string) engines.Kind {
	if k := engines.Kind(o.oneOf("kind", of)); k != "" {
		return k
	}
	return engines.KindText
}

// Asked is an item that somebody asks a policy about.
type Asked struct {
	Item engines.Item
	// From and To are a time whose decisions are meant instead, epoch ms; Period is set
	// where one of them is given.
	From, To int64
	Period   bool
}

// ReadAsked reads what a policy is asked about: what an item is like, its content where
// wanted is set, or a time.
func ReadAsked(o *Object, app engines.AppID, now time.Time, wanted bool) (a Asked) {
	a.Period = wanted && (o.Has("from") || o.Has("to"))
	if a.Period {
		a.From, a.To = o.date("from"), o.date("to")
		if o.Has("content") {
			o.Fault("content", "is not for a time")
		}
		return a
	}
	kinds := contentKinds
	if wanted {
		kinds = textKinds
	}
	a.Item = engines.Item{
		App: app, Kind: o.kind(kinds), Player: engines.PlayerID(o.ID("player_id", false)), Scene: engines.SceneID(o.ID("scene_id", false)),
		Language: o.language(), Region: o.ID("region", false), Segment: o.segment(), StrictLevel: o.count("strict_level", 1, 5), ReceivedAt: now,
	}
	if !wanted {
		a.Item.Media = o.askedMedia(a.Item.Kind)
	}
	if at := o.date("at"); at > 0 {
		a.Item.ReceivedAt = time.UnixMilli(at)
	}
	if wanted {
		a.Item.Text = o.Require("content")
	}
	return a
}

// askedMedia is a file of a kind without its bytes, nil where the kind has none: what it is
// for says which game mode holds.
func (o *Object) askedMedia(kind engines.Kind) *engines.Media {
	switch kind {
	case engines.KindImage:
		return &engines.Media{Use: o.use(engines.Uses, engines.UseUpload)}
	case engines.KindAudio:
		return &engines.Media{Use: o.use(engines.SoundUses, engines.UseClip)}
	default:
		if o.Has("use") {
			o.Fault("use", "is for kinds image and audio")
		}
		return nil
	}
}

// OrderRequest is what somebody wants of a rollout.
type OrderRequest struct {
	Why      string
	From, To int64
}

// ReadOrder reads a step of a rollout.
func ReadOrder(o *Object) (OrderRequest, error) {
	r := OrderRequest{Why: o.short("reason", commentAtMost), From: o.date("from"), To: o.date("to")}
	return r, o.Err()
}

// ReadReturn reads which version is to hold again, and why.
func ReadReturn(o *Object) (version int, comment string, err error) {
	if !o.Has("version") {
		o.Fault("version", "is required")
	}
	version = o.count("version", 1, math.MaxInt32)
	return version, o.short("comment", commentAtMost), o.Err()
}

// Tell adds a fault at a pointer that is known already.
func (o *Object) Tell(pointer, reason string) { *o.faults = append(*o.faults, Field{pointer, reason}) }
