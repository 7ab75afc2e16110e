package text

// Limits of a text that is read downwards: more lines or longer ones are prose.
const (
	maxColumns = 24
	maxRows    = 64
)

// grid is a text of short lines.
type grid struct {
	starts, ends      [maxRows]int32
	rows              int
	widest, narrowest int
	latin             bool // words stand between separators
}

// read cuts units into lines and reports whether there are few enough.
func (g *grid) read(units []unit) bool {
	g.narrowest = 1 << 30
	for i := 0; i <= len(units); i++ {
		from := i
		for i < len(units) && units[i].r != '\n' {
			i++
		}
		to := i
		for to > from && isSpace(units[to-1].r) {
			to--
		}
		if to == from {
			continue
		}
		if g.rows == maxRows {
			return false
		}
		g.starts[g.rows], g.ends[g.rows] = int32(from), int32(to)
		g.rows++
		g.widest, g.narrowest = max(g.widest, to-from), min(g.narrowest, to-from)
		g.latin = g.latin || units[from].class.alphabetic()
	}
	return g.rows > 1 && g.widest > 1
}

// columns returns how many columns may be read downwards: all of a block, the
// first letters alone of other lines in an alphabet, none of prose.
func (g *grid) columns() int {
	block := g.widest <= maxColumns && g.widest == g.narrowest
	switch {
	case g.latin && g.rows < 4:
		return 0
	case g.latin && !block:
		return 1
	case g.widest > maxColumns, g.rows == 2 && g.widest > 4, g.widest > g.narrowest+1:
		return 0
	}
	return g.widest
}

// columns reads a text of short lines downwards, column after column.
func (r *readings) columns(n *normaliser) bool {
	var g grid
	if !g.read(n.units) {
		return false
	}
	last := g.columns()
	for k := range last {
		for row := range g.rows {
			at := g.starts[row] + int32(k)
			if at >= g.ends[row] {
				continue
			}
			u := n.units[at]
			u.steps |= stepColumns
			r.units = append(r.units, u)
		}
		// A space of no width, so that columns are words of their own.
		first := n.units[g.starts[0]].start
		r.units = append(r.units, unit{r: ' ', class: classSep, start: first, end: first})
	}
	return last > 0
}
