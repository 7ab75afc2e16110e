package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Magic begins a table of words.
const Magic = "PCWORDS1"

// Words makes the table of words of base and its tokenizer.json: numbers are little-endian.
//
//	magic      8 bytes
//	n, d, m    uint32 each: words, values of one, tokens of a text at most
//	positions  m·d float32: what is added where a token stands
//	gamma      d float32, and beta after it: of the normalisation
//	scales     n float32
//	values     n·d int8: word i is its values times scales[i]
//	order      n uint32: the words' numbers, in the order of their bytes
//	ends       n uint32: where each word ends, by its number
//	letters    the words, one after the other
func Words(base, tokenizer, trained []byte) ([]byte, error) {
	e, err := open(base, trained)
	if err != nil {
		return nil, err
	}
	words, err := vocabulary(tokenizer)
	if err != nil {
		return nil, err
	}
	n := len(words)
	m := rounded(e.floats("embeddings.word_embeddings.weight", n, width), n, width)
	b := []byte(Magic)
	for _, v := range []int{n, width, e.tokens} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v)) //nolint:gosec // small
	}
	for _, list := range [][]float32{e.positions(), e.floats("embeddings.LayerNorm.weight", width), e.floats("embeddings.LayerNorm.bias", width), m.scales} {
		for _, f := range list {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
	}
	if e.err != nil {
		return nil, fmt.Errorf("convert the words: %w", e.err)
	}
	for _, v := range m.values {
		b = append(b, byte(v)) //nolint:gosec // its two's complement
	}
	return appendWords(b, words), nil
}

// appendWords writes order, ends and letters.
func appendWords(b []byte, words []string) []byte {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return strings.Compare(words[i], words[k]) })
	for _, i := range order {
		b = binary.LittleEndian.AppendUint32(b, uint32(i)) //nolint:gosec // small
	}
	end := 0
	for _, w := range words {
		end += len(w)
		b = binary.LittleEndian.AppendUint32(b, uint32(end)) //nolint:gosec // small
	}
	return append(b, strings.Join(words, "")...)
}

// vocabulary reads the words out of tokenizer.json, by their numbers.
func vocabulary(tokenizer []byte) ([]string, error) {
	var doc struct {
		Model struct {
			Vocab map[string]int
		}
	}
	if err := json.Unmarshal(tokenizer, &doc); err != nil {
		return nil, fmt.Errorf("read tokenizer.json: %w", err)
	}
	words := make([]string, len(doc.Model.Vocab))
	for w, i := range doc.Model.Vocab {
		if i < 0 || i >= len(words) || words[i] != "" || w == "" {
			return nil, errors.New("tokenizer.json: its words are not numbered from 0 on")
		}
		words[i] = w
	}
	return words, nil
}
