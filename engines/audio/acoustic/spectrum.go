package acoustic

// The frame that is looked at each step: 32 ms, so that frames overlap by 12.
const (
	frame  = 512
	bins   = frame/2 + 1
	binHz  = float64(rate) / frame
	lowBin = 2   // 62 Hz; hum has a look of its own below
	topBin = 240 // 7.5 kHz
	lowTop = 12  // 390 Hz
	band   = 16  // bins of a band for flatness: 500 Hz
	// narrowBins is how far from a line narrow reaches.
	narrowBins = 6
)

// features are what the spectrum of a frame says.
type features struct {
	power float32 // of all bins, 0.5 for a full-scale sine
	// flat is the flatness (geometric by arithmetic mean) within bands of 500 Hz, each
	// weighing what it has of the energy: 0.56 for noise of any colour, less for all
	// that has lines.
	flat float32
	// tonal is the share of the strongest line, narrow that of what lies within 200 Hz
	// of it: a line that glides through many bins within a frame, or bits of a modem.
	tonal, narrow float32
	// at is the bin of that line, between bins, and level the log2 of the power there.
	at, level float32
	// bright is the share between 1 and 5 kHz, centroid the mean frequency in Hz.
	bright, centroid float32
	// low is the share below 400 Hz, where every voice has its pitch that does not scream.
	low float32
}

// look computes the features of the power spectrum p and leaves its logarithms in logs.
func look(p, logs []float32) features {
	const floor = 1e-14 // digital silence
	var f features
	var moment, bright, low float32
	best, bestBin := float32(0), lowBin
	for k := lowBin; k < topBin; k++ {
		v := p[k] + floor
		logs[k] = log2(v)
		f.power += v
		moment += v * float32(k)
		switch {
		case k <= lowTop:
			low += v
		case k >= 32 && k < 160:
			bright += v
		}
		if v > best {
			best, bestBin = v, k
		}
	}
	for at := lowBin; at+band <= topBin; at += band {
		var sum, logSum float32
		for k := at; k < at+band; k++ {
			sum += p[k] + floor
			logSum += logs[k]
		}
		// The band's weight is its share of the energy: sum/power · geometric/(sum/band).
		f.flat += band * exp2(logSum/band)
	}
	f.flat /= f.power
	line := float32(0)
	for k := max(lowBin, bestBin-2); k <= bestBin+2; k++ {
		line += p[k]
	}
	f.tonal = min(1, line/f.power)
	for k := max(lowBin, bestBin-narrowBins); k <= min(topBin-1, bestBin+narrowBins); k++ {
		f.narrow += p[k]
	}
	f.narrow = min(1, f.narrow/f.power)
	f.at, f.level = float32(bestBin), logs[bestBin]
	if bestBin > lowBin && bestBin < topBin-1 {
		f.at += vertex(logs, bestBin)
	}
	f.bright, f.low = bright/f.power, low/f.power
	f.centroid = moment / f.power * float32(binHz)
	return f
}
