package bench

import (
	"context"
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
)

// TextMeaning is what the engine's second stage costs; nil where its model was not fetched.
type TextMeaning struct {
	// Asked is the share of ordinary chat that it is asked about.
	Asked float64 `json:"asked_share"`
	// Calls were timed of a sentence of Tokens pieces of words.
	Calls  uint64  `json:"calls"`
	Tokens int     `json:"tokens"`
	P50    float64 `json:"p50_ns"`
	P99    float64 `json:"p99_ns"`
	Max    float64 `json:"max_ns"`
}

// sentence has 32 pieces of words with the marks of its beginning and end.
const sentence = "we played that map for two hours with people from all over the world and the healer never once came back to the base to help us out there"

// sentenceTokens is how many.
const sentenceTokens = 32

// reading times the second stage, and asks about each line of chat once, to see for how many
// it is asked.
func (b *textInspector) reading(ctx context.Context, r *reading.Reader[[text.Answers]float64], d time.Duration) (*TextMeaning, error) {
	out := &TextMeaning{Tokens: sentenceTokens}
	lines := chatLines()
	before := r.Counts().Read
	for _, l := range lines {
		item := textItem(l)
		if err := b.ask(ctx, &item); err != nil {
			return nil, err
		}
	}
	out.Asked = float64(r.Counts().Read-before) / float64(len(lines))
	var h histogram
	for end := time.Now().Add(d); time.Now().Before(end); {
		began := time.Now()
		if _, ok := r.Read(ctx, sentence); !ok {
			return nil, errors.New("a sentence was not read")
		}
		h.add(time.Since(began))
	}
	out.Calls, out.P50, out.P99, out.Max = h.n, float64(h.quantile(0.5)), float64(h.quantile(0.99)), float64(h.max)
	return out, nil
}
