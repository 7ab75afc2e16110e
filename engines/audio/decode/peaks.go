package decode

// Peaks keeps how loud a sound is over its time, to draw it: the zero value has heard
// nothing. It holds a byte for each 5 ms.
type Peaks struct {
	each []byte
	top  float32
	in   int // samples of the step that is not over yet
}

// peakStep is how many samples are one of each.
const peakStep = 80

// Push takes the next block of Unpack.
func (p *Peaks) Push(pcm []float32) {
	for _, v := range pcm {
		p.top = max(p.top, v, -v)
		if p.in++; p.in == peakStep {
			p.close()
		}
	}
}

func (p *Peaks) close() {
	p.each = append(p.each, byte(min(p.top, 1)*255+0.5))
	p.top, p.in = 0, 0
}

// Bytes is the largest amplitude, 0 to 255, in each of n equal parts of what was heard;
// fewer where it is too short for so many.
func (p *Peaks) Bytes(n int) []byte {
	if p.in > 0 {
		p.close()
	}
	n = min(n, len(p.each))
	parts := make([]byte, n)
	for i := range parts {
		for _, v := range p.each[i*len(p.each)/n : (i+1)*len(p.each)/n] {
			parts[i] = max(parts[i], v)
		}
	}
	return parts
}
