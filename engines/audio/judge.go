package audio

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/spoken"
)

const (
	// pauseMS is a pause between words that ends a text: what was said before and after
	// has less to do with each other than two messages of a chat.
	pauseMS = 3000
	// maxWords is how many words are one text at most.
	maxWords = 400
)

// judge appends what the text engine says of the words that may be gone by, in texts
// that end at long pauses.
func judge(ctx context.Context, text engines.Engine, item *engines.Item, facts *engines.MediaFacts, out []engines.Signal) ([]engines.Signal, error) {
	words := make([]engines.Spoken, 0, len(facts.Transcript))
	for _, w := range facts.Transcript {
		if !w.Doubted {
			words = append(words, w)
		}
	}
	for len(words) > 0 {
		n := 1
		for n < len(words) && n < maxWords && words[n].FromMS-words[n-1].ToMS < pauseMS {
			n++
		}
		var err error
		if out, err = judgeText(ctx, text, item, words[:n], facts.Heard, out); err != nil {
			return out, fmt.Errorf("words in the sound: %w", err)
		}
		words = words[n:]
	}
	return out, nil
}

// judgeText has one text judged as it was heard and as it would have been written.
func judgeText(ctx context.Context, text engines.Engine, item *engines.Item, words []engines.Spoken, heard string, out []engines.Signal) ([]engines.Signal, error) {
	said := make([]spoken.Word, len(words))
	for i := range words {
		said[i] = spoken.Word{Text: words[i].Text, Glued: words[i].Glued}
	}
	texts := []*spoken.Text{spoken.AsHeard(said)}
	if w := spoken.AsWritten(said); w.String() != "" && w.String() != texts[0].String() {
		texts = append(texts, w)
	}
	first := len(out)
	for _, t := range texts {
		signals, err := text.Inspect(ctx, asText(item, t.String(), heard), nil)
		for i := range signals {
			s := placed(&signals[i], t, words)
			if !knownIn(out[first:], &s) {
				out = append(out, s)
			}
		}
		if err != nil {
			return out, err //nolint:wrapcheck // judge does
		}
	}
	return out, nil
}

// knownIn keeps the surer of two signals that say the same of one place.
func knownIn(found []engines.Signal, s *engines.Signal) bool {
	i := slices.IndexFunc(found, func(f engines.Signal) bool {
		return f.Category == s.Category && f.SubLabel == s.SubLabel && f.Rule == s.Rule && f.Place.AtMS < s.Place.EndMS && s.Place.AtMS < f.Place.EndMS
	})
	if i < 0 {
		return false
	}
	if s.Confidence > found[i].Confidence {
		found[i] = *s
	}
	return true
}

// placed is a signal about a text as one about the words that it was heard in. An
// operator's own word stays one.
func placed(s *engines.Signal, t *spoken.Text, words []engines.Spoken) engines.Signal {
	first, after := t.Words(s.Span.Start, s.Span.End)
	of := words[first:after]
	out := *s
	out.Span = engines.Span{}
	out.Place = &engines.Place{AtMS: of[0].FromMS, EndMS: max(of[len(of)-1].ToMS, of[0].FromMS+1)}
	out.Confidence *= sure(of)
	if out.Source != engines.SourceCustomList {
		out.Source = engines.SourceASR
	}
	return out
}

// enough is how sure of a word a recogniser must be for what was heard to be taken as it
// stands. A phrase that was listened for, and that the sound bears out, is.
const enough = 0.6

// sure is how much a finding in words is worth: as much as the recogniser is sure of
// them, where that is little.
func sure(words []engines.Spoken) float64 {
	sum := 0.0
	for i := range words {
		sum += min(1, max(0, words[i].Confidence))
	}
	return min(1, sum/float64(len(words))/enough)
}

// asText is what the text engine is given of a sound's item.
func asText(item *engines.Item, text, heard string) *engines.Item {
	language := item.Language
	if language == "" {
		language = heard
	}
	return &engines.Item{
		RequestID: item.RequestID, App: item.App, Player: item.Player, Scene: item.Scene, Session: item.Session,
		Kind: engines.KindText, Text: strings.TrimSpace(text), Language: language, StrictLevel: item.StrictLevel,
		Segment: item.Segment, Region: item.Region, ReceivedAt: item.ReceivedAt,
		Context: item.Context, Words: item.Words,
	}
}
