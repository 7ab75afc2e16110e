package classify

import (
	stdimage "image"
	"testing"
)

func BenchmarkSample(b *testing.B) {
	p := stdimage.NewRGBA(stdimage.Rect(0, 0, 1280, 720))
	for i := range p.Pix {
		p.Pix[i] = byte(i * 7)
	}
	data := make([]float32, 3*224*224)
	for b.Loop() {
		safetyInput.fill(p, safetyInput.view(1280, 720), data)
	}
}
