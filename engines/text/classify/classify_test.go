package classify

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// fill reads a plain ASCII text word by word.
func fill(in *Input, text string) {
	in.Reset()
	at := int32(0)
	for w := range strings.FieldsSeq(text) {
		in.Open(Chain{})
		for _, r := range w {
			in.Rune(r, at)
			at++
		}
		in.Close()
		at++
	}
}

// small is a model of which one word of the text speaks for abuse.
func small(t *testing.T, word string) *Model {
	t.Helper()
	trained := &Trained{Bits: 16, Weights: make([][Heads]int8, 1<<16)}
	var in Input
	fill(&in, word)
	for _, f := range in.Features(nil)[in.common:] {
		trained.Weights[f>>16][Abuse] = 100
	}
	for h := range Heads {
		trained.Scale[h], trained.Bias[h] = 0.05, -1
		trained.Knots[h] = [][2]float32{{-2, -4}, {0, 0}, {2, 3}}
	}
	m, err := Parse(Encode(trained))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestScore(t *testing.T) {
	m := small(t, "rubbish")
	var in Input
	fill(&in, "what a rubbish player")
	bad := m.Score(&in)
	first, last, ok := m.Range(&in, Abuse)
	if !ok || first != 7 || last != 13 {
		t.Errorf("Range() = %d, %d, %v, want 7, 13, true", first, last, ok)
	}
	fill(&in, "what a lovely player")
	good := m.Score(&in)
	if bad[Abuse] <= good[Abuse] {
		t.Errorf("score of the bad word %v, of the good %v", bad[Abuse], good[Abuse])
	}
	if bad[Hate] != -1 {
		t.Errorf("score of a head without weights = %v, want its bias -1", bad[Hate])
	}
	if p := m.Probability(Abuse, 0, false); math.Abs(p-0.5) > 1e-6 {
		t.Errorf("Probability at the middle knot = %v, want 0.5", p)
	}
	if p, top := m.Probability(Abuse, 50, false), 1/(1+math.Exp(-3)); math.Abs(p-top) > 1e-6 {
		t.Errorf("Probability beyond the last knot = %v, want %v", p, top)
	}
}

// A curve of its own where a group is named; the last curve is for all signals.
func TestCurves(t *testing.T) {
	trained := &Trained{Bits: 8, Weights: make([][Heads]int8, 1<<8)}
	trained.Knots[Hate] = [][2]float32{{-1, -3}, {1, 0}}
	trained.Named[Hate] = [][2]float32{{-1, 0}, {1, 3}}
	trained.Final[Hate] = [][2]float32{{0, 0}, {0.5, 0.4}, {1, 0.9}}
	m, err := Parse(Encode(trained))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := m.Probability(Hate, 0, false), m.Probability(Hate, 0, true); !(a < 0.2 && b > 0.8) {
		t.Errorf("probability %v, and %v where a group is named", a, b)
	}
	if got := m.Final(Hate, 0.5); math.Abs(got-0.4) > 1e-6 {
		t.Errorf("Final(0.5) = %v, want 0.4", got)
	}
	if got := m.Final(Abuse, 0.5); got != 0.5 {
		t.Errorf("Final(0.5) without a curve = %v, want it as it is", got)
	}
	trained.Final[Hate] = [][2]float32{{0, 0.5}, {1, 0.4}}
	if _, err := Parse(Encode(trained)); !errors.Is(err, ErrWeights) {
		t.Errorf("a curve that falls: %v, want ErrWeights", err)
	}
}

// Words count once more where a group is named.
func TestNamedWords(t *testing.T) {
	var in Input
	fill(&in, "we dislike them 害虫だ")
	plain := len(in.Features(nil))
	in.Named()
	if named := len(in.Features(nil)); named <= plain+3 {
		t.Errorf("%d features where a group is named, %d where not", named, plain)
	}
}

// A bad word counts as much in a message of ten thousand words as beside a few.
func TestLongMessage(t *testing.T) {
	m := small(t, "rubbish")
	var in Input
	fill(&in, strings.Repeat("lovely weather today ", 60)+"rubbish "+strings.Repeat("lovely weather today ", 60))
	short := m.Score(&in)[Abuse]
	fill(&in, strings.Repeat("lovely weather today ", 500)+"rubbish "+strings.Repeat("lovely weather today ", 500))
	if long := m.Score(&in)[Abuse]; long < short-0.1 {
		t.Errorf("score in a long message %v, in a shorter one %v", long, short)
	}
}

func TestExplain(t *testing.T) {
	m := small(t, "rubbish")
	var in Input
	fill(&in, "a rubbish player")
	in.Evidence(7, 3, "list/entry")
	reasons := m.Explain(&in, Abuse, 4)
	if len(reasons) != 4 || !slices.ContainsFunc(reasons, func(r Reason) bool { return strings.Contains(r.Text, "rubbi") && r.Weight > 0 }) {
		t.Errorf("Explain() = %v, want grams of the bad word", reasons)
	}
}

// Eight lanes at once give what one weight after another gives.
func TestLanes(t *testing.T) {
	trained := &Trained{Bits: 10, Weights: make([][Heads]int8, 1<<10)}
	for i := range trained.Weights {
		for h := range Heads {
			trained.Weights[i][h] = int8((i*31+h*57)%255 - 127)
		}
		trained.Weights[i][3] = 127
	}
	for h := range Heads {
		trained.Scale[h] = 1
	}
	m, err := Parse(Encode(trained))
	if err != nil {
		t.Fatal(err)
	}
	features := make([]uint32, 1500)
	for i := range features {
		features[i] = uint32(i) * 2654435761
	}
	got := m.ScoreFeatures(features, false)
	for h := range Heads {
		sum := int32(0)
		for _, f := range features {
			sum += m.weight(f, Head(h))
		}
		if want := float64(sum) / math.Sqrt(1500); math.Abs(float64(got[h])-want) > 0.01 {
			t.Errorf("%v: score %v, want %v", Head(h), got[h], want)
		}
	}
}

func TestParseFaults(t *testing.T) {
	good := Encode(&Trained{Bits: 8, Weights: make([][Heads]int8, 1<<8)})
	if _, err := Parse(good); err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(good)
	other[100]++
	for name, data := range map[string][]byte{
		"begin": []byte("no weights"), "cut off": good[:20], "damaged": other, "checksum": good[:len(good)-1], "empty": nil,
	} {
		if _, err := Parse(data); !errors.Is(err, ErrWeights) {
			t.Errorf("%s: Parse = %v, want ErrWeights", name, err)
		}
	}
}

func TestBuiltin(t *testing.T) {
	if _, err := Builtin(); err != nil {
		t.Error(err)
	}
}

func BenchmarkScore(b *testing.B) {
	m, err := Builtin()
	if err != nil {
		b.Fatal(err)
	}
	var in Input
	b.ReportAllocs()
	for b.Loop() {
		fill(&in, "gg well played everyone see you tomorrow at the gate")
		m.Score(&in)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Encode(&Trained{Bits: 8, Weights: make([][Heads]int8, 1<<8)}))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = Parse(data) // no panic is the test
	})
}

// The contrast speaks where a group is named, also in long messages.
func TestContrastScore(t *testing.T) {
	trained := &Trained{Bits: 8, Weights: make([][Heads]int8, 1<<8), Contrast: make([]int8, 1<<8), ContrastScale: 0.1, ContrastBias: 0.5, ContrastMix: 2}
	for i := range trained.Contrast {
		trained.Contrast[i] = -10
	}
	parse := func() *Model {
		m, err := Parse(Encode(trained))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	features := []uint32{1 << 24, 2 << 24, 3 << 24, 4 << 24}
	if got := parse().ScoreFeatures(features, false)[Hate]; got != 0 {
		t.Errorf("score of an innocent message %v, want 0", got)
	}
	want := float32(2 * (0.5 - 0.1*10*4/2))
	if got := parse().ScoreFeatures(features, true)[Hate]; math.Abs(float64(got-want)) > 1e-5 {
		t.Errorf("score where a group is named %v, want %v", got, want)
	}
	var in Input
	fill(&in, strings.Repeat("lovely weather today ", 500))
	in.Named()
	if got := parse().Score(&in)[Hate]; !(got < 0) {
		t.Errorf("score of a long message %v, want the contrast in it", got)
	}
}
