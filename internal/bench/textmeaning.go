package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text/stage"
)

// TextMeaning is what the engine's second stage costs; nil where its models were not fetched.
type TextMeaning struct {
	// Asked is the share of ordinary chat that it is asked about.
	Asked float64 `json:"asked_share"`
	// Networks are those that are there, each by itself.
	Networks []TextNetwork `json:"networks"`
}

// TextNetwork is what one network takes of a sentence of 32 pieces of words.
type TextNetwork struct {
	ID    string  `json:"id"`
	Calls uint64  `json:"calls"`
	P50   float64 `json:"p50_ns"`
	P99   float64 `json:"p99_ns"`
	Max   float64 `json:"max_ns"`
}

// sentences have 32 pieces of words with the marks of their beginning and end, by network.
var sentences = map[string]string{
	models.Meaning: "we played that map for two hours with people from all over the world and the healer never once came back to the base to help us",
	models.Gist:    "we played that map for two hours with people from all over the world and the healer never once came back to the base to help us out there",
}

// reading times the second stage, and asks about each line of chat once, to see for how many
// it is asked.
func (b *textInspector) reading(ctx context.Context, r *stage.Readers, d time.Duration) (*TextMeaning, error) {
	out := &TextMeaning{}
	lines, asked := chatLines(), 0
	for _, l := range lines {
		before := r.Counts().Read
		item := textItem(l)
		if err := b.ask(ctx, &item); err != nil {
			return nil, err
		}
		if r.Counts().Read > before { // by one network or both
			asked++
		}
	}
	out.Asked = float64(asked) / float64(len(lines))
	s := r.Stage()
	for _, n := range [...]struct {
		id   string
		read func(string) bool
	}{
		{models.Meaning, func(text string) bool { _, ok := s.Attacks.Read(ctx, text); return ok }},
		{models.Gist, func(text string) bool { _, ok := s.Meaning.Read(ctx, text); return ok }},
	} {
		if n.id == models.Meaning && s.Attacks == nil || n.id == models.Gist && s.Meaning == nil {
			continue
		}
		var h histogram
		for end := time.Now().Add(d); time.Now().Before(end); {
			began := time.Now()
			if !n.read(sentences[n.id]) {
				return nil, fmt.Errorf("%s did not read a sentence", n.id)
			}
			h.add(time.Since(began))
		}
		out.Networks = append(out.Networks, TextNetwork{n.id, h.n, float64(h.quantile(0.5)), float64(h.quantile(0.99)), float64(h.max)})
	}
	return out, nil
}
