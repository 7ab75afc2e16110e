package text

import (
	"math/rand/v2"
	"testing"
)

// A row of single letters is counted once for all tokens of it, and as if for each anew.
func TestRowsOfSingleLetters(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same tokens every time
	for range 300 {
		b := altBuilder{tokens: make([]token, 1+draw.IntN(30))}
		for i := range b.tokens {
			switch tok := &b.tokens[i]; draw.IntN(8) {
			case 0:
				tok.latin = 3
			case 1:
				tok.dense, tok.alone = 1, true
			case 2, 3:
				tok.digits, tok.alone = 1, true
			default:
				tok.latin, tok.alone = 1, true
			}
		}
		for i := 0; i < len(b.tokens); i += 1 + draw.IntN(2) {
			n, letters, dense := 0, int32(0), b.tokens[i].dense == 1
			for ; i+n < len(b.tokens); n++ {
				if tok := &b.tokens[i+n]; dense != (tok.dense == 1) || !dense && !tok.single() {
					break
				}
				letters += b.tokens[i+n].letters()
			}
			if dense && n < 2 || !dense && (n < 3 || letters < 2 || letters*2 < int32(n)) {
				n = 0
			}
			if got := b.spelled(i); got != n {
				t.Fatalf("token %d of %+v: %d are one word, want %d", i, b.tokens, got, n)
			}
		}
	}
}
