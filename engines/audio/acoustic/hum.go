package acoustic

import "math"

// hum looks for mains and its harmonics in the sound below 500 Hz: brought down to 1000
// samples a second, a spectrum of the last second twice a second, in which a line stands
// out that is where mains says, within the 0.6 % that grids drift.
type hum struct {
	rise float32 // of the last lowRatio samples, see add
	low  [lowFrame + lowHop]float32
	fill int // samples that are new since the last look
	n    int // samples in low; what is too old is moved out once in a while
}

const (
	lowRatio = 16
	lowRate  = rate / lowRatio
	lowFrame = 1024
	lowBins  = lowFrame/2 + 1
	lowHop   = 500 // samples between looks: 500 ms
	mainsOff = 0.006
)

// humFound is what a look came to: mains is 0 for no hum.
type humFound struct {
	mains      float64 // 50 or 60
	level      float64 // of all its lines, dBFS
	prominence float64 // of the clearest line, dB
}

// add takes a step and reports whether it is time for a look.
func (h *hum) add(pcm []float32) bool {
	const fresh = step / lowRatio
	if h.n+fresh > len(h.low) {
		h.n = copy(h.low[:], h.low[h.n-lowFrame+fresh:h.n])
	}
	to := h.low[h.n : h.n+fresh]
	for i := range to {
		// A triangle of 2·16 samples, which has zeros at every multiple of 1000 Hz: it rises over
		// 16, 1 to 16, and falls over the next, by as much as it rises over those.
		var sum, rise float32
		x := (*[lowRatio]float32)(pcm[i*lowRatio:])
		for k := lowRatio - 1; k >= 0; k-- {
			sum += x[k]
			rise += sum
		}
		to[i] = (h.rise + lowRatio*sum - rise) / (lowRatio * lowRatio)
		h.rise = rise
	}
	h.n += fresh
	if h.fill += fresh; h.fill < lowHop || h.n < lowFrame {
		return false
	}
	h.fill = 0
	return true
}

// look finds the lines of either mains in the last second.
func (h *hum) look(cfg *Hum, p []float32, work []complex64) humFound {
	ofLowFrame().Power(p, h.low[h.n-lowFrame:h.n], work, fullScaleSine(lowFrame))
	var best humFound
	for _, mains := range [...]float64{50, 60} {
		if f := lines(mains, cfg, p[:lowBins]); f.mains > 0 && (best.mains == 0 || f.level > best.level) {
			best = f
		}
	}
	return best
}

// lines adds up the lines of one mains. Two must stand out, or one of the first two
// clearly.
func lines(mains float64, cfg *Hum, p []float32) humFound {
	var power, first float64
	found, clearest := 0, 0.0
	for n := 1.0; n*mains <= 400; n++ {
		line, out := lineAt(n*mains, p)
		if out < cfg.Prominence {
			continue
		}
		found++
		power += line
		clearest = max(clearest, out)
		if n <= 2 {
			first = max(first, out)
		}
	}
	f := humFound{level: 3 + db(power), prominence: clearest}
	if (found >= 2 && first > 0 || first >= cfg.Prominence+8) && f.level >= cfg.Level {
		f.mains = mains
	}
	return f
}

// lineAt is the power of the line at a frequency and by how many dB it stands out of
// what is beside it; 0 where the line is elsewhere.
func lineAt(hz float64, p []float32) (power, out float64) {
	const bin = float64(lowRate) / lowFrame
	at := int(math.Round(hz / bin))
	var moment float64
	for k := at - 3; k <= at+3; k++ {
		power += float64(p[k])
		moment += float64(p[k]) * float64(k)
	}
	if power == 0 || math.Abs(moment/power*bin-hz) > 0.2+mainsOff*hz {
		return 0, 0
	}
	beside := 0.0
	for k := 5; k <= 11; k++ {
		beside += float64(p[at-k]) + float64(p[at+k])
	}
	// 7 bins of the line against 14 beside it.
	return power, 10 * math.Log10((power+1e-15)/(beside/2+1e-15))
}
