package ocr

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/seam"
)

// gapsOf gives the seam behind each sign of r, which is the line at; behind the last it is the
// line's end. first is what the network for all scripts made of the same line.
func gapsOf(b *bitmap, at rect, r, first reading) []seam.Look {
	n := len(r.marks)
	if n == 0 || r.end <= 0 {
		return nil
	}
	looks := make([]seam.Look, n)
	ends := make([]float64, n) // the steps that the seams end at
	usual := r.pitch()
	for i := range n - 1 {
		ends[i] = float64(r.marks[i+1].step)
	}
	ends[n-1] = float64(r.marks[n-1].step) + usual
	strip := stripOf(b, at)
	scale := first.end / r.end // a step of r in those of first
	var mean float64
	for i := range looks {
		from, to := float64(r.marks[i].step), ends[i]
		known := &looks[i].Known
		for j, room := range [...][]float32{first.small[0], r.small[0], first.small[1], first.small[2], first.small[3]} {
			s := scale
			if j == 1 {
				s = 1
			}
			known[j] = mostOf(room, from*s, to*s)
		}
		mean += float64(known[0]) / float64(n)
		known[5], known[6] = float32(to-from)/8, float32((to-from)/usual)
		left, right := kindOf(r.marks[i].sign), rune(0)
		if i+1 < n {
			right = kindOf(r.marks[i+1].sign)
			known[12] = float32(customs()[right].before) / 4
		}
		known[7], known[8], known[9] = truth(left == '0' && right == '0'), truth(left == '0' && right != '0'), truth(left != '0' && right == '0')
		known[10], known[11] = truth(i+1 == n), float32(customs()[left].after)/4
		strip.cut(&looks[i].Light, ((from+to)/2+0.5)/r.end)
	}
	for i := range looks {
		looks[i].Known[13] = looks[i].Known[0] - float32(mean)
	}
	return looks
}

// pitch is the usual number of steps from a sign to the next.
func (r *reading) pitch() float64 {
	if len(r.marks) < 2 {
		return 5 // about what a letter takes
	}
	steps := make([]int, len(r.marks)-1)
	for i := range steps {
		steps[i] = r.marks[i+1].step - r.marks[i].step
	}
	slices.Sort(steps)
	return float64(max(1, steps[len(steps)/2]))
}

// strip is the light of a line and of half a Look to both sides of it, seam.Rows high.
type strip struct {
	light []float32
	w     int
}

func stripOf(b *bitmap, at rect) strip {
	line := max(1, int(math.Round(min(widestLine, seam.Rows*at.width/max(1, at.height)))))
	at.width *= float64(line+seam.Cols) / float64(line)
	w := line + seam.Cols
	return strip{b.grayOf(at, w, seam.Rows), w}
}

// cut gives what lies around a share of the line, 0 to 1.
func (s strip) cut(light *[seam.Rows * seam.Cols]float32, share float64) {
	from := max(0, min(s.w-seam.Cols, int(math.Round(share*float64(s.w-seam.Cols)))))
	for y := range seam.Rows {
		copy(light[y*seam.Cols:][:seam.Cols], s.light[y*s.w+from:])
	}
}

// mostOf is the logarithm of the most of room from one step to another, in fours.
func mostOf(room []float32, from, to float64) float32 {
	const floor = 1e-5
	begin, end := min(int(from), len(room)), min(int(math.Ceil(to))+1, len(room))
	most := float32(0)
	for _, v := range room[begin:end] {
		most = max(most, v)
	}
	return float32(math.Log(float64(most)+floor)) / 4
}

func truth(yes bool) float32 {
	if yes {
		return 1
	}
	return 0
}

// kindOf is a sign as customs knows it: digits are one, and so are letters of Latin.
func kindOf(sign string) rune {
	c, _ := utf8.DecodeRuneInString(sign)
	switch {
	case unicode.IsDigit(c):
		return '0'
	case unicode.Is(unicode.Latin, c):
		return 'a'
	default:
		return c
	}
}

// custom is how often a sign has a space after and before it, as logarithms of odds above
// the usual.
type custom struct{ after, before float64 }

//go:embed customs.txt
var customsText string

// customs are those of the signs of Korean, from sentences that people wrote: a line for each
// sign with its two odds in tenths, made by TestFitGaps.
var customs = sync.OnceValue(func() map[rune]custom {
	all := map[rune]custom{}
	for line := range strings.Lines(customsText) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		c, _ := utf8.DecodeRuneInString(f[0])
		after, _ := strconv.Atoi(f[1]) // what is no number is nothing unusual
		before, _ := strconv.Atoi(f[2])
		all[c] = custom{float64(after) / 10, float64(before) / 10}
	}
	return all
})
