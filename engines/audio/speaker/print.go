package speaker

import "math"

const (
	// LinkedCosine is the cosine of the means of two voices above which they are taken
	// for one, where one is remembered for good reason and the other is a stranger's; see
	// `portcullis eval audio --voices`, which says how many are taken wrongly.
	LinkedCosine = 0.93

	// enoughMS and enoughWindows are how much a voice says before it is held against
	// others: the mean of less moves with what is said.
	enoughMS      = 10_000
	enoughWindows = 3
)

// Print is the mean of what one voice said in several windows of speech. The zero value
// has none.
type Print struct {
	sum Voice
	// SpokenMS is how much speech it rests on, Windows in how many parts.
	SpokenMS int64
	Windows  int
}

// Add takes another window in.
func (p *Print) Add(v *Voice, ms int64) {
	p.sum.add(v)
	p.SpokenMS += ms
	p.Windows++
}

// Mean is the voice, of length 1.
func (p *Print) Mean() Voice {
	v := p.sum
	v.normalise()
	return v
}

// Enough reports whether there is enough to hold it against others: 10 s of speech in
// three windows.
func (p *Print) Enough() bool { return p.SpokenMS >= enoughMS && p.Windows >= enoughWindows }

// Valid reports whether numbers are those of a voice.
func Valid(of []float32) bool {
	sum := 0.0
	for _, x := range of {
		sum += float64(x) * float64(x)
	}
	return len(of) == width && math.Abs(sum-1) < 0.01
}
