package policy

import "github.com/portcullis-gg/portcullis/engines"

// Evidence of one category that comes by several ways (what a picture shows and
// what is written in it, what is said and how it sounds) makes the category
// likelier than the surest of it alone. What comes by one way does not add up: the
// words, rules and model of a text have all read the same text, and the model has
// weighed them together already. So each way counts with its surest signal, and
// the ways are combined by noisy-or,
//
//	p = 1 - (1 - p1)(1 - p2/2)(1 - p3/2)...     p1 the surest
//
// in which all but the surest count half: they are of one item of one author, so
// they go wrong together more often than by chance. What is less likely than
// telling says nothing, so that the base rates of many ways do not add up.
const (
	telling     = 0.3
	further     = 0.5
	mostCertain = 0.99
)

// ways is by how many ways evidence can come.
const ways = 5

var wayNames = [ways]string{engines.PartContent, string(engines.SourceOCR), string(engines.SourceASR), string(engines.SourceAcoustic), string(engines.SourceHash)}

// way is how a signal's evidence came.
func way(s engines.Source) int {
	switch s {
	case engines.SourceOCR:
		return 1
	case engines.SourceASR:
		return 2
	case engines.SourceAcoustic:
		return 3
	case engines.SourceHash:
		return 4
	}
	return 0 // lexicon, rule, model and custom_list: of the content itself
}

// severalWays reports whether the signals came by more than one way.
func severalWays(signals []engines.Signal) bool {
	for i := 1; i < len(signals); i++ {
		if way(signals[i].Source) != way(signals[0].Source) {
			return true
		}
	}
	return false
}

// combined is what the ways come to for one category.
type combined struct {
	best   [ways]float64
	surest int // index of the surest signal plus one
}

// combine returns, by category, what signals of several ways come to.
func combine(signals []engines.Signal, counts func(s *engines.Signal) bool) (out [categories]combined) {
	for i := range signals {
		s := &signals[i]
		if !(s.Confidence >= telling) || !counts(s) { // written so that NaN is none
			continue
		}
		c := &out[index(s.Category)]
		if w := way(s.Source); s.Confidence > c.best[w] {
			c.best[w] = min(s.Confidence, 1)
		}
		if c.surest == 0 || s.Confidence > signals[c.surest-1].Confidence {
			c.surest = i + 1
		}
	}
	return out
}

// parts are the ways as evidence of a category.
func (c *combined) parts(category engines.Category, dst []engines.Part) []engines.Part {
	first := c.first()
	for w, p := range c.best {
		switch {
		case p == 0:
		case w == first:
			dst = append(dst, engines.Part{From: wayNames[w], Category: category, Confidence: p, Counts: p})
		default:
			dst = append(dst, engines.Part{From: wayNames[w], Category: category, Confidence: p, Counts: further * p})
		}
	}
	return dst
}

// ways is how many there are.
func (c *combined) ways() (n int) {
	for _, p := range c.best {
		if p > 0 {
			n++
		}
	}
	return n
}

// first is the surest way.
func (c *combined) first() (first int) {
	for w := range c.best {
		if c.best[w] > c.best[first] {
			first = w
		}
	}
	return first
}

// confidence is the combined one, and whether more than one way had a part in it.
func (c *combined) confidence() (p float64, several bool) {
	first := c.first()
	not := 1 - c.best[first]
	for w, p := range c.best {
		if w != first && p > 0 {
			not *= 1 - further*p
			several = true
		}
	}
	return max(c.best[first], min(1-not, mostCertain)), several
}
