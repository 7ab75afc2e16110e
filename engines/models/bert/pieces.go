package bert

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/models/unigram"
)

// Pieces makes the table of pieces (engines/models/unigram) of base, multilingual-e5-small in
// 4 bits: the pieces' vectors stay as they are there.
func Pieces(base, trained []byte) ([]byte, error) {
	e, err := open(base, trained)
	if err != nil {
		return nil, err
	}
	p, err := readPacked(base)
	if err != nil {
		return nil, err
	}
	n := len(p.pieces)
	s := &unigram.Source{
		Pieces: p.pieces, Scores: p.scores, Normal: p.normal, Unknown: p.unknown, First: p.first, Last: p.last, Tokens: e.tokens, Width: width,
		Positions: e.positions(), Gamma: e.floats("embeddings.LayerNorm.weight", width), Beta: e.floats("embeddings.LayerNorm.bias", width),
	}
	rows := p.tensors["embeddings.word_embeddings.weight"] // a few more than there are pieces
	if rows == nil || rows.kind != kindFour || rows.shape[0] < n {
		e.fail("no vectors in 4 bits of %d pieces", n)
	}
	if e.err != nil {
		return nil, fmt.Errorf("convert the pieces: %w", e.err)
	}
	s.Rows = rows.raw[:n*width/unigram.Block*unigram.BlockBytes]
	b, err := s.Marshal()
	if err != nil {
		return nil, fmt.Errorf("convert the pieces: %w", err)
	}
	return b, nil
}

// positions is what is added to a token where it stands; every text is of the first kind.
func (e *encoder) positions() []float32 {
	positions := e.floats("embeddings.position_embeddings.weight", 512, width)[:e.tokens*width]
	kinds := e.floats("embeddings.token_type_embeddings.weight", 2, width)
	for i := range positions {
		positions[i] += kinds[i%width]
	}
	return positions
}
