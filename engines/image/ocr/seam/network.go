package seam

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"sync"
)

// What the network is shown of a seam.
const (
	// Rows are the px of a Look that a line is high.
	Rows = 24
	// Cols are those around the seam's middle, some two and a half letters.
	Cols = 40
	// Known is how many numbers are told of it besides.
	Known = 14
)

// Look is a seam as it is shown: light of any scale, row after row, and what else is known.
type Look struct {
	Light [Rows * Cols]float32
	Known [Known]float32
}

// Signs are those that the network tells apart besides none.
var Signs = [...]string{":", ",", "."}

// Seen is what the network makes of a seam.
type Seen struct {
	// Space is how likely a space stands there, 0 to 1.
	Space float64
	// Sign is how likely each of Signs stands there, before the space.
	Sign [len(Signs)]float64
}

const (
	outputs                = 2 + len(Signs) // space; none, Signs
	first, second          = 8, 16          // channels
	firstWide, secondWide  = 5, 3           // px of the kernels, which step by two
	midRows, midCols       = Rows / 2, Cols / 2
	lastRows, lastCols     = Rows / 4, Cols / 4
	flat, narrow, together = lastRows * lastCols * second, 24, 16
)

// network has its weights as they lie in seam.bin: kernels by row, column, input, output and
// matrices by input, output.
type network struct {
	k1, b1, k2, b2, w3, b3, w4, b4, w5, b5, w6 []float32
}

//go:embed seam.bin
var weights []byte

// loaded parses seam.bin: bfloat16, the arrays of network in their order.
var loaded = sync.OnceValue(func() *network {
	n := &network{}
	data := weights
	for _, part := range []struct {
		to   *[]float32
		size int
	}{
		{&n.k1, firstWide * firstWide * first},
		{&n.b1, first},
		{&n.k2, secondWide * secondWide * first * second},
		{&n.b2, second},
		{&n.w3, flat * narrow},
		{&n.b3, narrow},
		{&n.w4, (narrow + Known) * together},
		{&n.b4, together},
		{&n.w5, together * outputs},
		{&n.b5, outputs},
		{&n.w6, Known * outputs},
	} {
		if len(data) < 2*part.size {
			panic(fmt.Sprintf("seam.bin ends %d bytes early", 2*part.size-len(data))) // it is part of the binary
		}
		*part.to = make([]float32, part.size)
		for i := range *part.to {
			(*part.to)[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*i:])) << 16)
		}
		data = data[2*part.size:]
	}
	if len(data) > 0 {
		panic(fmt.Sprintf("seam.bin has %d bytes too many", len(data)))
	}
	return n
})

// See is what the network makes of l.
func See(l *Look) Seen {
	n := loaded()
	light := l.Light
	level(&light)
	a := make([]float32, midRows*midCols*first)
	halve(a, light[:], midRows, midCols, firstWide, 1, n.k1, n.b1)
	b := make([]float32, flat)
	halve(b, a, lastRows, lastCols, secondWide, first, n.k2, n.b2)
	shape := append([]float32(nil), n.b3...)
	add(shape, b, n.w3)
	positive(shape)
	all := append([]float32(nil), n.b4...)
	add(all, append(shape, l.Known[:]...), n.w4)
	positive(all)
	out := append([]float32(nil), n.b5...)
	add(out, all, n.w5)
	add(out, l.Known[:], n.w6)

	seen := Seen{Space: 1 / (1 + math.Exp(-float64(out[0])))}
	sum := 0.0
	for _, v := range out[1:] {
		sum += math.Exp(float64(v))
	}
	for i := range seen.Sign {
		seen.Sign[i] = math.Exp(float64(out[2+i])) / sum
	}
	return seen
}

// level has light be about 0, and its usual distance from it 1; what is nearly flat stays so.
func level(light *[Rows * Cols]float32) {
	const flattest = 4 // levels of light
	var sum, squares float64
	for _, v := range light {
		sum, squares = sum+float64(v), squares+float64(v)*float64(v)
	}
	mean := sum / float64(len(light))
	scale := 1 / (math.Sqrt(max(0, squares/float64(len(light))-mean*mean)) + flattest)
	for i, v := range light {
		light[i] = float32((float64(v) - mean) * scale)
	}
}

// halve is a convolution to rows×cols, half of what in has, with kernels of wide×wide that see
// nothing beyond its edges; negative values become 0.
func halve(out, in []float32, rows, cols, wide, channels int, kernel, bias []float32) {
	many := len(bias)
	for y := range rows {
		for x := range cols {
			sum := out[(y*cols+x)*many:][:many]
			copy(sum, bias)
			left := 2*x - wide/2
			from, to := max(0, left), min(2*cols, left+wide)
			for ky := range wide {
				row := 2*y + ky - wide/2
				if row < 0 || row >= 2*rows {
					continue
				}
				// What lies side by side in the row does so in the kernel.
				add(sum, in[(row*2*cols+from)*channels:(row*2*cols+to)*channels], kernel[(ky*wide+from-left)*channels*many:])
			}
			positive(sum)
		}
	}
}

// add adds in times the matrix by input, output to sum.
func add(sum, in, matrix []float32) {
	for i, v := range in {
		if v == 0 {
			continue
		}
		row := matrix[i*len(sum):][:len(sum)]
		for o, w := range row {
			sum[o] += v * w
		}
	}
}

func positive(values []float32) {
	for i, v := range values {
		values[i] = max(0, v)
	}
}
