package batch

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// A line is decided as its check by itself would be: a name with what the app keeps for
// itself and what the line says is taken; each field with a record of its own.
func TestNamesAndFields(t *testing.T) {
	h := furnish(t)
	asked := 0
	var seen []engines.Naming
	h.words.saw = func(item *engines.Item) {
		if item.Kind == engines.KindName {
			seen = append(seen, *item.Naming)
		}
	}
	s := h.service("one", func(_ *Config, d *Deps) {
		d.Reserved = func(_ context.Context, app engines.AppID) ([]string, error) {
			if asked++; asked == 1 {
				return nil, errors.New("the store is away")
			}
			return []string{string(app) + " staff"}, nil
		}
	})
	b := h.submit(s, store.BatchUpload{Body: body(
		`{"kind":"name","content":"Kevin","taken":["Kevln"],"options":{"min_length":2,"max_length":9}}`,
		`{"kind":"fields","user_id":"p","fields":{"name":{"content":"Crew","kind":"name"},"motto":"bad words","sign":"bad too"}}`,
		`{"kind":"text","content":"bad"}`,
	)})
	h.start(s)
	b = h.done(s, b)
	if b.Passed != 1 || b.Blocked != 2 || b.Errors != 0 || b.Done != 3 {
		t.Errorf("counts %+v, want one passed and two blocked lines", b)
	}
	own := []string{"game staff"}
	want := []engines.Naming{{Taken: []string{"Kevln"}, Min: 2, Max: 9, Reserved: own}, {Reserved: own}}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("names were asked about as %+v, want %+v", seen, want)
	}
	if asked != 2 {
		t.Errorf("reserved names were read %d times, want once for each try of the chunk", asked)
	}
	list := h.results(s, b, 0)
	of := list[1].Result
	if of.Suggestion != "block" || !slices.Equal(of.Flagged, []string{"motto", "sign"}) || len(of.Fields) != 3 || of.Fields["name"].Suggestion != "pass" {
		t.Errorf("fields: %+v", of)
	}
	for _, name := range of.Flagged {
		d, err := h.db.Decision(t.Context(), "game", of.Fields[name].Request)
		if err != nil || d.Player != "p" {
			t.Errorf("record of %s: %+v, %v", name, d, err)
		}
	}
}
