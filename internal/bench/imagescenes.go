package bench

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"math/rand/v2"

	"github.com/portcullis-gg/portcullis/internal/pictures"
)

// drawShots makes screenshots of 1280 × 720: every other one has three or four lines of
// text, half of them turned by up to 15°, in one language after the other.
func drawShots(n int, seed uint64) ([][]byte, error) {
	files := make([][]byte, n)
	for i := range files {
		o := pictures.Options{MaxAngle: 15}
		if i%2 == 1 {
			o.Lines = 3 + i/2%2
			o.Langs = []pictures.Lang{pictures.Langs[i/2%len(pictures.Langs)]}
		}
		p, err := pictures.Screenshot(seed+uint64(i), o)
		if err != nil {
			return nil, err //nolint:wrapcheck // it says what it is
		}
		files[i] = p.JPEG
	}
	return files, nil
}

// drawAvatars makes pictures of 256 × 256 without text.
func drawAvatars(n int, seed uint64) ([][]byte, error) {
	files := make([][]byte, n)
	for i := range files {
		img := pictures.Scene(rand.New(rand.NewPCG(seed, uint64(i))), 256, 256) //nolint:gosec // the same picture each time
		var b bytes.Buffer
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 85}); err != nil {
			return nil, fmt.Errorf("draw: %w", err)
		}
		files[i] = b.Bytes()
	}
	return files, nil
}
