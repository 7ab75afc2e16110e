package gist

import (
	"bytes"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/unigram"
)

// cutter cuts a text into the numbers of its pieces: of all ways to cut it, the one whose
// pieces have the largest sum of scores. It is memory for one text at a time.
type cutter struct {
	table *unigram.Table
	// whole has texts cut to their ends, however little of them is needed; tests do that.
	whole bool

	text   []byte // as write left it
	starts []int  // where each character begins, and the end
	nodes  []node // the best way to each character
	ids    []int32
	buffer []byte
	known  [64]found
}

// found is what the file said of some of the text's letters.
type found struct {
	from, to int // bytes; to is 0 for nothing yet
	id       int32
	score    float32
}

// node is the last piece of the best way to a place between characters.
type node struct {
	score float64
	from  int   // where the piece begins, -1 for no way yet
	id    int32 // unknown for a character that begins no piece
}

// worse is how much less than the least score of any piece one unknown character has.
const worse = 10

// every is how often it is looked whether enough is known.
const every = 32

// cut gives the pieces of a text with the marks of its beginning and end, as many as the
// table has places for; what comes behind them is left out. The slice is good until the next
// call.
func (c *cutter) cut(text string) ([]int32, error) {
	c.write(text)
	n := len(c.starts) - 1
	clear(c.known[:])
	c.nodes = slices.Grow(c.nodes[:0], n+1)[:n+1]
	for i := range c.nodes {
		c.nodes[i].from = -1
	}
	c.nodes[0] = node{}
	end := n
	for i := range n {
		if err := c.step(i); err != nil {
			return nil, err
		}
		if i%every == every-1 && !c.whole {
			if at, ok := c.settled(i + 1); ok {
				end = at
				break
			}
		}
	}
	return c.path(end), nil
}

// step goes on from a place by every piece that begins there, or by an unknown character.
func (c *cutter) step(i int) error {
	hash, single, last := unigram.Nothing, false, min(len(c.starts)-1, i+c.table.Letters())
	for end := i + 1; end <= last; end++ {
		for _, b := range c.text[c.starts[end-1]:c.starts[end]] {
			hash = hash.With(b)
		}
		id, score, err := c.find(hash, c.starts[i], c.starts[end])
		if err != nil {
			return err
		}
		if id >= 0 {
			c.reach(end, node{c.nodes[i].score + float64(score), i, id})
			single = single || end == i+1
		}
	}
	if !single {
		c.reach(i+1, node{c.nodes[i].score + (float64(c.table.Lowest()) - worse), i, c.table.Unknown()})
	}
	return nil
}

// find looks for a piece, once where the same letters come again and again: rows of points
// are pieces of every length.
func (c *cutter) find(hash unigram.Hash, from, to int) (int32, float32, error) {
	k, letters := &c.known[hash>>58], c.text[from:to]
	if k.to > 0 && bytes.Equal(c.text[k.from:k.to], letters) {
		return k.id, k.score, nil
	}
	id, score, err := c.table.Find(hash, letters, &c.buffer)
	if id >= 0 {
		*k = found{from, to, id, score}
	}
	return id, score, err //nolint:wrapcheck // it says what it was doing
}

// reach keeps a way to a place if it is better than those before it.
func (c *cutter) reach(at int, way node) {
	if n := &c.nodes[at]; n.from < 0 || way.score > n.score {
		*n = way
	}
}

// settled gives a place that every way from i on has gone through, if as many pieces as a text
// has lie before it: what follows changes none of those.
func (c *cutter) settled(i int) (int, bool) {
	at := i
	for p := i - 1; p > i-c.table.Letters() && p >= 0; p-- {
		for other := p; at != other; {
			if at > other {
				at = c.nodes[at].from
			} else {
				other = c.nodes[other].from
			}
		}
	}
	if at < c.table.Tokens()-2 {
		return 0, false // there are fewer characters than pieces
	}
	return at, len(c.path(at)) == c.table.Tokens()
}

// path gives the pieces of the best way to a place, from the first on; unknown characters in a
// row are one.
func (c *cutter) path(end int) []int32 {
	c.ids = c.ids[:0]
	unknown := c.table.Unknown()
	for at := end; at > 0; at = c.nodes[at].from {
		id := c.nodes[at].id
		if n := len(c.ids); id == unknown && n > 0 && c.ids[n-1] == unknown {
			continue
		}
		c.ids = append(c.ids, id)
	}
	c.ids = append(c.ids, c.table.First())
	slices.Reverse(c.ids)
	c.ids = c.ids[:min(len(c.ids), c.table.Tokens()-1)]
	return append(c.ids, c.table.Last())
}
