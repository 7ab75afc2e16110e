package acoustic

const (
	fullScale = 0.985
	// cutRun is how many samples in a row at full scale, or exactly alike at any level
	// that can be heard, are cut off.
	cutRun   = 3
	flatRun  = 4
	cutLevel = 0.1

	// What was cut off before noise or a codec came over it is no longer flat, but its
	// samples still crowd below one level. A sine has 2.4 times as many in the top twelfth
	// of its height as in the next; speech has fewer in the top.
	crowdBins = 256
	crowd     = 3
)

// cuts is what 200 ms have of samples that are cut off: in runs, and how many there are
// of every height.
type cuts struct {
	runs    int
	heights [crowdBins]uint16
}

// cut takes a sample v, of height a, after another.
func (m *Meter) cut(v, a, last float32) {
	m.cuts.heights[min(crowdBins-1, int(a*crowdBins))]++
	d := v - last
	switch {
	case a >= fullScale && (v > 0) == (last > 0), a > cutLevel && d < 1e-4*a && d > -1e-4*a:
		m.run++
	default:
		m.run = 0
		return
	}
	// A sine's top is flat too: four samples of it are alike within 1e-4 of its level only
	// below 50 Hz.
	need := flatRun
	if a >= fullScale {
		need = cutRun
	}
	switch {
	case m.run == need-1:
		m.cuts.runs += need
	case m.run >= need:
		m.cuts.runs++
	}
}

// cutShare is the share of the samples of the last second that are cut off.
func cutShare(blocks *[clipBlocks]cuts) float64 {
	runs := 0
	var heights [crowdBins]int
	for i := range blocks {
		runs += blocks[i].runs
		for h, n := range blocks[i].heights {
			heights[h] += int(n)
		}
	}
	top := crowdBins - 1
	for top > 0 && heights[top] == 0 {
		top--
	}
	share := float64(runs) / rate
	if top < crowdBins/10 {
		return share // too soft to say
	}
	part := (top + 11) / 12
	crowded, below := 0, 0
	for i := range part {
		crowded += heights[top-i]
		below += heights[top-part-i]
	}
	if crowded > crowd*below {
		share = max(share, float64(crowded-below)/rate)
	}
	return share
}
