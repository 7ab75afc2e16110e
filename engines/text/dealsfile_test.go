package text

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestDealsFile reads the weights of the build, and has the network's word count for each kind.
func TestDealsFile(t *testing.T) {
	w, err := ReadWeighing(dealsJSON)
	if err != nil {
		t.Fatal(err)
	}
	for k := range w.Kinds {
		if w.Kinds[k].Weights[k] <= 0 {
			t.Errorf("what the network says of %s speaks against it: %.2f", KindOf(k), w.Kinds[k].Weights[k])
		}
	}
	for s := range DealSides {
		for k := range w.Suspects {
			if s.OfNetwork() && w.Suspects[k].Weights[s] != 0 {
				t.Errorf("%s is weighed before the network is asked", s)
			}
		}
	}
	again, err := WriteWeighing(w)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ReadWeighing(again); err != nil || !reflect.DeepEqual(back, w) {
		t.Errorf("written and read again: %+v, %v", back, err)
	}
}

// TestReadWeighingRefuses has files with something missing, something more, or cuts that make no
// sense refused, with a word on what.
func TestReadWeighingRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(f map[string]map[string]float64)
		want   string
	}{
		{func(f map[string]map[string]float64) { delete(f, "wrong") }, "wrong has no "},
		{func(f map[string]map[string]float64) { delete(f["spam"], "offer") }, "spam has no offer"},
		{func(f map[string]map[string]float64) { delete(f["cuts"], "raise") }, "cuts has no raise"},
		{func(f map[string]map[string]float64) { f["spam"]["more"] = 1 }, "unknown spam.more"},
		{func(f map[string]map[string]float64) { f["more"] = map[string]float64{} }, "unknown more"},
		{func(f map[string]map[string]float64) { f["cuts"]["raise"] = 0.3 }, "raise 0.3 must be"},
		{func(f map[string]map[string]float64) { f["cuts"]["lower"] = 0.9 }, "lower 0.9"},
		{func(f map[string]map[string]float64) { f["cuts"]["calm"] = -1 }, "calm -1"},
	} {
		file, err := WriteWeighing(plainWeighing())
		if err != nil {
			t.Fatal(err)
		}
		var f map[string]map[string]float64
		if err := json.Unmarshal(file, &f); err != nil {
			t.Fatal(err)
		}
		c.change(f)
		if file, err = json.Marshal(f); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadWeighing(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want one that says %q", err, c.want)
		}
	}
	if _, err := ReadWeighing(nil); err == nil {
		t.Error("no file is read")
	}
}
