package decode

import (
	"encoding/binary"
	"math"
)

// samples appends samples as numbers from -1 to 1.
func (form *wavForm) samples(dst []float32, b []byte) []float32 {
	le := binary.LittleEndian
	switch {
	case form.encoding == wavALaw:
		return table(dst, b, &aLaw)
	case form.encoding == wavMuLaw:
		return table(dst, b, &muLaw)
	case form.encoding == wavFloat && form.width == 8:
		for ; len(b) >= 8; b = b[8:] {
			dst = append(dst, sane(float32(math.Float64frombits(le.Uint64(b)))))
		}
	case form.encoding == wavFloat:
		for ; len(b) >= 4; b = b[4:] {
			dst = append(dst, sane(math.Float32frombits(le.Uint32(b))))
		}
	case form.width == 1: // the only one without a sign
		for _, v := range b {
			dst = append(dst, (float32(v)-128)/128)
		}
	case form.width == 2:
		for ; len(b) >= 2; b = b[2:] {
			dst = append(dst, float32(int16(le.Uint16(b)))/(1<<15))
		}
	case form.width == 3:
		for ; len(b) >= 3; b = b[3:] {
			v := int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24) >> 8
			dst = append(dst, float32(v)/(1<<23))
		}
	default:
		for ; len(b) >= 4; b = b[4:] {
			dst = append(dst, float32(float64(int32(le.Uint32(b)))/(1<<31)))
		}
	}
	return dst
}

// sane makes silence of what is no number, and bounds what is beyond all loudness: a
// filter would spread it over what comes next.
func sane(v float32) float32 {
	switch {
	case v != v:
		return 0
	case v > 1:
		return 1
	case v < -1:
		return -1
	}
	return v
}

func table(dst []float32, b []byte, of *[256]float32) []float32 {
	for _, v := range b {
		dst = append(dst, of[v])
	}
	return dst
}

// aLaw and muLaw are the two companded scales of ITU-T G.711.
var aLaw, muLaw = scaleA(), scaleMu()

func scaleA() (t [256]float32) {
	for i := range t {
		c := uint8(i) ^ 0x55
		v := int(c&0x0f)<<4 + 8
		if seg := c >> 4 & 7; seg > 0 {
			v = (v + 0x100) << (seg - 1)
		}
		if c&0x80 == 0 {
			v = -v
		}
		t[i] = float32(v) / (1 << 15)
	}
	return t
}

func scaleMu() (t [256]float32) {
	for i := range t {
		c := ^uint8(i)
		v := (int(c&0x0f)<<3+0x84)<<(c>>4&7) - 0x84
		if c&0x80 != 0 {
			v = -v
		}
		t[i] = float32(v) / (1 << 15)
	}
	return t
}
