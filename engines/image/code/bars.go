package code

import (
	"image"
	"strings"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/aztec"
	"github.com/makiuchi-d/gozxing/datamatrix"
	"github.com/makiuchi-d/gozxing/oned"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// A row in barStep is looked at. The smallest code has barRuns bars and gaps, none
	// wider than widestBar; barBeside px above and below are the same edges.
	barStep   = 8
	barRuns   = 33
	widestBar = 40
	barBeside = 2
	// barQuiet is how much of what stands beside the bars goes to the decoder, which
	// asks for a quiet zone.
	barQuiet = 24
	// mostBars bounds how many stretches of one picture are decoded.
	mostBars = 24
	// aloneSide is how large a picture may be to be looked at for codes without finder
	// patterns.
	aloneSide = 512
)

// rowDecoder reads one line through a bar code.
type rowDecoder interface {
	DecodeRow(y int, row *gozxing.BitArray, hints map[gozxing.DecodeHintType]any) (*gozxing.Result, error)
}

// rowDecoders are those whose codes check themselves. They keep state while they
// decode, so each picture has its own.
func rowDecoders() (list []rowDecoder) {
	for _, r := range []gozxing.Reader{oned.NewMultiFormatUPCEANReader(nil), oned.NewCode128Reader(), oned.NewCode39Reader()} {
		if d, ok := r.(rowDecoder); ok {
			list = append(list, d)
		}
	}
	return list
}

// readBars reads bar codes whose bars stand upright, or lie.
func readBars(m *mask, times int, end time.Time, found []engines.Code) []engines.Code {
	b := bars{times: times, end: end, found: found, rows: m}
	b.scan()
	b.lying, b.rows = true, m.turned()
	b.scan()
	b.rows.done()
	return b.found
}

// turned is the mask with rows for columns.
func (m *mask) turned() *mask {
	t := newMask(m.h, m.w)
	// Tile by tile: written down whole columns, each pixel is on a line of memory of its own.
	const tile = 32
	for y0 := 0; y0 < m.h; y0 += tile {
		for x0 := 0; x0 < m.w; x0 += tile {
			for x := x0; x < min(x0+tile, m.w); x++ {
				to := t.dark[x*t.w+y0 : x*t.w+min(y0+tile, m.h)]
				at := y0*m.w + x
				for i := range to {
					to[i] = m.dark[at]
					at += m.w
				}
			}
		}
	}
	return t
}

type bars struct {
	rows     *mask
	lying    bool
	times    int
	end      time.Time
	tried    int
	decoders []rowDecoder
	found    []engines.Code
}

// scan looks for stretches of a row that are full of edges which the rows beside it share.
func (b *bars) scan() {
	m := b.rows
	edges := make([]int, 0, m.w)
	for y := barStep; y < m.h-barBeside; y += barStep {
		row := m.dark[y*m.w : (y+1)*m.w]
		edges = edges[:0]
		for x := 1; x <= m.w; x++ {
			if x < m.w && row[x] == row[x-1] {
				continue
			}
			if x == m.w || len(edges) > 0 && x-edges[len(edges)-1] > widestBar {
				b.stretch(y, edges)
				edges = edges[:0]
			}
			edges = append(edges, x)
		}
		b.stretch(y, edges)
	}
}

// stretch decodes between the edges if they may be those of a bar code.
func (b *bars) stretch(y int, edges []int) {
	if len(edges) < barRuns || b.tried >= mostBars || len(b.found) >= mostCodes {
		return
	}
	from, to, like := b.rows.shared(y, edges)
	if !like || b.tried > 0 && time.Now().After(b.end) {
		return
	}
	b.tried++
	// The whole stretch: a scratch may part the bars.
	lo, hi := max(edges[0]-barQuiet, 0), min(edges[len(edges)-1]+barQuiet, b.rows.w)
	text, kind, ok := b.decode(y, lo, hi)
	if !ok {
		return
	}
	// Two rows that agree are no chance.
	if again, _, ok := b.decode(y+barBeside, lo, hi); !ok || again != text {
		return
	}
	box := image.Rect(edges[from], y-barStep, edges[to]+1, y+barStep)
	if b.lying {
		box = image.Rect(box.Min.Y, box.Min.X, box.Max.Y, box.Max.X)
	}
	b.found = addBar(b.found, kind, text, box, b.times)
}

