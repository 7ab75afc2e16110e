package dispatch

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// TestResultCarriesEverything fails where an engine learns or finds something that a
// reply would drop on its way.
func TestResultCarriesEverything(t *testing.T) {
	err := quick.Check(func(want result) bool {
		clean(reflect.ValueOf(&want).Elem())
		body, err := json.Marshal(&want)
		if err != nil {
			t.Fatal(err)
		}
		var got result
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a reply changed (-sent +read):\n%s", diff)
			return false
		}
		return true
	}, &quick.Config{MaxCount: 50})
	if err != nil {
		t.Error(err)
	}
}

// clean makes what quick filled in be what engines return: valid UTF-8, and nil where
// there is nothing.
func clean(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.ToValidUTF8(v.String(), "?"))
	case reflect.Pointer:
		if !v.IsNil() {
			clean(v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			clean(v.Index(i))
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			clean(f)
		}
	default:
	}
}

func TestJobForm(t *testing.T) {
	item := &engines.Item{
		RequestID: "r", App: "a", Player: "secret", Scene: "secret", Session: "secret", To: "secret", Kind: engines.KindImage, Text: "caption", Language: "ja", StrictLevel: 4,
		Segment: "kids", Region: "jp", Media: &engines.Media{Bytes: []byte{0xff, 0xd8}, Type: "image/jpeg", Use: engines.UseAvatar},
	}
	meta, payload, err := write(item)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(meta), "secret") {
		t.Errorf("the job names who sent it where: %s", meta)
	}
	got, err := read(&store.JobWork{Job: store.Job{Kind: engines.KindImage, Version: version, Meta: meta, Payload: payload}})
	if err != nil {
		t.Fatal(err)
	}
	want := *item
	want.Player, want.Scene, want.Session, want.To = "", "", "", ""
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("read(write(item)) = %+v, want %+v", *got, want)
	}
	window := &engines.Item{Kind: engines.KindAudio, Media: &engines.Media{Bytes: []byte("OggS"), Sound: &engines.Sound{OffsetMS: 60_000, ClipMS: 50_000, Partial: true}}}
	if meta, payload, err = write(window); err != nil {
		t.Fatal(err)
	}
	if got, err = read(&store.JobWork{Job: store.Job{Kind: engines.KindAudio, Version: version, Meta: meta, Payload: payload}}); err != nil || !reflect.DeepEqual(got, window) {
		t.Errorf("a window of a call came as %+v, %v", got, err)
	}
	for what, w := range map[string]store.Job{
		"another version": {Version: version + 1, Meta: meta},
		"no job":          {Version: version, Meta: []byte("{")},
	} {
		if _, err := read(&store.JobWork{Job: w}); err == nil {
			t.Errorf("read of %s: no error", what)
		}
	}
}
