package image

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// maxWords is how many code points of a picture's text are read.
const maxWords = 10_000

// words appends what the text engine says of the lines and of the contents of codes.
// The lines are one text, since what is offered in one has its price in the next.
func (r *Reader) words(ctx context.Context, item *engines.Item, facts *engines.MediaFacts, out []engines.Signal) ([]engines.Signal, error) {
	var text strings.Builder
	var ends []int // of each line, in code points
	points := 0
	for i := range facts.Text {
		n := utf8.RuneCountInString(facts.Text[i].Text)
		if points+n > maxWords {
			break
		}
		if i > 0 {
			text.WriteByte('\n')
			points++
		}
		text.WriteString(facts.Text[i].Text)
		points += n
		ends = append(ends, points)
	}
	if text.Len() > 0 {
		signals, err := r.cfg.Text.Inspect(ctx, asText(item, text.String()), nil)
		for i := range signals {
			s := &signals[i]
			s.Place = lines(facts.Text[:len(ends)], ends, s.Span)
			s.Confidence *= legible(facts.Text[:len(ends)], ends, s.Span)
			out = append(out, written(*s))
		}
		if err != nil {
			return out, fmt.Errorf("words in the picture: %w", err)
		}
	}
	for i := range facts.Codes {
		c := &facts.Codes[i]
		if !utf8.ValidString(c.Content) || utf8.RuneCountInString(c.Content) > maxWords {
			continue
		}
		signals, err := r.cfg.Text.Inspect(ctx, asText(item, c.Content), nil)
		for _, s := range signals {
			place := c.Place
			s.Place = &place
			out = append(out, written(link(s)))
		}
		if err != nil {
			return out, fmt.Errorf("content of a code: %w", err)
		}
	}
	return out, nil
}

// asText is what the text engine is given of a picture's item.
func asText(item *engines.Item, text string) *engines.Item {
	return &engines.Item{
		RequestID: item.RequestID, App: item.App, Player: item.Player, Scene: item.Scene, Session: item.Session,
		Kind: engines.KindText, Text: text, Language: item.Language, StrictLevel: item.StrictLevel,
		Segment: item.Segment, Region: item.Region, ReceivedAt: item.ReceivedAt,
		Context: &engines.Context{}, Words: item.Words,
	}
}

// written is a signal about words as one about the picture that they stand in. An
// operator's own word stays one.
func written(s engines.Signal) engines.Signal {
	s.Span = engines.Span{}
	if s.Source != engines.SourceCustomList {
		s.Source = engines.SourceOCR
	}
	return s
}

// link gives what a code leads to the categories that pictures have for it.
func link(s engines.Signal) engines.Signal {
	if s.Category != engines.Spam {
		return s
	}
	switch s.SubLabel {
	case "malicious_link":
		s.Category, s.SubLabel = engines.MaliciousLink, "code"
	case "advertising":
		s.Category, s.SubLabel = engines.Advertising, "code"
	}
	return s
}

// within is which of the lines a span covers: from first to before after, all where it
// is empty.
func within(ends []int, span engines.Span) (first, after int) {
	if span.Empty() {
		return 0, len(ends)
	}
	for first < len(ends)-1 && ends[first] <= span.Start {
		first++
	}
	for after = first + 1; after < len(ends) && ends[after-1] < span.End; {
		after++
	}
	return first, after
}

// lines is the place of the lines that a span covers.
func lines(text []engines.TextLine, ends []int, span engines.Span) *engines.Place {
	first, after := within(ends, span)
	place := text[first].Place
	for _, l := range text[first+1 : after] {
		place.Box = around(place.Box, l.Place.Box)
		place.AtMS, place.EndMS = min(place.AtMS, l.Place.AtMS), max(place.EndMS, l.Place.EndMS)
	}
	return &place
}

// around is the box that holds two.
func around(a, b [4]int) [4]int {
	x, y := min(a[0], b[0]), min(a[1], b[1])
	return [4]int{x, y, max(a[0]+a[2], b[0]+b[2]) - x, max(a[1]+a[3], b[1]+b[3]) - y}
}

// legible is how much a finding in lines is worth: as much as the reader is sure of
// them, where that is little.
func legible(text []engines.TextLine, ends []int, span engines.Span) float64 {
	first, after := within(ends, span)
	sum := 0.0
	for _, l := range text[first:after] {
		sum += min(1, max(0, l.Confidence))
	}
	mean := sum / float64(after-first)
	const sure = 0.8 // from here on what was read is taken as it stands
	return min(1, mean/sure)
}
