package classify

import (
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/image/classify/eight"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Set is what looks at pictures in this process. Whoever loads it closes it, once
// nothing looks any more.
type Set struct {
	detectors []image.Detector
	networks  []*network
}

// Load loads the networks of the manifest that are in the store, and the operator's
// own, and notes on the board what became of each. The library must have been started
// (onnx.Start); where it was not, that is what the board says of each. Own models
// that don't load are errors, since somebody asked for them; the set is usable all the
// same. Those of the manifest are rounded (package eight, else onnx.NewHalf) where the
// processor gains by that, unless exact asks for float32.
func Load(store *models.Store, own []Own, exact bool, board *models.Board) (*Set, error) {
	s := &Set{}
	nudity := known{models.Nudity, "nsfwjs-mid.onnx", nsfwInput, eight.Nudity}
	safety := known{models.Safety, "image-safety-s.onnx", safetyInput, eight.Safety}
	d := &builtin{nsfw: s.take(store, &nudity, exact, board), safety: s.take(store, &safety, exact, board)}
	if d.nsfw != nil || d.safety != nil {
		s.detectors = append(s.detectors, d)
	}
	var errs []error
	for i := range own {
		o, err := own[i].load(store.Dir())
		if err != nil {
			board.Failed(own[i].Name, err)
			errs = append(errs, fmt.Errorf("models.own %s: %w", own[i].Name, err))
			continue
		}
		board.Loaded(own[i].Name)
		s.networks = append(s.networks, o.network)
		s.detectors = append(s.detectors, o)
	}
	return s, errors.Join(errs...)
}

// known is a network of the manifest.
type known struct {
	id, file string
	in       Input
	rounded  func(model []byte) (*eight.Net, error)
}

// take loads one network of the manifest, nil where that fails.
func (s *Set) take(store *models.Store, k *known, exact bool, board *models.Board) *network {
	model, err := store.Read(models.Find(k.id), k.file)
	var n *network
	if err == nil {
		n, err = k.open(model, exact)
	}
	if err != nil {
		board.Failed(k.id, err)
		return nil
	}
	board.Loaded(k.id)
	s.networks = append(s.networks, n)
	return n
}

func (k *known) open(model []byte, exact bool) (*network, error) {
	if !exact && onnx.Version() != "" {
		if n, err := newRounded(k.rounded, model, k.in); !errors.Is(err, eight.ErrUnable) {
			return n, err
		} // the processor or the build can't; whatever else is wrong is told
	}
	return newNetwork(onnx.NewHalf, model, k.in)
}

// Detectors are what the image engine has look.
func (s *Set) Detectors() []image.Detector { return s.detectors }

// SHA256 is that of the file of an own model, in hex; "" where it isn't loaded.
func (s *Set) SHA256(name string) string {
	for _, d := range s.detectors {
		if o, ok := d.(*own); ok && o.cfg.Name == name {
			return o.sum
		}
	}
	return ""
}

// Close frees the networks.
func (s *Set) Close() error {
	var errs []error
	for _, n := range s.networks {
		errs = append(errs, n.close())
	}
	return errors.Join(errs...)
}
