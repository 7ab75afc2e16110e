package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/portcullis-gg/portcullis/engines"
)

// mask replaces every grapheme cluster that a span touches with one *, so that a
// base letter never stays behind its accent, nor half a flag or family emoji.
// Spans count code points and are sorted. The masked text has as many clusters
// as text: control characters (line ends, zero-width spaces) stay as they are,
// since a * in their place would join with what stands beside them.
func mask(text string, spans []engines.Span) string {
	var b strings.Builder
	b.Grow(len(text))
	at, state := 0, -1
	for rest := text; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		end := at + utf8.RuneCountInString(cluster)
		for len(spans) > 0 && spans[0].End <= at {
			spans = spans[1:]
		}
		if len(spans) > 0 && spans[0].Start < end && !isControl(cluster) {
			b.WriteByte('*')
		} else {
			b.WriteString(cluster)
		}
		at = end
	}
	return b.String()
}

// isControl reports whether a cluster is a control in the sense of UAX #29: one
// that even a combining mark does not join.
func isControl(cluster string) bool {
	last, _ := utf8.DecodeLastRuneInString(cluster)
	if unicode.IsGraphic(last) {
		return false
	}
	const acute = "\u0301"
	return uniseg.GraphemeClusterCount(cluster+acute) > 1
}
