package meaning

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
)

// magic begins a table of words; engines/models/bert, which writes it, has the format.
const magic = "PCWORDS1"

var errTable = errors.New("the table of words is cut off or damaged")

// words is a table of words: pieces of words with their vectors in 8 bits. All of it lies in
// the file's bytes, which are read in place. It never changes.
type words struct {
	n, d, most                  int // pieces, values of one, tokens of a text at most
	positions, gamma, beta      []float32
	scales, values, order, ends []byte
	letters                     []byte
	longest                     int // bytes of the longest piece
	unknown, first, last        int32
}

// readWords finds the parts of a table. What it gives lies in file.
func readWords(file []byte) (*words, error) {
	if len(file) < len(magic)+12 || string(file[:len(magic)]) != magic {
		return nil, errTable
	}
	head := file[len(magic):]
	w := &words{n: whole(head), d: whole(head[4:]), most: whole(head[8:])}
	if w.n < 1 || w.n > 1<<17 || w.d < 1 || w.d > 1<<12 || w.most < 3 || w.most > 1<<10 {
		return nil, errTable
	}
	rest := head[12:]
	if need := 4*(w.most*w.d+2*w.d+w.n) + w.n*w.d + 8*w.n; len(rest) < need {
		return nil, errTable
	}
	take := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	w.positions, w.gamma, w.beta = floats(take(4*w.most*w.d)), floats(take(4*w.d)), floats(take(4*w.d))
	w.scales, w.values = take(4*w.n), take(w.n*w.d)
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
// normalised.
func (w *words) vectors(ids []int32, out []float32) []float32 {
	for at, id := range ids {
		scale := float(w.scales[4*id:])
		values, places := w.values[int(id)*w.d:(int(id)+1)*w.d], w.positions[at*w.d:(at+1)*w.d]
		from := len(out)
		mean := 0.0
		for i, v := range values {
			x := scale*float32(int8(v)) + places[i] //nolint:gosec // its two's complement
			mean += float64(x)
			out = append(out, x)
		}
		w.normalise(out[from:], mean/float64(w.d))
	}
	return out
}

// normalise brings a vector to mean 0 and variance 1, as the table says.
func (w *words) normalise(row []float32, mean float64) {
	spread := 0.0
	for _, x := range row {
		spread += (float64(x) - mean) * (float64(x) - mean)
	}
	by := 1 / math.Sqrt(spread/float64(w.d)+1e-12)
	for i, x := range row {
		row[i] = float32((float64(x)-mean)*by)*w.gamma[i] + w.beta[i]
	}
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
