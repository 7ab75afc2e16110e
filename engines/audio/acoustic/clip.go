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

// cut takes a step after a last sample; peak is the height of its highest.
func (m *Meter) cut(pcm []float32, last, peak float32) {
	heights := &m.cuts.heights
	for _, v := range pcm {
		heights[min(crowdBins-1, uint32(abs(v)*crowdBins))]++
	}
	if peak <= cutLevel { // nothing in it can be cut off
		m.run = 0
		return
	}
	run, runs := m.run, 0
	for _, v := range pcm {
		a, d := abs(v), v-last
		full := a >= fullScale && (v > 0) == (last > 0)
		last = v
		if !full && !(a > cutLevel && d < 1e-4*a && d > -1e-4*a) {
			run = 0
			continue
		}
		run++
		// A sine's top is flat too: four samples of it are alike within 1e-4 of its level
		// only below 50 Hz.
		need := flatRun
		if a >= fullScale {
			need = cutRun
		}
		switch {
		case run == need-1:
			runs += need
		case run >= need:
			runs++
		}
	}
	m.run = run
	m.cuts.runs += runs
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
