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
)

// gapParts is how many parts a gap has.
const gapParts = 10

// gap is what tells whether a space stands between two signs of a line.
type gap [gapParts]float64

// gapWeights are those of a logistic regression, fitted by TestFitGaps: of the parts of a gap
// in their order, and what is added.
var gapWeights = [gapParts + 1]float64{0.014, 1.923, 2.279, 1.283, 6.964, 1.027, 1.051, -2.662, -0.615, 1.141, 9.940}

// space is how likely a space stands there, 0 to 1.
func (g gap) space() float64 {
	sum := gapWeights[gapParts]
	for i, v := range g {
		sum += gapWeights[i] * v
	}
	return 1 / (1 + math.Exp(-sum))
}

// gapsOf gives the gap behind each sign of r but the last. first is what a network that knows
// spaces made of the same line.
func gapsOf(r, first reading) []gap {
	n := len(r.marks) - 1
	if n < 1 {
		return nil
	}
	gaps := make([]gap, n)
	steps := make([]float64, n)
	scale := 1.0 // a step of r in those of first
	if r.end > 0 && first.end > 0 {
		scale = first.end / r.end
	}
	var mean float64
	for i := range gaps {
		from, to := float64(r.marks[i].step), float64(r.marks[i+1].step)
		steps[i] = to - from
		seen, own := mostOf(first.room, from*scale, to*scale), mostOf(r.room, from, to)
		mean += seen / float64(n)
		gaps[i][0], gaps[i][2] = seen, own
	}
	usual := slices.Sorted(slices.Values(steps))[n/2]
	for i := range gaps {
		left, right := kindOf(r.marks[i].sign), kindOf(r.marks[i+1].sign)
		g := &gaps[i]
		g[1] = g[0] - mean
		g[3], g[4] = steps[i], steps[i]/usual
		g[5], g[6] = customs()[left].after, customs()[right].before
		g[7], g[8], g[9] = truth(left == '0' && right == '0'), truth(left == '0' && right != '0'), truth(left != '0' && right == '0')
	}
	return gaps
}

// mostOf is the logarithm of the most of room from one step to another.
func mostOf(room []float32, from, to float64) float64 {
	const floor = 1e-5
	begin, end := min(int(from), len(room)), min(int(math.Ceil(to))+1, len(room))
	most := float32(0)
	for _, v := range room[begin:end] {
		most = max(most, v)
	}
	return math.Log(float64(most) + floor)
}

func truth(yes bool) float64 {
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
