package ocr

import (
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/models"
)

// Load makes a Reader of the models of a store and notes on the board which of them it
// has. Without the networks there is none; without the reader of a script, or the
// library that it needs, lines of that script stay unread.
func Load(store *models.Store, board *models.Board, cfg Config) (*Reader, error) {
	r, err := load(store, cfg)
	if err != nil {
		board.Failed(models.PaddleOCR, err)
		return nil, err
	}
	board.Loaded(models.PaddleOCR)
	note := func(id string, err error) {
		if err != nil {
			board.Failed(id, err)
			return
		}
		board.Loaded(id)
	}
	note(models.KoreanOCR, r.loadKorean(store))
	note("tesseract-"+Vietnamese, r.loadScript(store, "tesseract-"+Vietnamese, Vietnamese))
	return r, nil
}

func load(store *models.Store, cfg Config) (*Reader, error) {
	var m Models
	for name, to := range map[string]*[]byte{"det.onnx": &m.Detector, "rec.onnx": &m.Recogniser, "keys.txt": &m.Dictionary} {
		var err error
		if *to, err = read(store, models.PaddleOCR, "ppocr-v6/"+name); err != nil {
			return nil, err
		}
	}
	r, err := New(m, cfg)
	if err != nil {
		return nil, err
	}
	if err := r.AddThai(m.Recogniser); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Reader) loadKorean(store *models.Store) error {
	model, err := read(store, models.KoreanOCR, "ppocr-v3-ko/rec.onnx")
	if err != nil {
		return err
	}
	keys, err := read(store, models.KoreanOCR, "ppocr-v3-ko/keys.txt")
	if err != nil {
		return err
	}
	return r.AddKorean(model, keys)
}

func (r *Reader) loadScript(store *models.Store, id, script string) error {
	data, err := read(store, id, "tesseract/"+script+".traineddata")
	if err != nil {
		return err
	}
	return r.AddScript(script, data)
}

func read(store *models.Store, id, file string) ([]byte, error) {
	m := models.Find(id)
	if m == nil {
		return nil, errors.New("no model " + id + " for this machine")
	}
	b, err := store.Read(m, file)
	if err != nil {
		return nil, fmt.Errorf("read text in pictures: %w", err)
	}
	return b, nil
}