// shared reports whether the rows beside y have most of its edges as well, and
// between which two they have all.
func (m *mask) shared(y int, edges []int) (from, to int, like bool) {
	all, run, first, best := 0, 0, 0, 0
	for i, x := range edges {
		if !m.edge(x, y-barBeside, y) || !m.edge(x, y+barBeside, y) {
			run = 0
			continue
		}
		all++
		if run == 0 {
			first = i
		}
		if run++; run > best {
			best, from, to = run, first, i
		}
	}
	return from, to, best >= barRuns/2 && all >= barRuns*3/4
}

// edge reports whether row y has, near x, the change that row like has at x.
func (m *mask) edge(x, y, like int) bool {
	if x >= m.w {
		return false
	}
	to := m.dark[like*m.w+x]
	row := m.dark[y*m.w : (y+1)*m.w]
	for at := max(x-1, 1); at <= min(x+1, m.w-1); at++ {
		if row[at] == to && row[at-1] != to {
			return true
		}
	}
	return false
}

// decode reads a part of one row, dark on light and light on dark.
func (b *bars) decode(y, from, to int) (text, kind string, ok bool) {
	defer func() {
		if recover() != nil {
			text, kind, ok = "", "", false
		}
	}()
	if b.decoders == nil {
		b.decoders = rowDecoders()
	}
	row := b.rows.dark[y*b.rows.w+from : y*b.rows.w+to]
	for _, light := range [...]bool{false, true} {
		bits := gozxing.NewBitArray(len(row) + 2*barQuiet)
		for x, dark := range row {
			if dark != light {
				bits.Set(x + barQuiet)
			}
		}
		for range 2 { // either way
			if text, kind = b.either(y, bits); text != "" {
				return text, kind, true
			}
			bits.Reverse()
		}
	}
	return "", "", false
}

// either is what the first decoder reads that reads anything.
func (b *bars) either(y int, bits *gozxing.BitArray) (text, kind string) {
	for _, d := range b.decoders {
		if r, err := d.DecodeRow(y, bits, nil); err == nil && r.GetText() != "" {
			return r.GetText(), strings.ToLower(r.GetBarcodeFormat().String())
		}
	}
	return "", ""
}

// addBar adds a code, or makes the box of one that was found in another row larger.
func addBar(found []engines.Code, kind, text string, box image.Rectangle, times int) []engines.Code {
	box = image.Rect(box.Min.X*times, box.Min.Y*times, box.Max.X*times, box.Max.Y*times)
	for i := range found {
		b := &found[i].Place.Box
		have := image.Rect(b[0], b[1], b[0]+b[2], b[1]+b[3])
		if found[i].Content == text && found[i].Kind == kind && have.Inset(-8*barStep).Overlaps(box) {
			have = have.Union(box)
			*b = [4]int{have.Min.X, have.Min.Y, have.Dx(), have.Dy()}
			return found
		}
	}
	return add(found, kind, text, box, 1)
}

// readAlone reads a Data Matrix or Aztec code that is most of a small picture: its
// readers look from the middle outwards.
func readAlone(g *gray, found []engines.Code) (out []engines.Code) {
	out = found
	if max(g.w, g.h) > aloneSide || min(g.w, g.h) < 10 {
		return out
	}
	defer func() {
		if recover() != nil {
			out = found
		}
	}()
	source, err := gozxing.NewPlanarYUVLuminanceSource(g.pix, g.w, g.h, 0, 0, g.w, g.h, false) // reads g.pix as it is
	if err != nil {
		return out
	}
	bitmap, err := gozxing.NewBinaryBitmap(gozxing.NewHybridBinarizer(source))
	if err != nil {
		return out
	}
	for _, r := range []struct {
		kind string
		gozxing.Reader
	}{{"data_matrix", datamatrix.NewDataMatrixReader()}, {"aztec", aztec.NewAztecReader()}} {
		if res, err := r.Decode(bitmap, nil); err == nil && res.GetText() != "" {
			return add(out, r.kind, res.GetText(), image.Rect(0, 0, g.w, g.h), 1)
		}
	}
	return out
}
