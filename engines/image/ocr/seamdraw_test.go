package ocr

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/seam"
	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// TestDrawSeams draws what seam's network is taught, seams of lines as they are found and read,
// into the file that PORTCULLIS_DRAW_SEAMS names: PORTCULLIS_DRAW_PICTURES pictures from the seed
// PORTCULLIS_DRAW_SEED on, of the sentences in PORTCULLIS_DRAW_TEXTS, one a line, half of them in
// the fonts that PORTCULLIS_DRAW_FONTS lists. A seam is what is known of it, its light, a byte a px,
// 1 where a space stands there and 255 where none can, and which of the signs, from 1 on.
func TestDrawSeams(t *testing.T) {
	lessons(t, "PORTCULLIS_DRAW_SEAMS", func(r *Reader, seed uint64, texts, fonts []string) ([][]byte, error) {
		seams, err := drawSeams(r, seed, texts, fonts)
		return [][]byte{seams}, err
	})
}

// drawSeams draws the picture of a seed and gives the seams of the lines that are found in it.
func drawSeams(r *Reader, seed uint64, texts, fonts []string) (out []byte, err error) {
	rng := rand.New(rand.NewPCG(seed, 19)) //nolint:gosec // the same lines each time
	o := pictures.Options{
		Langs: []pictures.Lang{pictures.Korean}, MaxAngle: 15, MinSize: 18, MaxSize: 42, Quality: 75 + rng.IntN(20), Plain: rng.IntN(12) == 0,
	}
	own := rng.IntN(2) == 0
	for range 7 {
		o.Texts = append(o.Texts, texts[rng.IntN(len(texts))])
		if own {
			o.Fonts = append(o.Fonts, fonts[rng.IntN(len(fonts))])
		}
	}
	p, err := pictures.Screenshot(seed, o)
	if err != nil { // no room, or a font without a sign: not worth a picture
		return nil, nil //nolint:nilerr // as the line before says
	}
	h, _ := r.scripts[Korean].(*hangul)
	b := toBitmap(p.Image)
	_, whole, err := r.found(b)
	if err != nil {
		return nil, err
	}
	for _, at := range whole {
		if b.textureOf(at).text() < likelyScript {
			continue
		}
		text, known := standsAt(at, p.Lines, pictures.Korean)
		if !known || text == "" {
			continue
		}
		first, err := r.rec.read(b, at)
		if err != nil {
			return nil, err
		}
		for _, height := range []float64{tight, tighter} {
			shown := at
			shown.height *= height
			got, err := h.rec.read(b, shown)
			if err != nil {
				return nil, err
			}
			lettered(&got, first)
			out = append(out, taughtSeams(text, &got, gapsOf(b, at, got, first))...)
		}
	}
	return out, nil
}

// taughtSeams are those of the looks at a reading of text of which it is known what stands there.
func taughtSeams(text string, r *reading, looks []seam.Look) (out []byte) {
	var letters []string
	var spaced []bool // behind each of letters
	for _, c := range text {
		if !unicode.IsSpace(c) {
			letters, spaced = append(letters, string(c)), append(spaced, false)
		} else if len(letters) > 0 {
			spaced[len(letters)-1] = true
		}
	}
	own := make([]string, len(r.marks))
	for i, m := range r.marks {
		own[i] = m.sign
	}
	places, edits := aligned(letters, own)
	if edits > len(letters)*2/5+2 {
		return nil
	}
	for i, look := range looks {
		if places[i] < 0 || i+1 < len(places) && places[i+1] < 0 {
			continue
		}
		to := len(letters)
		space := byte(255)
		if i+1 < len(places) {
			to, space = places[i+1], 0
			if slices.Contains(spaced[places[i]:to], true) {
				space = 1
			}
		}
		between := letters[places[i]+1 : to]
		sign := 0
		if len(between) == 1 {
			sign = 1 + slices.Index(seam.Signs[:], between[0])
		}
		if len(between) > 1 || len(between) == 1 && sign == 0 {
			continue
		}
		for _, v := range look.Known {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
		for _, v := range look.Light {
			out = append(out, byte(max(0, min(255, v+0.5))))
		}
		out = append(out, space, byte(sign))
	}
	return out
}

// aligned says which of a each of b stands for in the fewest edits from a to b, -1 for none.
func aligned(a, b []string) (places []int, edits int) {
	costs := make([][]int, len(a)+1)
	for i := range costs {
		costs[i] = make([]int, len(b)+1)
		for j := range costs[i] {
			switch {
			case i == 0:
				costs[i][j] = j
			case j == 0:
				costs[i][j] = i
			default:
				costs[i][j] = min(costs[i-1][j-1]+differ(a[i-1], b[j-1]), costs[i-1][j]+1, costs[i][j-1]+1)
			}
		}
	}
	places = slices.Repeat([]int{-1}, len(b))
	for i, j := len(a), len(b); i > 0 && j > 0; {
		switch costs[i][j] {
		case costs[i-1][j-1] + differ(a[i-1], b[j-1]):
			i, j = i-1, j-1
			places[j] = i
		case costs[i-1][j] + 1:
			i--
		default:
			j--
		}
	}
	return places, costs[len(a)][len(b)]
}

func differ(a, b string) int {
	if a == b {
		return 0
	}
	return 1
}
