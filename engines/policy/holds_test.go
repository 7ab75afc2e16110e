package policy_test

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

// A layer holds for the items whose rules it has a part in, and for no others.
func TestHolds(t *testing.T) {
	layers := []policy.Layer{
		{Kind: policy.KindGlobal, Name: policy.GlobalName},
		{Kind: policy.KindRegion, Name: "jp", Settings: policy.Settings{Countries: []string{"nn"}}},
		{Kind: policy.KindRegion, Name: "lang:ja"},
		{Kind: policy.KindMode, Name: "board"},
		{Kind: policy.KindChannel, Name: "vip*", Settings: policy.Settings{GameMode: "board"}},
		{Kind: policy.KindSegment, Name: "minor"},
	}
	set, err := policy.Compile(policy.Config{}, layers, policy.Words{})
	if err != nil {
		t.Fatal(err)
	}
	all := engines.Item{Kind: engines.KindText, Scene: "vip-1", Region: "NN", Language: "ja-JP", Segment: "minor"}
	none := engines.Item{Kind: engines.KindText, Scene: "square"}
	for i := range layers {
		n := set.Number(layers[i].ID())
		if n == 0 {
			t.Fatalf("%s has no number", layers[i].ID())
		}
		if !set.Holds(&all, n) {
			t.Errorf("%s does not hold for an item of all layers", layers[i].ID())
		}
		if got, want := set.Holds(&none, n), layers[i].Kind == policy.KindGlobal; got != want {
			t.Errorf("%s holds for an item of none: %v, want %v", layers[i].ID(), got, want)
		}
	}
	if n := set.Number("channel/none"); n != 0 || set.Holds(&none, n) {
		t.Errorf("a layer that is not there has number %d", n)
	}
	if n := testing.AllocsPerRun(100, func() { set.Holds(&all, 1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
