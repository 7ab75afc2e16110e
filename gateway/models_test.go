package gateway

import (
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// fakeModels has one model of each kind of state.
type fakeModels struct{}

func (fakeModels) Models() ModelReport {
	return ModelReport{
		Runtime: "ONNX Runtime 1", Folder: "/srv/secret/place",
		Models: []ModelStatus{
			{
				ID: "a", Kind: "image", Name: "A", Version: "1", Package: "npm:a@1", Licence: "MIT", State: "loaded",
				Files:   []ModelFile{{Name: "a.onnx", SHA256: "00", Bytes: 7}},
				Detects: []ModelAbility{{Category: engines.Nudity, SubLabel: "drawn", What: "w"}},
			},
			{ID: "b", State: "missing", Reason: "not fetched"},
		},
		Categories: []ModelCoverage{{Category: engines.Nudity, What: "n", By: []string{"a"}}, {Category: engines.Extremism, What: "e", Besides: "banks"}},
	}
}

func TestModels(t *testing.T) {
	d := open(t)
	a := d.signedGet("/models")
	if a.status != 200 {
		t.Fatalf("models: %d %s", a.status, a.body)
	}
	const want = `"runtime":"ONNX Runtime 1","models":[` +
		`{"id":"a","kind":"image","name":"A","version":"1","package":"npm:a@1","licence":"MIT","origin":"","state":"loaded","reason":"","limits":"",` +
		`"files":[{"name":"a.onnx","sha256":"00","bytes":7}],"detects":[{"category":"nudity","sub_label":"drawn","what":"w"}]},` +
		`{"id":"b","kind":"","name":"","version":"","package":"","licence":"","origin":"","state":"missing","reason":"not fetched","limits":"","files":[],"detects":[]}],` +
		`"categories":[{"category":"nudity","what":"n","state":"model","besides":"","models":["a"]},{"category":"extremism","what":"e","state":"no_model","besides":"banks","models":[]}]`
	if got := string(a.body); !strings.Contains(got, want) || strings.Contains(got, "/srv/") {
		t.Errorf("models = %s, want %s in it, and no folder", got, want)
	}
	if a := d.send("GET", "/api/v1/models", ""); a.status != 401 {
		t.Errorf("models without a signature: %d", a.status)
	}
}
