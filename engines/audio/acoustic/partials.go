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
	// rise is how far a line stands out of the lowest within 4 bins beside it, as a power
	// of 2: another line may be as near as three.
	rise = 3
	// held is for how many steps a line lasts that counts as a note.
	held = 9
	// combSteps is after how many its multiples are looked for.
	combSteps = 2
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
		if l <= logs[k-1] || l < logs[k+1] || l < -34 || l < valley(logs[k-4:k])+rise || l < valley(logs[k+1:k+5])+rise {
			continue
		}
		shift := vertex(logs, k)
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

// valley is the lowest of four logarithms.
func valley(logs []float32) float32 {
	_ = logs[3]
	return min(logs[0], logs[1], logs[2], logs[3])
}

// vertex is how far from a bin the top of the parabola through three logarithms lies.
func vertex(logs []float32, k int) float32 {
	d := logs[k-1] - 2*logs[k] + logs[k+1]
	if d >= 0 {
		return 0
	}
	return 0.5 * (logs[k-1] - logs[k+1]) / d
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

// together is the power of the strongest line, which is at a bin, with all that are
// multiples of what it may be one of, and with the strongest other line, and where that is.
// A line that has only begun has no multiples yet.
func (t *partials) together(at float32) (comb, pair, other float32) {
	var lead, next float32
	begun := false
	for i := range t.n {
		l := &t.lines[i]
		if d := l.at - at; l.missed > 0 {
			continue
		} else if max(d, -d) < 1 {
			lead, begun = l.power, l.steps < combSteps
		} else if l.power > next {
			next, other = l.power, l.at
		}
	}
	if lead == 0 {
		return 0, 0, 0
	}
	for part := float32(1); part <= 3 && at/part >= lowestLine && !begun; part++ {
		sum := float32(0)
		for i := range t.n {
			if l := &t.lines[i]; l.missed == 0 && multiple(l.at, at/part) {
				sum += l.power
			}
		}
		comb = max(comb, sum)
	}
	return comb, lead + next, other
}

// multiple reports whether a bin is a whole multiple of another, as far as a frame tells.
func multiple(at, of float32) bool {
	n := float32(int(at/of + 0.5))
	d := at - n*of
	return n >= 1 && max(d, -d) < 0.3+0.005*at
}

// others is how many notes there are beside a line that have nothing to do with it.
func (t *partials) others(of float32) (n int) {
	if of == 0 {
		return 0
	}
	for i := range t.n {
		l := &t.lines[i]
		if l.steps >= held && !multiple(l.at, of) && !multiple(l.at*2, of) && !multiple(of, l.at) {
			n++
		}
	}
	return n
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
