package acoustic

// partials follows the lines of a spectrum from frame to frame (McAulay and Quatieri,
// "Speech Analysis/Synthesis Based on a Sinusoidal Representation", 1986). A note or a
// tone stays where it is; a voice hardly ever does for longer than a syllable.
type partials struct {
	lines [maxLines]line
	n     int
	next  [maxLines]line
}

const (
	maxLines   = 12
	lowestLine = 6 // bin: 190 Hz; what speech keeps steady longest lies below
	// stray is how far, in bins, a line may be from where it was on the whole.
	stray = 0.45
	// rise is how far a line stands out of what is 4 bins beside it, as a power of 2.
	rise = 3
	// held is for how many steps a line lasts that counts as a note.
	held = 9
	// missed is for how many steps a line may be covered by something else.
	missed = 2
	// evenly is how much, as a power of 2, the level of a tone may change from frame to
	// frame: 2.4 dB.
	evenly = 0.8
)

type line struct {
	at     float32 // bin, between bins, on the whole
	level  float32 // log2 of its power, likewise
	power  float32 // in the last frame
	steps  int     // it has lasted
	missed int
	wobble float32 // how much its level changes from frame to frame, log2
}

// follow takes a frame's spectrum and its logarithms.
func (t *partials) follow(p, logs []float32) {
	peaks := [maxLines]line{}
	n := findLines(&peaks, p, logs)
	used := [maxLines]bool{}
	kept := 0
	for i := range t.n {
		old := t.lines[i]
		j := nearest(&peaks, n, &used, &old)
		switch {
		case j >= 0:
			used[j] = true
			weight := float32(1) / float32(min(old.steps+1, 25))
			change := peaks[j].level - old.level
			old.wobble += (max(change, -change) - old.wobble) * weight
			old.at += (peaks[j].at - old.at) * weight
			old.level += change * max(weight, 0.15)
			old.power, old.missed = peaks[j].power, 0
			old.steps++
		case old.missed < missed && old.steps >= 3:
			old.missed++
			old.steps++
		default:
			continue
		}
		t.next[kept] = old
		kept++
	}
	for j := 0; j < n && kept < maxLines; j++ {
		if !used[j] {
			peaks[j].steps = 1
			t.next[kept] = peaks[j]
			kept++
		}
	}
	t.lines, t.n = t.next, kept
}

// nearest is which of the peaks goes on with a line, -1 for none.
func nearest(peaks *[maxLines]line, n int, used *[maxLines]bool, old *line) int {
	best, found := float32(stray), -1
	for j := range n {
		if used[j] {
			continue
		}
		off, change := peaks[j].at-old.at, peaks[j].level-old.level
		if off = max(off, -off); off < best && max(change, -change) < 4 {
			best, found = off, j
		}
	}
	return found
}

// findLines has the strongest local maxima, in order of their bins.
func findLines(peaks *[maxLines]line, p, logs []float32) int {
	n := 0
	for k := lowestLine; k < topBin-5; k++ {
		l := logs[k]
		if l <= logs[k-1] || l < logs[k+1] || l < logs[k-4]+rise || l < logs[k+4]+rise || l < -34 {
			continue
		}
		// The top of the parabola through the three logarithms.
		d := logs[k-1] - 2*l + logs[k+1]
		shift := float32(0)
		if d < 0 {
			shift = 0.5 * (logs[k-1] - logs[k+1]) / d
		}
		top := l - 0.25*(logs[k-1]-logs[k+1])*shift
		found := line{at: float32(k) + shift, level: top, power: p[k-2] + p[k-1] + p[k] + p[k+1] + p[k+2]}
		if n < maxLines {
			peaks[n] = found
			n++
			continue
		}
		weakest := 0
		for i := range peaks {
			if peaks[i].level < peaks[weakest].level {
				weakest = i
			}
		}
		if peaks[weakest].level < found.level {
			copy(peaks[weakest:], peaks[weakest+1:])
			peaks[n-1] = found
		}
	}
	return n
}

// notes is how many lines are held, and the power of all of them.
func (t *partials) notes() (n int, power float32) {
	for i := range t.n {
		if t.lines[i].steps >= held && t.lines[i].missed == 0 {
			n++
			power += t.lines[i].power
		}
	}
	return n, power
}

// steadiest is the strongest line that has lasted for so many steps at an even level;
// the zero line for none.
func (t *partials) steadiest(steps int) line {
	var best line
	for i := range t.n {
		l := &t.lines[i]
		if l.steps >= steps && l.wobble < evenly && (best.steps == 0 || l.level > best.level) {
			best = *l
		}
	}
	return best
}
