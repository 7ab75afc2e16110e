package audio

import (
	"context"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

func TestPartials(t *testing.T) {
	var p partials
	var r, other speech.Recogniser = named("r"), named("other")
	s := stream{player: "p"}
	words := []speech.Word{{Text: "one", AtMS: 1000, EndMS: 1400}, {Text: "two", AtMS: 1400, EndMS: 2000}, {Text: "three", AtMS: 2300, EndMS: 3900}}
	check := func(name string, by speech.Recogniser, from, to, want int64, expected ...string) {
		t.Helper()
		start, got := p.start(s, by, from, to)
		if start != want || len(got) != len(expected) {
			t.Errorf("%s: from %d, %v; want %d, %v", name, start, got, want, expected)
			return
		}
		for i, w := range got {
			if w.Text != expected[i] || w.AtMS < 0 {
				t.Errorf("%s: word %+v, want %s", name, w, expected[i])
			}
		}
	}
	check("a new stream", r, 1000, 1400, 1000)
	check("a new stream that is long", r, 1000, 9000, 6000)
	p.keep(s, before{by: r, fromMS: 1000, endMS: 3900, words: words}, true)
	check("it grows", r, 1000, 3950, 1000, "one", "two", "three")
	check("it has grown too long", r, 1000, 4200, 2100, "three")
	check("the window has moved on", r, 1500, 4000, 1500, "three")
	p.keep(s, before{by: r, fromMS: 2200, endMS: 4300, words: []speech.Word{{Text: "free", Own: []int{7}, AtMS: 2300, EndMS: 3900}}}, true)
	if got := p.whole(s, r, 1000, 4400); len(got) != 3 || got[0].Text != "one" || got[2].Text != "free" || got[2].AtMS != 1300 || got[2].Own == nil {
		t.Errorf("the whole stretch is %+v", got)
	}
	if got := p.whole(s, other, 1000, 4400); len(got) != 3 || got[2].Own != nil {
		t.Errorf("another recogniser is given %+v", got)
	}
	if got := p.whole(s, r, 9000, 9900); got != nil {
		t.Errorf("another stretch is given %+v", got)
	}
	check("another recogniser", other, 1000, 3950, 1000)
	check("another stretch", r, 8000, 8400, 8000)
	check("back in time", r, 0, 400, 0)
	p.keep(s, before{}, false)
	check("it has ended", r, 1000, 3950, 1000)
	for i := range streams + 10 {
		p.keep(stream{player: engines.PlayerID(strconv.Itoa(i))}, before{by: r}, true)
	}
	if len(p.all) != streams {
		t.Errorf("%d streams are remembered", len(p.all))
	}
}

type named string

func (named) Recognise(context.Context, []float32, speech.Options) (speech.Result, error) {
	return speech.Result{}, nil
}

// A worker is not told whose voice it listens to.
func TestPartialsOfNobody(t *testing.T) {
	var p partials
	r := named("r")
	s := stream{app: "game"}
	p.keep(s, before{by: r, fromMS: 0, endMS: 1000, words: []speech.Word{{Text: "one", EndMS: 400}}}, true)
	if start, words := p.start(s, r, 0, 1400); start != 0 || len(words) > 0 {
		t.Errorf("from %d with %v: another voice's words", start, words)
	}
}
