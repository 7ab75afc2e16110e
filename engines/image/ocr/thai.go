package ocr

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/thai"
)

// siam reads lines of Thai with a network for them.
type siam struct{ rec *recogniser }

// thaiTight are the parts of a line's height that the network is shown, one after the other
// until it is sure: the first is what it was taught most.
var thaiTight = []float64{0.9, 0.8, 1.0}

// thaiSure is where it is not shown a line again.
const thaiSure = 0.97

// newSiam makes the network of the file of the recogniser for all scripts.
func newSiam(model []byte) (*siam, error) {
	network, err := thai.Network(model)
	if err != nil {
		return nil, err
	}
	rec, err := newRecogniser(network, thai.Dictionary())
	if err != nil {
		return nil, fmt.Errorf("read Thai: %w", err)
	}
	return &siam{rec}, nil
}

func (s *siam) close() error { return s.rec.net.Close() }

// readLine reads the line at r.
func (s *siam) readLine(b *bitmap, r rect, _ reading) (best reading, looks int, err error) {
	for _, part := range thaiTight {
		at := r
		at.height *= part
		got, err := s.rec.read(b, at)
		looks++
		if err != nil {
			return reading{}, looks, err
		}
		if got.confidence > best.confidence {
			best = got
		}
		if best.confidence > thaiSure || !strokes(Thai, best.text) {
			break
		}
	}
	return best, looks, nil
}
