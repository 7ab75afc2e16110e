package whisper

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

const (
	// readMost is how many tokens are read to weigh guesses, while somebody speaks and at
	// the end: the first few at each of many looks, for which others wait, and then what
	// costs as much as writing six words.
	readMost, readLast = 16, 160
	// readAtOnce is how many of them the network reads at a time: for each it writes a number for every token there is, 200 KB,
	// and as much again while it computes them. A guess longer than that is left out.
	readAtOnce = 40
	// after is how many tokens behind a guess are weighed with it: what fits the sound
	// badly makes what follows unlikely.
	after = 3
	// trust is by how many nats what was written may be likelier than a guess of several
	// words that is taken, at the end and while somebody speaks, when less was heard and more
	// is like it. The network knows a phrase that is rarely written down as little as it likes
	// it, however clearly it was said. wordTrust is trust in one word: more words sound like
	// one than like several. What was measured is in ../README.md.
	trust, partialTrust, wordTrust = 8.0, 6.0, 3.0
	// phraseMean is how unlikely a token of several words may be on the mean: where what was
	// written is made up itself, anything is little less likely than it. Of 724 guesses that
	// were said two were at more than 4.1 (4.5 and 4.7), those that nobody said at 5.4 and more.
	phraseMean = 4.75
	// few tokens, or one word, must be likely by themselves, so many nats each on the mean:
	// "good night" may be "go die". Few that have as many letters as long are like less else.
	few, fewTrust, wordMean = 2, 2.0, 3.0
	long, longTrust         = 9, 3.3
)

// guess writes what may have been said instead of words, where the sound bears it out:
// the network reads it in their place, all guesses at once, each behind the same words
// and seeing no other, and says how likely it is.
func (w *writing) guess(r *speech.Result, o *speech.Options) error {
	if o.Guess == nil || len(r.Words) == 0 {
		return nil
	}
	starts, words := w.places(r.Words)
	if starts == nil {
		return nil
	}
	asked := o.Guess(words)
	n, most := 0, readMost
	if !o.Partial {
		asked, most = heardBefore(asked, o, r.Words), readLast
	}
	var list []weighed
	for _, g := range asked {
		c := w.prepare(g, starts)
		if c.tokens == nil || c.len() > readAtOnce || n+c.len() > most {
			continue
		}
		n += c.len()
		list = append(list, c)
	}
	if err := w.weighAll(list); err != nil {
		return err
	}
	take(r, list, o.Partial)
	return nil
}

// heardBefore adds, to guesses at the words of a stretch that is over, those at what was
// written of it before, at the words that stand at their time now: another network, or this
// one with less of the sound, mishears otherwise. They come before those that are less like
// a phrase.
func heardBefore(list []speech.Guess, o *speech.Options, now []speech.Word) []speech.Guess {
	if len(o.Before) == 0 {
		return list
	}
	words := make([]string, len(o.Before))
	for i := range o.Before {
		words[i] = o.Before[i].Text
	}
	n := len(list)
	for _, g := range o.Guess(words) {
		from, to := o.Before[g.First].AtMS, o.Before[g.After-1].EndMS
		g.First, g.After = during(now, from, to)
		if g.First < g.After && !slices.ContainsFunc(list, func(have speech.Guess) bool {
			return have.Text == g.Text && have.First == g.First && have.After == g.After
		}) {
			list = append(list, g)
		}
	}
	if len(list) > n {
		slices.SortStableFunc(list, func(a, b speech.Guess) int { return cmp.Compare(a.Off, b.Off) })
	}
	return list
}

// during are the words [first, after) of which half or more lies within a time.
func during(words []speech.Word, from, to int64) (first, after int) {
	in := func(w speech.Word) bool { mid := (w.AtMS + w.EndMS) / 2; return from <= mid && mid <= to }
	first = slices.IndexFunc(words, in)
	if first < 0 {
		return 0, 0
	}
	after = first
	for after < len(words) && in(words[after]) {
		after++
	}
	return first, after
}

