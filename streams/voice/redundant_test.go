package voice

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every third packet of twice.opus is lost (opusenc --bitrate 24 --set-ctl-int 4012=1
// --expect-loss 15, flite's slt): what the next one says of it is far nearer to it than
// what is made up, and what comes after is as if less had been lost.
func TestRedundant(t *testing.T) {
	whole, told, guessed := opusOf(t), opusOf(t), opusOf(t)
	var packets [][]byte
	var was [][]float32
	for _, p := range read(t, "twice.opus") {
		packets, was = append(packets, p.Data), append(was, decoded(t, whole, p.Data))
	}
	var lost, byTold, byGuess, next, nextTold, nextGuess float64
	var last []float32
	n := 0
	for i, p := range packets {
		if i%3 == 2 {
			continue
		}
		var again []float32
		if i%3 == 0 && i > 0 {
			again = slices.Clone(told.earlier(p))
		}
		sound, blind := decoded(t, told, p), decoded(t, guessed, p)
		if again != nil {
			n++
			made := make([]float32, len(again))
			mend(made, last, blind)
			lost, byTold, byGuess = lost+energyOf(was[i-1]), byTold+apart(was[i-1], again), byGuess+apart(was[i-1], made)
			next, nextTold, nextGuess = next+energyOf(was[i]), nextTold+apart(was[i], sound), nextGuess+apart(was[i], blind)
		}
		last = append(last, blind...)
	}
	if n < len(packets)/5 {
		t.Fatalf("%d of %d packets say what was before", n, len(packets))
	}
	if a, b := decibel(lost, byTold), decibel(lost, byGuess); a < 8 || a < b+5 {
		t.Errorf("what was lost: %.1f dB above the error as it was told, %.1f dB made up", a, b)
	}
	if a, b := decibel(next, nextTold), decibel(next, nextGuess); a < b+5 {
		t.Errorf("what came next: %.1f dB above the error, %.1f dB without", a, b)
	}
}

// What isn't a packet of one voice and 20 ms that tells of the one before is none.
func TestNotRedundant(t *testing.T) {
	for name, p := range map[string][]byte{
		"empty": {}, "short": {silkWide << 3}, "two channels": {silkWide<<3 | 4, 0xff, 1}, "two frames": {silkWide<<3 | 1, 0xff, 1},
		"40 ms": {10 << 3, 0xff, 1}, "narrow": {1 << 3, 0xff, 1}, "CELT": {31 << 3, 0xff, 1}, "once": {silkWide << 3, 0xbf, 1},
	} {
		if r := redundant(nil, p); r != nil {
			t.Errorf("%s: % x", name, r)
		}
	}
	p := []byte{silkWide << 3, 0x7f, 3, 4}
	if r := redundant(nil, p); !slices.Equal(r, []byte{fullHybrid << 3, 0xbf, 3, 4}) || p[1] != 0x7f {
		t.Errorf("% x of % x", r, p)
	}
}

// No packet, however it says what was before, stops the decoder.
func FuzzEarlier(f *testing.F) {
	f.Add([]byte{silkWide << 3, 0xff, 0x12, 0x34})
	f.Add([]byte{fullHybrid << 3, 0x7f})
	f.Fuzz(func(t *testing.T, p []byte) {
		o := opusOf(t)
		if got := o.earlier(p); len(got) > 320 {
			t.Errorf("%d samples", len(got))
		}
		if _, err := o.decode(silence); err != nil {
			t.Error("after it: ", err)
		}
	})
}

func TestMend(t *testing.T) {
	vowel := make([]float32, 1600)
	for i := range vowel {
		at := 2 * math.Pi * 130 * float64(i) / 16000
		vowel[i] = float32(0.3*math.Sin(at) + 0.2*math.Sin(3*at+1) + 0.1*math.Sin(9*at))
	}
	for _, n := range []int{80, 320, 640, 960} {
		gap := make([]float32, n)
		mend(gap, vowel[:640-n/2], vowel[640+n-n/2:])
		lost := vowel[640-n/2 : 640+n-n/2]
		if db := decibel(energyOf(lost), apart(lost, gap)); n <= 640 && db < 8 {
			t.Errorf("%d samples of a vowel: %.1f dB above the error", n, db)
		}
	}
	long := slices.Repeat([]float32{9}, 3200)
	mend(long, vowel, vowel)
	if energyOf(long[700:2500]) != 0 || energyOf(long[:600]) == 0 || energyOf(long[2600:]) == 0 {
		t.Error("a long gap is not silent in the middle alone")
	}
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // lengths
	for range 500 {
		gap := make([]float32, rnd.IntN(1500))
		mend(gap, vowel[:rnd.IntN(900)], vowel[:rnd.IntN(900)])
		if slices.ContainsFunc(gap, func(v float32) bool { return v > 1 || v < -1 || v != v }) {
			t.Fatal("louder than what was heard")
		}
	}
}

func opusOf(t *testing.T) *opusSource {
	t.Helper()
	o, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func decoded(t *testing.T, o *opusSource, p []byte) []float32 {
	t.Helper()
	s, err := o.decode(p)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(s)
}

func apart(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64((a[i] - b[i]) * (a[i] - b[i]))
	}
	return sum
}

func decibel(loud, off float64) float64 { return 10 * math.Log10(loud/(off+1e-12)) }
