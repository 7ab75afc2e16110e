package pictures

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/portcullis-gg/portcullis/engines"
)

// Reader reads the text in a picture, as engines/image asks it.
type Reader interface {
	ReadText(ctx context.Context, img image.Image) ([]engines.TextLine, error)
}

// Score counts what was read of one language.
type Score struct {
	Lang     Lang
	Lines    int // drawn
	Found    int // of them, with anything read where they stand
	Exact    int // of them, read without an error
	Chars    int // drawn
	Errors   int // edits from what was read to what was drawn
	Spurious int // characters read where nothing was drawn, not among Errors
}

// CER is the character error rate, edits by characters drawn; what was read where
// nothing is counts as well.
func (s Score) CER() float64 {
	if s.Chars == 0 {
		return 0
	}
	return float64(s.Errors+s.Spurious) / float64(s.Chars)
}

// Reading is what Measure learned of one picture.
type Reading struct {
	Score  Score
	Took   time.Duration // of ReadText alone
	Misses []Miss
}

// Miss is a line that was not read as it was drawn.
type Miss struct {
	Line Line
	Read string
}

// Measure has r read p and holds what it says against the truth. All lines of p must be
// of one language for the score to be one's.
func Measure(ctx context.Context, r Reader, p *Picture) (Reading, error) {
	began := time.Now()
	read, err := r.ReadText(ctx, p.Image)
	took := time.Since(began)
	if err != nil {
		return Reading{}, fmt.Errorf("measure reading: %w", err)
	}
	out := Reading{Took: took}
	used := make([]bool, len(read))
	for _, line := range p.Lines {
		out.Score.Lang = line.Lang
		got := readAt(line, read, used)
		want := canonical(line.Text, line.Lang)
		edits := distance([]rune(want), []rune(canonical(got, line.Lang)))
		out.Score.Lines++
		out.Score.Chars += len([]rune(want))
		out.Score.Errors += edits
		if got != "" {
			out.Score.Found++
		}
		if edits == 0 {
			out.Score.Exact++
		} else {
			out.Misses = append(out.Misses, Miss{line, got})
		}
	}
	for i, l := range read {
		if !used[i] {
			out.Score.Spurious += len([]rune(canonical(l.Text, out.Score.Lang)))
			out.Misses = append(out.Misses, Miss{Read: l.Text})
		}
	}
	return out, nil
}

// Add sums the scores of one language.
func (s Score) Add(o Score) Score {
	s.Lines, s.Found, s.Exact = s.Lines+o.Lines, s.Found+o.Found, s.Exact+o.Exact
	s.Chars, s.Errors, s.Spurious = s.Chars+o.Chars, s.Errors+o.Errors, s.Spurious+o.Spurious
	return s
}

// readAt joins what was read where line stands, left to right: a reader may take a line
// for several.
func readAt(line Line, read []engines.TextLine, used []bool) string {
	var here []engines.TextLine
	for i, l := range read {
		b := l.Place.Box
		middle := image.Pt(b[0]+b[2]/2, b[1]+b[3]/2)
		if !used[i] && near(middle, line) {
			used[i] = true
			here = append(here, l)
		}
	}
	slices.SortFunc(here, func(a, b engines.TextLine) int { return a.Place.Box[0] - b.Place.Box[0] })
	parts := make([]string, len(here))
	for i, l := range here {
		parts[i] = l.Text
	}
	return strings.Join(parts, " ")
}

// near says whether p lies within 0.7 sizes of the line's middle.
func near(p image.Point, line Line) bool {
	a, d := line.From, line.To.Sub(line.From)
	long := float64(d.X*d.X + d.Y*d.Y)
	if long == 0 {
		return false
	}
	q := p.Sub(a)
	t := clamp01(float64(q.X*d.X+q.Y*d.Y) / long)
	dx, dy := float64(q.X)-t*float64(d.X), float64(q.Y)-t*float64(d.Y)
	limit := 0.7 * line.Size
	return dx*dx+dy*dy <= limit*limit
}

// canonical is text without what does not matter for who reads it: widths of characters
// (NFKC) and, where words don't stand apart, spaces.
func canonical(text string, lang Lang) string {
	text = strings.Join(strings.Fields(norm.NFKC.String(text)), " ")
	if lang.Spaced() {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// distance is the number of runes to insert, delete or replace (Levenshtein).
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := before
			if x != y {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
