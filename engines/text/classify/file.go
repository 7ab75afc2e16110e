package classify

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The file, little endian: magic, version of the features, bits of the table,
// then for each head scale, bias and the knots of its three curves, scale, bias and
// weight of the contrast, the table, that of the contrast (a byte a row), and the
// SHA-256 of all before it.
const magic = "pctext1\n"

const (
	mostKnots = 64
	leastBits = 8
	mostBits  = 22
)

// ErrWeights is a file that is no weights file of this program.
var ErrWeights = errors.New("bad weights")

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrWeights, fmt.Sprintf(format, args...))
}

// Parse reads a weights file. The model keeps data and must be the only one to
// use it; every fault wraps ErrWeights.
func Parse(data []byte) (*Model, error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, bad("it does not begin as a weights file")
	}
	if len(data) < len(magic)+8+sha256.Size {
		return nil, bad("cut off after %d bytes", len(data))
	}
	body := data[:len(data)-sha256.Size]
	m := &Model{sum: sha256.Sum256(body)}
	if !bytes.Equal(m.sum[:], data[len(body):]) {
		return nil, bad("checksum: the file is damaged or cut off")
	}
	r := &reader{rest: body[len(magic):]}
	if v := r.uint32(); v != Version {
		return nil, bad("trained for features of version %d, this program has %d: train anew", v, Version)
	}
	bits := r.uint32()
	if bits < leastBits || bits > mostBits {
		return nil, bad("a table of 2^%d rows", bits)
	}
	m.shift = uint(32 - bits)
	for h := range Heads {
		m.scale[h], m.bias[h] = r.float32(), r.float32()
		for _, c := range [...]*[]knot{&m.odds[h], &m.named[h], &m.final[h]} {
			if err := r.curve(c); err != nil {
				return nil, bad("%s: %v", Head(h), err)
			}
		}
	}
	m.contrast.scale, m.contrast.bias, m.contrast.mix = r.float32(), r.float32(), r.float32()
	if len(r.rest) != 9<<bits {
		return nil, bad("tables of %d bytes in place of %d", len(r.rest), 9<<bits)
	}
	m.table, m.contrast.table = r.rest[:8<<bits], r.rest[8<<bits:]
	return m, nil
}

// curve reads the knots of a curve, which rise.
func (r *reader) curve(to *[]knot) error {
	n := r.uint32()
	if n > mostKnots {
		return fmt.Errorf("%d knots", n)
	}
	for i := range int(n) {
		k := knot{r.float32(), r.float32()}
		if i > 0 && (!(k.x > (*to)[i-1].x) || !(k.y >= (*to)[i-1].y)) {
			return errors.New("a curve does not rise")
		}
		*to = append(*to, k)
	}
	return nil
}

// reader reads what is left; past the end it reads zeros.
type reader struct{ rest []byte }

func (r *reader) uint32() uint32 {
	if len(r.rest) < 4 {
		r.rest = nil
		return 0
	}
	v := binary.LittleEndian.Uint32(r.rest)
	r.rest = r.rest[4:]
	return v
}

func (r *reader) float32() float32 { return math.Float32frombits(r.uint32()) }

// Trained is what a trainer hands over to be written.
type Trained struct {
	Bits uint
	// Weights holds 2^Bits rows, one weight for each head.
	Weights [][Heads]int8
	// Scale turns a sum of weights over the root of their number into a score.
	Scale, Bias Scores
	// Knots are pairs of a score and its log-odds, both rising; Named are those for
	// messages that name a group of people, none to do as Knots says.
	Knots, Named [Heads][][2]float32
	// Final are pairs of the confidence of a signal and of what it is worth, both
	// rising; none leave confidences as they are.
	Final [Heads][][2]float32
	// Contrast holds 2^Bits weights, or none.
	Contrast                                 []int8
	ContrastScale, ContrastBias, ContrastMix float32
}

// Encode makes a weights file.
func Encode(t *Trained) []byte {
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint32(out, Version)
	out = binary.LittleEndian.AppendUint32(out, uint32(t.Bits))
	for h := range Heads {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(t.Scale[h]))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(t.Bias[h]))
		for _, c := range [...][][2]float32{t.Knots[h], t.Named[h], t.Final[h]} {
			out = binary.LittleEndian.AppendUint32(out, uint32(len(c)))
			for _, k := range c {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(k[0]))
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(k[1]))
			}
		}
	}
	for _, v := range [...]float32{t.ContrastScale, t.ContrastBias, t.ContrastMix} {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	for _, row := range t.Weights {
		for _, w := range row {
			out = append(out, byte(int(w)+128))
		}
	}
	for i := range 1 << t.Bits {
		if i < len(t.Contrast) {
			out = append(out, byte(t.Contrast[i]))
		} else {
			out = append(out, 0)
		}
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}
