package decode

// mixer makes one channel of many: their mean. A channel that is the opposite of the
// others would cancel them out, so that nothing is heard of what every listener hears in
// both ears: such a one is turned round. The turn is made over one step, without a click.
type mixer struct {
	sign []float32 // of each channel, 1 or -1
}

func newMixer(channels int) mixer {
	m := mixer{sign: make([]float32, channels)}
	for i := range m.sign {
		m.sign[i] = 1
	}
	return m
}

// turned is by how much the difference must be louder than the sum before a channel is
// taken for the opposite of those before it: 10 dB, far beyond what a room does.
const turned = 10

// down appends the mean of the channels in samples, which come by turns.
func (m *mixer) down(dst, samples []float32) []float32 {
	n := len(m.sign)
	if n == 1 {
		return append(dst, samples...)
	}
	frames := len(samples) / n
	from := len(dst)
	for i := range frames {
		dst = append(dst, samples[i*n]*m.sign[0])
	}
	sum := dst[from:]
	for c := 1; c < n; c++ {
		m.add(sum, samples, c)
	}
	for i := range sum {
		sum[i] /= float32(n)
	}
	return dst
}

// add adds a channel to the sum of those before it.
func (m *mixer) add(sum, samples []float32, c int) {
	n := len(m.sign)
	var same, opposite float64
	for i, have := range sum {
		v := samples[i*n+c] * m.sign[c]
		same += float64(have+v) * float64(have+v)
		opposite += float64(have-v) * float64(have-v)
	}
	sign, slope := m.sign[c], float32(0)
	if opposite > turned*same {
		m.sign[c] = -sign
		slope = -2 * sign / float32(len(sum))
	}
	for i := range sum {
		sum[i] += samples[i*n+c] * sign
		sign += slope
	}
}
