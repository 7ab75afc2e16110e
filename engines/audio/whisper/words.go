package whisper

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

// unspaced are languages that are written without spaces between words.
var unspaced = []string{"zh", "ja", "th", "lo", "my", "yue", "km", "bo"}

// result is what was written, in words.
func (w *writing) result() speech.Result {
	r := speech.Result{Language: w.language, LanguageProb: w.languageProb, NoSpeech: max(0, w.noSpeech), Cut: w.cut}
	if w.m.tokens.languages == nil {
		r.Language = "en"
	}
	for _, p := range w.logProbs {
		r.AvgLogProb += p / float64(len(w.logProbs))
	}
	r.Words = w.words()
	r.Text = textOf(r.Words)
	return r
}

// textOf is words as a text.
func textOf(words []speech.Word) string {
	var text strings.Builder
	for i, word := range words {
		if i > 0 && !word.Glued {
			text.WriteByte(' ')
		}
		text.WriteString(word.Text)
	}
	return text.String()
}

// words puts tokens together. A token may be a part of a letter.
func (w *writing) words() []speech.Word {
	begins := w.follow.times()
	var words []speech.Word
	var b []byte
	first := 0 // token of b
	for i, token := range w.written {
		b = append(b, w.m.tokens.bytes[token]...)
		if !utf8.Valid(b) && i < len(w.written)-1 {
			continue
		}
		text := strings.ToValidUTF8(string(b), "")
		at, end := w.tickMS(begins, first), w.tickMS(begins, i+1)
		words = w.join(words, text, at, end, math.Exp(mean(w.logProbs[first:i+1])))
		if len(words) > 0 {
			last := &words[len(words)-1]
			last.Own = append(last.Own, w.written[first:i+1]...)
		}
		b, first = b[:0], i+1
	}
	return words
}

// join adds a piece of text: a new word, or the end of the last one.
func (w *writing) join(words []speech.Word, text string, at, end int64, prob float64) []speech.Word {
	bare := strings.TrimSpace(text)
	if bare == "" {
		return words
	}
	spaced := text[0] == ' '
	mark := !strings.ContainsFunc(bare, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) })
	if len(words) > 0 && !spaced && (mark || !slices.Contains(unspaced, w.language)) {
		last := &words[len(words)-1]
		last.Text += bare
		if !mark { // a mark takes no time and says nothing of the word
			last.EndMS, last.Prob = end, min(last.Prob, prob)
		}
		return words
	}
	return append(words, speech.Word{Text: bare, Glued: !spaced && len(words) > 0, AtMS: at, EndMS: max(at, end), Prob: prob})
}

// tickMS is when a token begins.
func (w *writing) tickMS(begins []int, token int) int64 {
	if len(begins) == 0 {
		return 0
	}
	return min(w.ms, int64(begins[min(token, len(begins)-1)])*1000/ticksPerSecond)
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(max(1, len(v)))
}
