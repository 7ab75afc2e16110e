package pdq

import (
	"fmt"
	"testing"
)

func BenchmarkSum(b *testing.B) {
	for _, size := range [][2]int{{1280, 720}, {512, 512}, {256, 256}, {128, 128}} {
		img := scene(1, size[0], size[1])
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Sum(img)
			}
		})
	}
}

func BenchmarkDihedral(b *testing.B) {
	img := scene(1, 512, 512)
	for b.Loop() {
		Dihedral(img)
	}
}

func BenchmarkDistance(b *testing.B) {
	x, _ := Sum(scene(1, 64, 64))
	y, _ := Sum(scene(2, 64, 64))
	for b.Loop() {
		Hash(x).Distance(y)
	}
}
