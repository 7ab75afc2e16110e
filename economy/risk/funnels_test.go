package risk

import (
	"math"
	"testing"
)

// What rounding leaves of goods, where a player gave money alone, is no part of its means that
// it gives away whole: sums in another order would give another score.
func TestDevotionIgnoresRounding(t *testing.T) {
	for name, less := range map[string]float32{"nothing": 0, "money's": 1e-7, "a little": 1e-5} {
		coins := node{known: known{own: 2.2, freeOut: 1.16}, coinOut: 1.16 - less}
		goods := node{known: known{own: 2.2, freeOut: 1.16}, found: 2.2, coinOut: less}
		for what, n := range map[string]*node{"money": &coins, "goods": &goods} {
			if got, want := n.devotes(), float32(1.16/2.2); math.Abs(float64(got-want)) > .01 {
				t.Errorf("%s, %s besides: %v of its means, want %v", what, name, got, want)
			}
		}
	}
	both := node{known: known{own: 3, freeOut: 1.9}, found: 1, coinOut: 1}
	if got := both.devotes(); got < .9 {
		t.Errorf("who gives all its goods and half its money: %v", got)
	}
}
