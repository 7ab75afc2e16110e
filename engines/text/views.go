package text

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// views scans the message as it reads and, where it may read otherwise, so.
func (e *Engine) views(ctx context.Context, s *scratch) error {
	l := e.lexicon
	buildPlain(&s.plain, s.norm.units, &l.auto.alphabet)
	s.scan(l, &s.plain, s.plain.whole(), false)
	s.guess(l, &s.plain, s.plain.whole())
	if s.norm.hints&hintKeys != 0 {
		s.mistyped(l)
	}
	s.weigh(l, 0)
	s.alt.scan(s.norm.units)
	if s.alt.needed {
		s.disguised = true
		s.masked(l)
		for i := range s.evasive {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("inspect text: %w", err)
			}
			v := &s.evasive[i]
			s.alt.build(v, i > 0)
			if !v.altered {
				break
			}
			from := len(s.hits)
			s.scan(l, v, v.whole(), true)
			s.guess(l, v, v.whole())
			s.weigh(l, from)
			if !v.ambiguous {
				break
			}
		}
	}
	s.disguised = false
	return s.furtherReadings(ctx, l)
}

// mistyped finds words typed on the keyboard of another script, where signs are letters.
func (s *scratch) mistyped(l *lexicon) {
	units := s.norm.units
	for i := 0; i < len(units); {
		p := chunk{first: int32(i)}
		for ; i < len(units) && !isSpace(units[i].r); i++ {
			if p.letters++; p.letters <= longestGuess {
				p.hash = hashRune(p.hash, units[i].r)
			}
		}
		if d, ok := l.masks.guesses.find(p.hash); ok && d.steps == stepLayout && p.letters <= longestGuess {
			s.hits = append(s.hits, hit{
				span:    engines.Span{Start: int(units[p.first].start), End: int(units[i-1].end)},
				pattern: d.pattern, steps: stepLayout,
			})
		}
		i++
	}
}