// weighAll has guesses weighed, as many at a time as may be.
func (w *writing) weighAll(list []weighed) error {
	for len(list) > 0 {
		n, tokens := 0, 0
		for n < len(list) && tokens+list[n].len() <= readAtOnce {
			tokens += list[n].len()
			n++
		}
		if err := w.weigh(list[:n], tokens); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// weighed is a guess and how likely it is.
type weighed struct {
	speech.Guess

	at             int   // the token that it begins with
	tokens, behind []int // those of it, and what follows
	written        float64
	odds, mean     float64 // log probability beyond that of what was written, and of a token of it, in nats
}

// len is how many tokens are read to weigh it.
func (c *weighed) len() int { return len(c.tokens) + len(c.behind) }

// places are the tokens with which words begin, and with which the last one ends; nil
// where some token belongs to none.
func (w *writing) places(of []speech.Word) (starts []int, words []string) {
	at := 0
	for i := range of {
		starts = append(starts, at)
		at += len(of[i].Own)
		words = append(words, of[i].Text)
	}
	if at != len(w.written) {
		return nil, nil
	}
	return append(starts, at), words
}

// prepare is a guess with what it takes to weigh it.
func (w *writing) prepare(g speech.Guess, starts []int) weighed {
	c := weighed{Guess: g, at: starts[g.First]}
	end := starts[g.After]
	for i, word := range strings.Fields(g.Text) {
		if i == 0 && c.at == 0 {
			word = strings.ToUpper(word[:1]) + word[1:] // as texts begin
		}
		c.tokens = append(c.tokens, w.m.tokens.encode(word, false)...)
	}
	c.behind = w.written[end:min(len(w.written), end+after)]
	last := end + len(c.behind)
	if last == len(w.written) && len(w.logProbs) > len(w.written) { // its end was written too
		c.behind, last = append(slices.Clone(c.behind), w.m.tokens.end), last+1
	}
	for _, p := range w.logProbs[c.at:last] {
		c.written += p
	}
	return c
}

// weigh has the decoder read guesses, n tokens in all.
func (w *writing) weigh(list []weighed, n int) error {
	r := w.reading(n)
	for i := range list {
		c := &list[i]
		before, rows := w.lastSaid, w.begun // rows of what it follows, the empty one counted, without its last
		if c.at > 0 {
			before, rows = w.written[c.at-1], w.begun+c.at
		}
		for k, t := range c.read(before) {
			r.add(t, rows-1+k, rows, k)
		}
	}
	return w.m.decoder.Run(r.inputs(w), func(out []onnx.Tensor) error { //nolint:wrapcheck // Recognise does
		logits := rows(out[0])
		for i := range list {
			c := &list[i]
			all := slices.Concat(c.tokens, c.behind)
			sum := 0.0
			for k, t := range all {
				row := w.m.tokens.suppress(logits[k], c.at+k == 0)
				best := row[largest(row)]
				sum += float64(row[t]-best) - math.Log(sumExp(row, best))
				if k == len(c.tokens)-1 {
					c.mean = sum / float64(len(c.tokens))
				}
			}
			c.odds = sum - c.written
			logits = logits[len(all):]
		}
		return nil
	})
}

// read are the tokens whose successors are weighed: the one before, and all but the last.
func (c *weighed) read(before int) []int {
	all := slices.Concat([]int{before}, c.tokens, c.behind)
	return all[:len(all)-1]
}

// borne reports whether the sound bears a guess out.
func (c *weighed) borne(partial bool) bool {
	least, mean := trust, phraseMean
	if partial {
		least = partialTrust
	}
	if len(c.tokens) <= few {
		mean = fewTrust
		if len(strings.ReplaceAll(c.Text, " ", "")) >= long {
			mean = longTrust
		}
	}
	if !strings.Contains(c.Text, " ") {
		least, mean = wordTrust, wordMean
	}
	return c.odds >= -least && c.mean >= -mean
}

// over reports whether two guesses are of some same word.
func (c *weighed) over(o weighed) bool { return c.First < o.After && o.First < c.After }

// take writes the guesses that are borne out into the result, none over another: of two
// the one that holds the other ("useless moron", "moron"), else the likelier.
func take(r *speech.Result, list []weighed, partial bool) {
	list = slices.DeleteFunc(list, func(c weighed) bool { return !c.borne(partial) })
	slices.SortStableFunc(list, func(a, b weighed) int { return cmp.Compare(b.odds, a.odds) })
	var taken []weighed
	for _, c := range list {
		within := slices.ContainsFunc(list, func(o weighed) bool {
			return c.over(o) && c.Text != o.Text && strings.Contains(" "+o.Text+" ", " "+c.Text+" ")
		})
		if !within && !slices.ContainsFunc(taken, c.over) {
			taken = append(taken, c)
		}
	}
	slices.SortFunc(taken, func(a, b weighed) int { return b.First - a.First })
	for _, c := range taken { // from the last, so that places stay
		of := r.Words[c.First:c.After]
		if !said(of, c.Text) {
			of = inTime(of, c.Text)
		}
		for i := range of {
			of[i].Listed, of[i].Phrase = true, strings.Contains(c.Text, " ")
			of[i].Prob = max(of[i].Prob, math.Exp(c.mean))
		}
		r.Words = slices.Replace(r.Words, c.First, c.After, of...)
	}
	if len(taken) > 0 {
		r.Text = textOf(r.Words)
	}
}

// said reports whether words are those of a text but for marks and capitals.
func said(words []speech.Word, text string) bool {
	parts := strings.Fields(text)
	return slices.EqualFunc(words, parts, func(w speech.Word, p string) bool {
		bare := strings.TrimFunc(w.Text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) })
		return strings.EqualFold(bare, p)
	})
}

// inTime is a text in the time of words.
func inTime(over []speech.Word, text string) []speech.Word {
	from, to := over[0].AtMS, over[len(over)-1].EndMS
	parts := strings.Fields(text)
	letters, said := 0, 0
	for _, p := range parts {
		letters += len(p)
	}
	out := make([]speech.Word, 0, len(parts))
	for _, p := range parts {
		word := speech.Word{Text: p, AtMS: from + (to-from)*int64(said)/int64(letters)}
		said += len(p)
		word.EndMS = from + (to-from)*int64(said)/int64(letters)
		out = append(out, word)
	}
	return out
}

// sumExp is Σ e^(v-best), without what is too little to count: e^x as 2^(x/ln 2), its fraction by a polynomial (off by
// 1e-4 at most).
func sumExp(logits onnxRow, best float32) float64 {
	const little = 16
	s := float32(0)
	for _, v := range logits {
		d := v - best
		if d < -little {
			continue
		}
		x := d * 1.442695
		whole := float32(int32(x - 1))
		f := x - whole // 0 to 1, or 1 to 2 at a whole one
		p := 1 + f*(0.6951786+f*(0.2276154+f*0.0780245))
		s += p * math.Float32frombits(uint32(127+int32(whole))<<23) //nolint:gosec // an exponent, 100 to 127
	}
	return float64(s)
}
