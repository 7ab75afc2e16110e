package ocr

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// recogniser reads one line with a network that says, for each step along it, which
// character stands there, or none (CTC, Graves et al. 2006).
type recogniser struct {
	net *onnx.Session
	// signs are what the network's classes mean; class 0 is "none", the last the space.
	signs []string
	// foreign are classes that are not read; nil is none.
	foreign []bool
	// small are the classes of the small signs, by their places in a reading's.
	small [smallSigns][]int
}

// smallSigns are those whose likelihoods a reading keeps: the space, colons, commas, stops.
const smallSigns = 4

// smallOf are the ways that each is written in, the space as the dictionary has it.
var smallOf = [smallSigns][]string{{" "}, {":", "："}, {",", "，", "、"}, {".", "。"}}

const (
	lineHeight = 48   // px, of every PP-OCR recogniser
	widestLine = 3200 // px; longer ones are squeezed
)

var recogniserNorm = norm{mean: [3]float32{0.5, 0.5, 0.5}, deviation: [3]float32{0.5, 0.5, 0.5}}

// newRecogniser takes the network and its dictionary, one sign a line in the order of
// its classes; "none" comes before and the space behind them.
func newRecogniser(model, dictionary []byte) (*recogniser, error) {
	net, err := onnx.NewHalf(model)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(string(dictionary), "\r\n"), "\n")
	signs := make([]string, 0, len(lines)+2)
	signs = append(signs, "")
	for _, l := range lines {
		signs = append(signs, strings.TrimSuffix(l, "\r"))
	}
	rec := &recogniser{net: net, signs: append(signs, " ")}
	for i, ways := range smallOf {
		for class, sign := range rec.signs {
			if slices.Contains(ways, sign) {
				rec.small[i] = append(rec.small[i], class)
			}
		}
	}
	return rec, nil
}

// stepped is w or a little more, one of few: each width that the network has not seen costs
// it about as much as reading once more.
func stepped(w int) int {
	step := 32
	for step*16 < w && step < 256 {
		step *= 2
	}
	return (w + step - 1) / step * step
}

// reading is what a recogniser makes of a line.
type reading struct {
	text string
	// confidence is the mean of how sure the network is of each sign, 0 to 1.
	confidence float64
	// gap is the widest stretch of the line in which it sees no sign, in heights of the line.
	gap float64
	// blank is the mean of how sure it is that a step shows no sign, 0 to 1.
	blank float64
	// marks are the signs that text was made of, in order.
	marks []mark
	// small is how likely each step of the line shows a space, a colon, a comma, a stop, 0 to 1;
	// the line ends at step end.
	small [smallSigns][]float32
	end   float64
	// parts are what the line falls into where its words stand too far apart for one; none is one.
	parts []stretch
}

// mark is a sign, the step of the line that it was seen at first, and how sure the network is
// of it, 0 to 1.
type mark struct {
	sign string
	step int
	sure float64
}

// read reads what lies in r.
func (rec *recogniser) read(b *bitmap, r rect) (reading, error) {
	w := max(8, min(widestLine, int(math.Round(lineHeight*r.width/max(1, r.height)))))
	stride := stepped(w)
	data, done := tensor(3 * lineHeight * stride)
	defer done()
	clear(data) // what lies behind the line is grey
	in := onnx.Tensor{Shape: []int{1, 3, lineHeight, stride}, Data: data}
	b.fill(in.Data, r.window(), w, lineHeight, stride, recogniserNorm)
	var out reading
	err := rec.net.Run([]onnx.Tensor{in}, func(o []onnx.Tensor) error {
		s := o[0].Shape
		if len(s) != 3 || s[2] != len(rec.signs) {
			return fmt.Errorf("the recogniser gives %v, its dictionary has %d signs", s, len(rec.signs))
		}
		out = rec.decode(o[0].Data, s[1], float64(w)/float64(stride)*float64(s[1]))
		out.gap *= float64(stride) / float64(s[1]) / lineHeight
		return nil
	})
	if err != nil {
		return reading{}, fmt.Errorf("read line: %w", err)
	}
	return out, nil
}

// decode takes the likeliest sign of each step, one for several in a row. The line ends at
// step end; gaps are in steps.
func (rec *recogniser) decode(p []float32, steps int, end float64) reading {
	var text strings.Builder
	var sum, gap, seen, blank float64
	last := 0
	out := reading{end: end}
	for i := range out.small {
		out.small[i] = make([]float32, steps)
	}
	for step := range steps {
		row := p[step*len(rec.signs) : (step+1)*len(rec.signs)]
		best := rec.likeliest(row)
		for i, classes := range rec.small {
			for _, class := range classes {
				out.small[i][step] += row[class]
			}
		}
		if float64(step) < end {
			blank += float64(row[0])
		}
		if best != 0 {
			gap, seen = max(gap, float64(step)-seen), float64(step+1)
		}
		if best != 0 && best != last {
			text.WriteString(rec.signs[best])
			sum += float64(row[best])
			out.marks = append(out.marks, mark{rec.signs[best], step, float64(row[best])})
		}
		last = best
	}
	out.gap, out.blank = max(gap, end-seen), blank/max(1, math.Ceil(end))
	if n := len(out.marks); n > 0 {
		out.text, out.confidence = strings.TrimSpace(text.String()), sum/float64(n)
	}
	return out
}

// likeliest is the likeliest class of a step of those that are read.
func (rec *recogniser) likeliest(row []float32) int {
	best := likeliest(row)
	if rec.foreign == nil || !rec.foreign[best] {
		return best
	}
	best = 0
	for i, v := range row {
		if v > row[best] && !rec.foreign[i] {
			best = i
		}
	}
	return best
}

// likeliest is the class of the highest of the probabilities of a step, which are one
// together: what has more than half needs no other looked at.
func likeliest(row []float32) int {
	best := 0
	for i, v := range row {
		if v > row[best] {
			best = i
		}
		if row[best] > 0.5 {
			break
		}
	}
	return best
}
