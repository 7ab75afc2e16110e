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
// then for each head scale, bias and its knots, the table, and the SHA-256 of all
// before it.
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
		n := r.uint32()
		if n > mostKnots {
			return nil, bad("%d knots", n)
		}
		for range n {
			m.knots[h] = append(m.knots[h], knot{r.float32(), r.float32()})
		}
		if !rising(m.knots[h]) {
			return nil, bad("the curve of %s does not rise", Head(h))
		}
	}
	if len(r.rest) != 8<<bits {
		return nil, bad("a table of %d bytes in place of %d", len(r.rest), 8<<bits)
	}
	m.table = r.rest
	return m, nil
}

func rising(knots []knot) bool {
	for i := range knots {
		if i > 0 && (!(knots[i].score > knots[i-1].score) || !(knots[i].logit >= knots[i-1].logit)) {
			return false
		}
	}
	return true
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
	// Knots are pairs of a score and its log-odds, both rising.
	Knots [Heads][][2]float32
}

// Encode makes a weights file.
func Encode(t *Trained) []byte {
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint32(out, Version)
	out = binary.LittleEndian.AppendUint32(out, uint32(t.Bits))
	for h := range Heads {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(t.Scale[h]))
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(t.Bias[h]))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(t.Knots[h])))
		for _, k := range t.Knots[h] {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(k[0]))
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(k[1]))
		}
	}
	for _, row := range t.Weights {
		for _, w := range row {
			out = append(out, byte(int(w)+128))
		}
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}
