package ocr

import (
	"bufio"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// What a drawn line is kept with: rows, of which lineHeight are those of its rectangle, and
// what is kept to the left and right of it, in heights of the rectangle.
const (
	drawnRows = 72
	drawnSide = 0.5
)

// TestDrawThai draws what the network for Thai is taught, lines as the detector finds them,
// into the file that PORTCULLIS_DRAW_THAI names: PORTCULLIS_DRAW_PICTURES of them from the seed
// PORTCULLIS_DRAW_SEED on, of the sentences in PORTCULLIS_DRAW_TEXTS in the fonts that
// PORTCULLIS_DRAW_FONTS lists, one a line each. A line is two numbers of 16 bits, its width in
// px and the bytes of its text, the text, and its rows: blue, green, red, a byte a pixel. What is
// no text, and text of scripts that the network isn't for, has none.
func TestDrawThai(t *testing.T) { lessons(t, "PORTCULLIS_DRAW_THAI", drawThai) }

// lessons draws what a network is taught into the file that a variable names, as the other
// PORTCULLIS_DRAW_ variables say; draw gives what a picture has, in the order in which it is written.
func lessons(t *testing.T, variable string, draw func(r *Reader, seed uint64, texts, fonts []string) ([][]byte, error)) {
	t.Helper()
	name := os.Getenv(variable)
	if name == "" {
		t.Skipf("draws nothing: %s names no file", variable)
	}
	pictured, err := strconv.Atoi(os.Getenv("PORTCULLIS_DRAW_PICTURES"))
	if err != nil {
		t.Fatal(err)
	}
	seed, err := strconv.ParseUint(os.Getenv("PORTCULLIS_DRAW_SEED"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	texts, fonts := listed(t, "PORTCULLIS_DRAW_TEXTS"), listed(t, "PORTCULLIS_DRAW_FONTS")
	file, err := os.Create(name) //nolint:gosec // named by whoever runs it
	if err != nil {
		t.Fatal(err)
	}
	r := loaded(t)
	drawn := make([][][]byte, pictured)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(pictured) && !t.Failed(); i = next.Add(1) - 1 {
				var err error
				if drawn[i], err = draw(r, seed+uint64(i), texts, fonts); err != nil { //nolint:gosec // not negative
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	w, lines := bufio.NewWriter(file), 0
	for _, picture := range drawn {
		lines += len(picture)
		for _, line := range picture {
			_, _ = w.Write(line) // Flush tells
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d written", lines)
}

func listed(t *testing.T, variable string) []string {
	t.Helper()
	data, err := os.ReadFile(os.Getenv(variable))
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// drawThai draws the picture of a seed and gives the lines that are found in it. Every
// twelfth is of another language.
func drawThai(r *Reader, seed uint64, texts, fonts []string) (drawn [][]byte, err error) {
	rng := rand.New(rand.NewPCG(seed, 11)) //nolint:gosec // the same lines each time
	o := pictures.Options{
		Langs: []pictures.Lang{pictures.Thai}, MaxAngle: 15, MinSize: 17, MaxSize: 42,
		Quality: 65 + rng.IntN(31), Plain: rng.IntN(12) == 0, Seated: rng.IntN(2) == 0, // not every engine shapes
	}
	if seed%12 == 5 {
		o.Langs, o.Lines = []pictures.Lang{pictures.Langs[rng.IntN(len(pictures.Langs))]}, 5
	}
	if o.Langs[0] == pictures.Thai {
		o.Lines = 0
		for range 10 {
			o.Texts = append(o.Texts, texts[rng.IntN(len(texts))])
			o.Fonts = append(o.Fonts, fonts[rng.IntN(len(fonts))])
		}
	}
	p, err := pictures.Screenshot(seed, o)
	if err != nil { // no room, or a font without a sign: not worth a picture
		return nil, nil //nolint:nilerr // as the line before says
	}
	b := toBitmap(p.Image)
	parts, whole, err := r.found(b)
	if err != nil {
		return nil, err
	}
	all := append(whole, parts...)
	for i, at := range all {
		again := slices.ContainsFunc(all[:i], func(o rect) bool {
			return at.middle.minus(o.middle).length() < 0.1*at.height && math.Abs(at.width-o.width) < 0.2*at.height && math.Abs(at.height/o.height-1) < 0.05
		})
		if again || b.textureOf(at).text() < likelyScript || at.width < 2*at.height {
			continue
		}
		if text, known := standsAt(at, p.Lines, pictures.Thai); known {
			drawn = append(drawn, record(b, at, text))
		}
	}
	return drawn, nil
}

// standsAt is the text of the line that at holds from end to end, none where nothing stands;
// of what holds a part of one, nothing is known. Other languages than lang and English are nothing.
func standsAt(at rect, lines []pictures.Line, lang pictures.Lang) (text string, known bool) {
	for _, l := range lines {
		from, to := point{float64(l.From.X), float64(l.From.Y)}, point{float64(l.To.X), float64(l.To.Y)}
		along := to.minus(from).times(1 / to.minus(from).length())
		begins, ends := from.minus(at.middle).dot(at.along)+at.width/2, at.width/2-to.minus(at.middle).dot(at.along)
		off := math.Abs(from.plus(to).times(0.5).minus(at.middle).cross(along))
		const slack, more = 0.15, 1.2
		if math.Abs(at.along.cross(along)) < 0.06 && at.along.dot(along) > 0 && off < 0.4*l.Size &&
			min(begins, ends) > -slack*l.Size && max(begins, ends) < more*l.Size {
			if l.Lang != lang && l.Lang != pictures.English {
				return "", true
			}
			return l.Text, true
		}
		mid := at.middle.minus(from).dot(along)
		if aside(at.middle, l) < at.height+l.Size && mid > -at.width && mid < to.minus(from).length()+at.width {
			return "", false
		}
	}
	return "", true
}

// record is the line at in the form of the file.
func record(b *bitmap, at rect, text string) []byte {
	at.width += 2 * drawnSide * at.height
	w := max(16, min(widestLine, int(math.Round(lineHeight*at.width/max(1, at.height)))))
	at.height *= float64(drawnRows) / lineHeight
	planes := make([]float32, 3*drawnRows*w)
	b.fill(planes, at.window(), w, drawnRows, w, norm{deviation: [3]float32{1. / 255, 1. / 255, 1. / 255}})
	out := binary.LittleEndian.AppendUint16(nil, uint16(w))        //nolint:gosec // at most widestLine
	out = binary.LittleEndian.AppendUint16(out, uint16(len(text))) //nolint:gosec // a line
	out = append(out, text...)
	for _, v := range planes {
		out = append(out, byte(max(0, min(255, v+0.5))))
	}
	return out
}
