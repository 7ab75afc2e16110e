package text

import "testing"

// TestSuspicion: the network is asked where a deal of any kind is suspected, whatever the others say.
func TestSuspicion(t *testing.T) {
	for k := range Kinds {
		w := plainWeighing()
		w.Suspects = [Kinds]DealBlend{{Constant: -9}, {Constant: -9}, {Constant: -9}}
		heard := &dealer{answers: surely(DealSide(k))}
		e := dealing(t, heard, w)
		heardOf(t, e, hintedLine)
		if heard.asked != 0 {
			t.Fatalf("%s: asked where nothing is suspected", KindOf(k))
		}
		w.Suspects[k].Constant = 9
		heardOf(t, e, hintedLine)
		if heard.asked != 1 {
			t.Errorf("%s alone is suspected, and the network was asked %d times", KindOf(k), heard.asked)
		}
	}
}
