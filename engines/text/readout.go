package text

import (
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// ReadOut is one way in which a message is read, for people.
type ReadOut struct {
	// Name is plain for the message as it stands, evasive for what it says to who reads
	// through its disguises, or the trick that the reading undoes.
	Name    string
	Text    string
	Changes []ReadChange // what is read otherwise than it is written, in order
}

// ReadChange is a place that is read otherwise than it is written, and the steps that
// say so, by the names that rules carry.
type ReadChange struct {
	Span          engines.Span
	Written, Read string
	Steps         []string
}

// ReadOuts lists the readings in which Inspect looks for words. It is for people, and
// allocates.
func (e *Engine) ReadOuts(item *engines.Item) []ReadOut {
	s := newScratch()
	s.begin(item)
	points := []rune(item.Text)
	buildPlain(&s.plain, s.norm.units, &e.lexicon.auto.alphabet)
	out := []ReadOut{readOut("plain", &s.plain, points)}
	add := func(name string, v *view) bool {
		one := readOut(name, v, points)
		if !slices.ContainsFunc(out, func(o ReadOut) bool { return o.Text == one.Text }) {
			out = append(out, one)
		}
		return v.ambiguous
	}
	s.alt.scan(s.norm.units)
	if s.alt.needed {
		for i := range s.evasive {
			v := &s.evasive[i]
			s.alt.build(v, i > 0)
			if !v.altered || !add("evasive", v) {
				break
			}
		}
	}
	r := &s.alt.more
	if r.alt == nil {
		r.alt = new(altBuilder)
	}
	for i := range asides {
		a := &asides[i]
		r.units = r.units[:0]
		if a.why != 0 && s.norm.hints&a.why == 0 || !a.build(r, &s.norm) {
			continue
		}
		r.alt.scan(r.units)
		r.alt.build(&r.view, false)
		add(a.name, &r.view)
	}
	return out
}

// readOut writes a view out.
func readOut(name string, v *view, points []rune) ReadOut {
	var b strings.Builder
	out := ReadOut{Name: name, Changes: []ReadChange{}}
	for i := range v.syms {
		y := &v.syms[i]
		read := strings.Repeat(string(y.r), max(1, int(y.count)))
		b.WriteString(read)
		if y.steps == 0 {
			continue
		}
		span, steps := v.span(i, i), strings.Split(y.steps.String(), "+")
		if y.steps&(stepInvisible|stepJoined) != 0 && i > 0 {
			span.Start = min(span.Start, max(v.span(i-1, i-1).End, 0)) // what was dropped stands before it
		}
		if last := len(out.Changes) - 1; last >= 0 && out.Changes[last].Span.End == span.Start && slices.Equal(out.Changes[last].Steps, steps) {
			out.Changes[last].Span.End = span.End
			out.Changes[last].Read += read
			continue
		}
		out.Changes = append(out.Changes, ReadChange{Span: span, Read: read, Steps: steps})
	}
	for i := range out.Changes {
		c := &out.Changes[i]
		c.Written = string(points[min(c.Span.Start, len(points)):min(c.Span.End, len(points))])
	}
	out.Text = strings.TrimSpace(b.String())
	return out
}
