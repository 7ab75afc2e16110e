package whisper

import (
	"context"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

const (
	// ticksPerSecond is how many positions the encoder makes of a second.
	ticksPerSecond = 50
	// lead and pace bound what is written of a window: tokens at once, and a second.
	// Nobody says more than seven words of English in one; other languages take up to
	// three tokens for a syllable.
	lead, pace, otherPace = 8, 9, 20
	// longestText is half of what the decoder knows; the other is for what was said before.
	longestText = 224
)

// writing is one window being written down.
type writing struct {
	m        *Model
	ctx      context.Context //nolint:containedctx // of one call, which ends before it does
	ms       int64
	sound    []onnx.Tensor // what the encoder heard
	language string
	expected []int

	languageProb, noSpeech float64
	past                   []float32 // what the decoder keeps, a row that nobody sees first
	rows, at               int       // of past; tokens that were read
	begun, lastSaid        int       // how many of those are the prompt, and its last
	written                []int
	logProbs               []float64 // of written, and of the end where it came
	follow                 follow
	cut                    bool
}

// write writes until the text ends. What is expected (Options.Before) is read at once,
// which costs little more than one token, and kept as far as it is what would have been
// written anyway (speculative decoding, Leviathan et al. 2023, greedily). Where it isn't,
// what is expected goes on behind the word that came out otherwise.
func (w *writing) write() error {
	w.past, w.rows = make([]float32, w.m.kept), 1
	next, err := w.prompt()
	if err != nil {
		return err
	}
	w.begun, w.lastSaid = w.at+len(next), next[len(next)-1]
	draft := draft{tokens: w.expected[:min(len(w.expected), w.most())]}
	for done := false; !done; {
		if err := w.ctx.Err(); err != nil {
			return err //nolint:wrapcheck // the caller's own
		}
		expected := draft.next()
		read := append(slices.Clone(next), expected...)
		unread := 0
		token := 0
		err := w.step(read, func(logits, attention []onnxRow) {
			if w.noSpeech < 0 {
				w.noSpeech = share(logits[0], w.m.tokens.silence)
			}
			known := len(next) - 1
			token, unread, done = w.tokens(read[known+1:], logits[known:], attention[known:])
		})
		if err != nil {
			return err
		}
		w.forget(unread)
		draft.written(len(expected)-unread, token)
		next = []int{token}
	}
	return nil
}

// tokens writes what follows, as long as it is what was expected and read. It returns
// the last token and how many were read in vain.
func (w *writing) tokens(expected []int, logits, attention []onnxRow) (token, unread int, done bool) {
	for i := range logits {
		w.follow.add(attention[i])
		if token, done = w.token(logits[i]); done {
			return token, 0, true
		}
		if i >= len(expected) || expected[i] != token {
			return token, len(expected) - i, false
		}
	}
	return token, 0, false
}

// most is how many tokens are written at most.
func (w *writing) most() int {
	tokens := int64(otherPace)
	if w.language == "en" {
		tokens = pace
	}
	return min(longestText, lead+int(tokens*w.ms/1000))
}

// token writes the next token; done is set where the text ends before it or with it.
func (w *writing) token(logits onnxRow) (token int, done bool) {
	token, logProb := w.choose(logits)
	w.logProbs = append(w.logProbs, logProb)
	if token == w.m.tokens.end {
		return token, true
	}
	w.written = append(w.written, token)
	n, again := w.follow.back()
	if !again {
		n, again = w.follow.stuck(w.written)
	}
	if again {
		w.keep(n)
		return token, true
	}
	w.cut = len(w.written) >= w.most()
	return token, w.cut
}

// forget takes back the last n tokens that the decoder has read.
func (w *writing) forget(n int) {
	w.rows, w.at = w.rows-n, w.at-n
	w.past = w.past[:w.rows*w.m.kept]
}

// prompt is what the decoder begins with. Where the language is to be found out it has
// read the first of it already.
func (w *writing) prompt() ([]int, error) {
	t := w.m.tokens
	w.noSpeech, w.languageProb = -1, 1
	switch {
	case t.languages == nil:
		return []int{t.start, t.plain}, nil
	case w.language != "":
		return []int{t.start, t.languages[w.language], t.transcribe, t.plain}, nil
	}
	err := w.step([]int{t.start}, func(logits, _ []onnxRow) {
		w.noSpeech = share(logits[0], t.silence)
		w.language, w.languageProb = w.m.heard(logits[0])
	})
	return []int{t.languages[w.language], t.transcribe, t.plain}, err
}

// heard is the likeliest of the model's languages.
func (m *Model) heard(logits onnxRow) (language string, prob float64) {
	best, sum := float32(math.Inf(-1)), 0.0
	for _, l := range m.languages {
		if v := logits[m.tokens.languages[l]]; v > best {
			best, language = v, l
		}
	}
	for _, l := range m.languages {
		sum += math.Exp(float64(logits[m.tokens.languages[l]] - best))
	}
	return language, 1 / sum
}

// onnxRow is one row of an output, good until the step ends.
type onnxRow = []float32

// step has the decoder read tokens.
func (w *writing) step(tokens []int, use func(logits, attention []onnxRow)) error {
	n := len(tokens)
	r := w.reading(n)
	for i, t := range tokens {
		r.add(t, w.at+i, w.rows, i)
	}
	return w.m.decoder.Run(r.inputs(w), func(out []onnx.Tensor) error { //nolint:wrapcheck // Recognise does
		w.past = append(w.past, out[1].Data...)
		w.rows, w.at = w.rows+n, w.at+n
		use(rows(out[0]), w.follow.rows(out[2]))
		return nil
	})
}

// reading is some tokens that the decoder reads at once.
type reading struct {
	ids, places, mask []float32
	rows, n           int // of what was read before, and of these
}

func (w *writing) reading(n int) *reading {
	return &reading{ids: make([]float32, 0, n), places: make([]float32, 0, n), mask: make([]float32, 0, n*(w.rows+n)), rows: w.rows, n: n}
}

// add adds a token at a place of the text, which sees the first rows of what was read
// before but the empty one, and of these the last few, itself beside them.
func (r *reading) add(token, place, rows, last int) {
	const hidden = -1e9
	me := r.rows + len(r.ids)
	r.ids, r.places = append(r.ids, float32(token)), append(r.places, float32(place))
	for j := range r.rows + r.n {
		if j >= 1 && j < rows || j >= me-last && j <= me {
			r.mask = append(r.mask, 0)
		} else {
			r.mask = append(r.mask, hidden)
		}
	}
}

func (r *reading) inputs(w *writing) []onnx.Tensor {
	return append([]onnx.Tensor{
		{Shape: []int{1, r.n}, Data: r.ids},
		{Shape: []int{1, r.n}, Data: r.places},
		{Shape: []int{1, 1, r.n, r.rows + r.n}, Data: r.mask},
		{Shape: []int{r.rows, w.m.kept}, Data: w.past},
	}, w.sound...)
}

// rows are the last dimension of a tensor.
func rows(t onnx.Tensor) []onnxRow {
	n := t.Shape[len(t.Shape)-1]
	out := make([]onnxRow, 0, len(t.Data)/n)
	for i := 0; i < len(t.Data); i += n {
		out = append(out, t.Data[i:i+n])
	}
	return out
}

// choose is the likeliest token of text, or the end, and its log probability among them.
// It changes logits.
func (w *writing) choose(logits onnxRow) (token int, logProb float64) {
	t := w.m.tokens
	logits = t.suppress(logits, len(w.written) == 0)
	best := largest(logits)
	logProb = -math.Log(sumExp(logits, logits[best]))
	if best == t.end && float64(w.ms*ticksPerSecond)/1000-w.follow.furthest() > early {
		end := logits[best]
		logits[best] = float32(math.Inf(-1))
		if other := largest(logits); end-logits[other] < doubt {
			return other, logProb - float64(end-logits[other])
		}
	}
	return best, logProb
}

const (
	// early is how many ticks at the end of a window may be unread where its text ends: a
	// pause. In windows shorter than those that the network was made for it now and then
	// ends after a word.
	early = 0.8 * ticksPerSecond
	// doubt is how much surer, in nats, it must be of such an end to have its way.
	doubt = 4
)

// suppress leaves of logits those of text and of its end, without what is never written,
// and at the start what doesn't begin one. It changes logits.
func (t *tokens) suppress(logits onnxRow, first bool) onnxRow {
	logits = logits[:t.end+1] // what follows steers
	never := func(ids []int) {
		for _, id := range ids {
			if id < len(logits) {
				logits[id] = float32(math.Inf(-1))
			}
		}
	}
	never(t.suppressed)
	if first {
		never(t.suppressedFirst)
	}
	return logits
}

func largest(logits onnxRow) int {
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return best
}

// share is the probability of one token among all.
func share(logits onnxRow, of int) float64 {
	best := logits[0]
	for _, v := range logits {
		best = max(best, v)
	}
	return math.Exp(float64(logits[of]-best)) / sumExp(logits, best)
}

// keep forgets all but the first n tokens that were written.
func (w *writing) keep(n int) {
	w.written, w.logProbs = w.written[:n], w.logProbs[:n]
	w.follow.keep(n)
}
