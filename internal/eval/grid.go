package eval

import (
	"strings"
	"unicode/utf8"
)

// grid lines cells up: the first column to the left, the others to the right,
// those from left on to the left again.
type grid struct {
	rows [][]string
	left int // 0 is none
}

func (g *grid) row(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) write(b *strings.Builder) {
	var widths []int
	for _, cells := range g.rows {
		for i, cell := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, cells := range g.rows {
		var line strings.Builder
		for i, cell := range cells {
			if i > 0 {
				line.WriteString("  ")
			}
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 || g.left > 0 && i >= g.left {
				line.WriteString(cell + fill)
			} else {
				line.WriteString(fill + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
