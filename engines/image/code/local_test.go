package code

import (
	"math/rand/v2"
	"testing"
)

// TestLocal compares with the definition: a pixel is dark that is below the mean of the
// window around it, of any size of picture, and the turned mask has it where it belongs.
func TestLocal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		g := &gray{w: 1 + rng.IntN(90), h: 1 + rng.IntN(70)}
		g.pix = make([]byte, g.w*g.h)
		for i := range g.pix {
			g.pix[i] = byte(rng.IntN(256))
		}
		r := 1 + rng.IntN(40)
		m := g.local(r)
		turned := m.turned()
		for y := range g.h {
			for x := range g.w {
				sum, n := 0, 0
				for j := max(0, y-r); j <= min(g.h-1, y+r); j++ {
					for i := max(0, x-r); i <= min(g.w-1, x+r); i++ {
						sum += int(g.pix[j*g.w+i])
						n++
					}
				}
				want := (int(g.pix[y*g.w+x])+1)*n <= sum
				if m.dark[y*g.w+x] != want || turned.dark[x*g.h+y] != want {
					t.Fatalf("%dx%d, radius %d, at %d,%d: %v, turned %v, want %v", g.w, g.h, r, x, y, m.dark[y*g.w+x], turned.dark[x*g.h+y], want)
				}
			}
		}
	}
}
