package meaning

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/text/encoder"
)

// magic begins a table of words; engines/models/bert, which writes it, has the format.
const magic = "PCWORDS1"

var errTable = errors.New("the table of words is cut off or damaged")

// words is a table of words: pieces of words with their vectors in 8 bits. The vectors stay
// in the file, from which those of a text are read: of 12 MB a message needs 20 kB, and what
// is mapped counts for the process page by page, sixteen at a time. It never changes.
type words struct {
	file                 io.ReaderAt
	values               int64 // where they begin
	n, d, most           int   // pieces, values of one, tokens of a text at most
	places               encoder.Places
	scales, order, ends  []byte
	letters              []byte
	longest              int // bytes of the longest piece
	unknown, first, last int32
}

// readWords reads what of a table is kept in memory. The file, of size bytes, is read from as
// long as the table is used.
func readWords(file io.ReaderAt, size int64) (*words, error) {
	head := make([]byte, len(magic)+12)
	if _, err := file.ReadAt(head, 0); err != nil || string(head[:len(magic)]) != magic {
		return nil, errTable
	}
	w := &words{file: file, n: whole(head[len(magic):]), d: whole(head[len(magic)+4:]), most: whole(head[len(magic)+8:])}
	if w.n < 1 || w.n > 1<<17 || w.d < 1 || w.d > 1<<12 || w.most < 3 || w.most > 1<<10 {
		return nil, errTable
	}
	before := 4 * (w.most*w.d + 2*w.d + w.n)
	w.values = int64(len(head) + before)
	behind := size - w.values - int64(w.n*w.d)
	if behind < int64(8*w.n) || behind > 1<<24 {
		return nil, errTable
	}
	rest := make([]byte, before)
	if _, err := file.ReadAt(rest, int64(len(head))); err != nil {
		return nil, fmt.Errorf("read the table of words: %w", err)
	}
	take := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	w.places = encoder.Places{Positions: floats(take(4 * w.most * w.d)), Gamma: floats(take(4 * w.d)), Beta: floats(take(4 * w.d))}
	w.scales = slices.Clone(rest)
	rest = make([]byte, behind)
	if _, err := file.ReadAt(rest, w.values+int64(w.n*w.d)); err != nil {
		return nil, fmt.Errorf("read the table of words: %w", err)
	}
	w.order, w.ends, w.letters = take(4*w.n), take(4*w.n), rest
	if err := w.check(); err != nil {
		return nil, err
	}
	for _, special := range []struct {
		piece string
		to    *int32
	}{{"[UNK]", &w.unknown}, {"[CLS]", &w.first}, {"[SEP]", &w.last}} {
		id, ok := w.find([]byte(special.piece))
		if !ok {
			return nil, errTable
		}
		*special.to = id
	}
	return w, nil
}

// check holds the numbers of pieces and their ends against what there is.
func (w *words) check() error {
	at := 0
	for i := range w.n {
		end := whole(w.ends[4*i:])
		if end < at || end > len(w.letters) || whole(w.order[4*i:]) >= w.n {
			return errTable
		}
		w.longest = max(w.longest, end-at)
		at = end
	}
	return nil
}

// piece is the letters of piece i.
func (w *words) piece(i int) []byte {
	from := 0
	if i > 0 {
		from = whole(w.ends[4*(i-1):])
	}
	return w.letters[from:whole(w.ends[4*i:])]
}

// find is the number of the piece with these letters.
func (w *words) find(letters []byte) (int32, bool) {
	low, high := 0, w.n
	for low < high {
		mid := (low + high) / 2
		i := whole(w.order[4*mid:])
		switch bytes.Compare(w.piece(i), letters) {
		case 0:
			return int32(i), true //nolint:gosec // below 2^17
		case -1:
			low = mid + 1
		default:
			high = mid
		}
	}
	return 0, false
}

// vectors appends what the first layer takes of tokens: their vectors with their places,
// normalised. buffer is memory for it, which it may let grow.
func (w *words) vectors(ids []int32, buffer *[]byte, out []float32) ([]float32, error) {
	b := slices.Grow((*buffer)[:0], w.d)[:w.d]
	*buffer = b
	for at, id := range ids {
		if _, err := w.file.ReadAt(b, w.values+int64(id)*int64(w.d)); err != nil {
			return out, fmt.Errorf("read the table of words: %w", err)
		}
		scale, from := float(w.scales[4*id:]), len(out)
		for _, v := range b {
			out = append(out, scale*float32(int8(v))) //nolint:gosec // its two's complement
		}
		w.places.Set(out[from:], at)
	}
	return out, nil
}

func whole(b []byte) int { return int(binary.LittleEndian.Uint32(b)) }

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

func floats(b []byte) []float32 {
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = float(b[4*i:])
	}
	return v
}
