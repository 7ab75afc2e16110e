package voice

import (
	"math"
	"os"
	"testing"

	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// TestDecoderAsBefore holds the decoder, of which third_party/opus changes the innermost
// loops, to what github.com/pion/opus v0.1.0 as it was published gives for the same file.
func TestDecoderAsBefore(t *testing.T) {
	file, err := os.ReadFile("../../internal/bench/sounds/talk.opus")
	if err != nil {
		t.Fatal(err)
	}
	packets, err := caller.ReadOgg(file)
	if err != nil {
		t.Fatal(err)
	}
	dec, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	var all []float32
	squares := 0.0
	for _, p := range packets {
		sound, err := dec.decode(p.Data)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range sound {
			squares += float64(v) * float64(v)
		}
		all = append(all, sound...)
	}
	const samples, energy = 91520, 270.989127
	if len(all) != samples || math.Abs(squares-energy) > 1e-4*energy {
		t.Fatalf("%d samples whose squares are %v, want %d and %v", len(all), squares, samples, energy)
	}
	for _, c := range []struct {
		at   int
		want float64
	}{
		{4185, 0.34820557},
		{11786, 0.022491455},
		{19162, 0.022125244},
		{26709, 0.00012207031},
		{34510, 0.035369873},
		{42278, 0.0206604},
		{49942, 0.23352051},
		{57562, 0.14569092},
		{64963, 0.10519409},
		{72806, 0.152771},
		{80320, 0.29751587},
		{87802, 3.0517578e-05},
	} {
		if got := float64(all[c.at]); math.Abs(got-c.want) > 1e-5 { // a processor that fuses products and sums rounds otherwise
			t.Errorf("sample %d is %v, want %v", c.at, got, c.want)
		}
	}
}
