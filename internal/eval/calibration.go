package eval

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// bins is how many the confidences are put into, [0, 0.1), [0.1, 0.2) and so on;
// the last one holds 1 as well.
const bins = 10

// Calibration says whether confidences are probabilities: of the rows whose
// highest confidence is about 0.8, eight in ten should be toxic.
type Calibration struct {
	// Error is the expected calibration error (M. P. Naeini and others, 2015): the
	// mean distance of confidence and truth over the bins, weighed by their rows.
	Error share `json:"ece"`
	// ErrorFired is the same over the rows on which anything fired.
	ErrorFired share     `json:"ece_fired"`
	Bins       [bins]Bin `json:"bins"`
	// Silent is the bin of rows on which nothing fired, which count as 0.
	Silent Bin `json:"silent"`
}

// Bin are the rows of one range of confidence.
type Bin struct {
	Rows  int `json:"rows"`
	Toxic int `json:"toxic"`
	// Confidence is the mean.
	Confidence share `json:"confidence"`

	sum float64
}

func (b *Bin) add(confidence float64, toxic bool) {
	b.Rows++
	b.sum += confidence
	if toxic {
		b.Toxic++
	}
}

// off is how far the bin's confidence and truth are apart, weighed by its rows.
func (b *Bin) off() float64 { return math.Abs(b.sum - float64(b.Toxic)) }

func calibrate(rows []Row, results []Result) *Calibration {
	c := &Calibration{}
	for i := range rows {
		top := results[i].Top
		if top == 0 {
			c.Silent.add(0, rows[i].toxic())
			continue
		}
		c.Bins[min(int(top*bins), bins-1)].add(top, rows[i].toxic())
	}
	off, n := 0.0, 0
	for i := range c.Bins {
		b := &c.Bins[i]
		off += b.off()
		n += b.Rows
		b.Confidence = share(b.sum / float64(b.Rows)) // NaN without rows
	}
	c.ErrorFired = share(off / float64(n))
	// What did not fire belongs to the lowest bin.
	all := off - c.Bins[0].off() + math.Abs(c.Bins[0].sum-float64(c.Bins[0].Toxic+c.Silent.Toxic))
	c.Error = share(all / float64(n+c.Silent.Rows))
	return c
}

func (c *Calibration) text(b *strings.Builder) {
	b.WriteString("\n")
	var g grid
	g.row("confidence", "rows", "mean", "toxic %", "95 %")
	line := func(name string, n *Bin) {
		g.row(name, strconv.Itoa(n.Rows), percent(float64(n.Confidence)), percent(ratio(n.Toxic, n.Rows)), interval(n.Toxic, n.Rows))
	}
	line("nothing fired", &c.Silent)
	for i := range c.Bins {
		line(fmt.Sprintf("%.1f–%.1f", float64(i)/bins, float64(i+1)/bins), &c.Bins[i])
	}
	g.write(b)
}
