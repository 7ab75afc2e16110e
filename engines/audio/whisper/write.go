package whisper

import (
	"context"
	"math"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

const (
	// ticksPerSecond is how many positions the encoder makes of a second.
	ticksPerSecond = 50
	// lead and pace bound what is written of a window: tokens at once, and a second.
	// Nobody says more than seven words in one.
	lead, pace = 8, 9
	// context is how many tokens the decoder knows, what was said before among them.
	longestText = 224
)

// writing is one window being written down.
type writing struct {
	m        *Model
	ctx      context.Context //nolint:containedctx // of one call, which ends before it does
	ms       int64
	sound    []onnx.Tensor // what the encoder heard
	language string

	languageProb, noSpeech float64
	past                   []float32 // what the decoder keeps, a row that nobody sees first
	rows, at               int       // of past; tokens that were read
	written                []int
	logProbs               []float64 // of written, and of the end where it came
	follow                 follow
	cut                    bool
}

// write writes until the text ends.
func (w *writing) write() error {
	w.past, w.rows = make([]float32, w.m.kept), 1
	prompt, err := w.prompt()
	if err != nil {
		return err
	}
	most := min(longestText, lead+int(pace*w.ms/1000))
	next := prompt
	for {
		if err := w.ctx.Err(); err != nil {
			return err //nolint:wrapcheck // the caller's own
		}
		var token int
		var logProb float64
		err := w.step(next, func(logits, attention []onnxRow) {
			if w.at == len(next) && len(w.written) == 0 && w.noSpeech < 0 {
				w.noSpeech = share(logits[0], w.m.tokens.silence)
			}
			w.follow.add(attention)
			token, logProb = w.choose(logits[len(logits)-1])
		})
		if err != nil {
			return err
		}
		w.logProbs = append(w.logProbs, logProb)
		if token == w.m.tokens.end {
			return nil
		}
		w.written = append(w.written, token)
		n, again := w.follow.back()
		if !again {
			n, again = w.follow.stuck(w.written)
		}
		if again {
			w.keep(n)
			return nil
		}
		if len(w.written) >= most {
			w.cut = true
			return nil
		}
		next = []int{token}
	}
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
	ids, places := make([]float32, n), make([]float32, n)
	mask := make([]float32, n*(w.rows+n))
	const hidden = -1e9
	for i, t := range tokens {
		ids[i], places[i] = float32(t), float32(w.at+i)
		row := mask[i*(w.rows+n) : (i+1)*(w.rows+n)]
		row[0] = hidden
		for j := w.rows + i + 1; j < len(row); j++ {
			row[j] = hidden
		}
	}
	in := append([]onnx.Tensor{
		{Shape: []int{1, n}, Data: ids}, {Shape: []int{1, n}, Data: places},
		{Shape: []int{1, 1, n, w.rows + n}, Data: mask}, {Shape: []int{w.rows, w.m.kept}, Data: w.past},
	}, w.sound...)
	return w.m.decoder.Run(in, func(out []onnx.Tensor) error { //nolint:wrapcheck // Recognise does
		w.past = append(w.past, out[1].Data...)
		w.rows, w.at = w.rows+n, w.at+n
		use(rows(out[0]), w.follow.rows(out[2]))
		return nil
	})
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
	logits = logits[:t.end+1] // what follows steers
	for _, id := range t.suppressed {
		if id < len(logits) {
			logits[id] = float32(math.Inf(-1))
		}
	}
	if len(w.written) == 0 {
		for _, id := range t.suppressedFirst {
			if id < len(logits) {
				logits[id] = float32(math.Inf(-1))
			}
		}
	}
	best := 0
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
	}
	return best, -math.Log(sum(logits, logits[best]))
}

// share is the probability of one token among all.
func share(logits onnxRow, of int) float64 {
	best := logits[0]
	for _, v := range logits {
		best = max(best, v)
	}
	return math.Exp(float64(logits[of]-best)) / sum(logits, best)
}

// sum is Σ e^(v-best), without what is too little to count.
func sum(logits onnxRow, best float32) float64 {
	const little = 20
	s := 0.0
	for _, v := range logits {
		if d := v - best; d > -little {
			s += math.Exp(float64(d))
		}
	}
	return s
}

// keep forgets all but the first n tokens that were written.
func (w *writing) keep(n int) {
	w.written, w.logProbs = w.written[:n], w.logProbs[:n]
	w.follow.keep(n)
}
