package text

import (
	"context"
	"fmt"
	"slices"
)

// readings are what a message may say when it is not read from left to right, as
// it stands. Each is a sequence of units that keep the places they came from.
type readings struct {
	units []unit
	alt   *altBuilder
	view  view
	// places are where the reading is looked through.
	places []place
	// read is how many units of all readings were looked through, at most mostReread and a reading.
	read int
}

// mostReread is how many units of further readings are looked through in a message. Chat is never
// so long; whoever gives ten thousand signs a reason for each way of reading has two of them read.
const mostReread = 12_000

// aside is a reading that a sign in the message gives a reason for; where why is 0 the
// words do.
type aside struct {
	name  string
	why   hint
	build func(*readings, *normaliser) bool
	// shown is the sign where the message as it stands is not what a reader sees.
	shown hint
}

const always = ^hint(0)

// asides are in the order in which they are read.
var asides = [...]aside{
	{"decoded", hintCode | hintBracket | hintPart, (*readings).decode, hintCode},
	{"stripped", hintBracket | hintDigit, (*readings).stripped, 0},
	{"hidden", hintTag, (*readings).hidden, 0},
	{"override", hintOverride, (*readings).overridden, always},
	{"upside_down", hintTurned, (*readings).upsideDown, always},
	{"columns", hintLine, (*readings).columns, 0},
	{"halved", 0, (*readings).halved, 0},
	{"pig_latin", 0, (*readings).unpigOne, 0},
	{"pig_latin", 0, (*readings).unpigTwo, 0},
	{"letter_names", 0, (*readings).toldInNames, 0},
}

// furtherReadings scans the readings that the message gives a reason for.
func (s *scratch) furtherReadings(ctx context.Context, l *lexicon) error {
	n, r := &s.norm, &s.alt.more
	r.read = 0
	for i := range asides {
		a := &asides[i]
		if a.why != 0 && n.hints&a.why == 0 || r.read >= mostReread {
			continue
		}
		r.units = r.units[:0]
		if a.build(r, n) {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("inspect text: %w", err)
			}
			s.reread(l)
			if n.hints&a.shown != 0 && len(s.decoded) == 0 && r.coded() {
				s.decoded = append(s.decoded, r.units...)
				s.forgetCode()
			}
		}
	}
	return nil
}

// reread scans one reading.
func (s *scratch) reread(l *lexicon) {
	r := &s.alt.more
	if r.alt == nil {
		r.alt = new(altBuilder)
	}
	s.disguised = true
	defer func() { s.disguised = false }()
	r.alt.scan(r.units)
	places := append(r.places[:0], place{0, len(r.units)})
	if s.alt.needed && s.alt.told == r.alt.told { // it was looked through in this way
		places = r.narrowed(s.norm.units)
	}
	for _, second := range [...]bool{false, true} {
		if r.read >= mostReread {
			return
		}
		r.alt.build(&r.view, second)
		for _, p := range places {
			r.read += p.to - p.from
		}
		from := len(s.hits)
		for _, p := range places {
			at := r.view.symbols(p)
			s.scan(l, &r.view, at, true)
			s.guess(l, &r.view, at)
		}
		s.weigh(l, from)
		if !r.view.ambiguous {
			return
		}
	}
}

// coded reports whether a third of the letters of the reading and more were written
// in another way than they are read.
func (r *readings) coded() bool {
	letters, read := 0, 0
	for i := range r.units {
		if r.units[i].class.letter() {
			letters++
			if r.units[i].steps&stepsRead != 0 {
				read++
			}
		}
	}
	return 3*read >= letters && read > 1
}

// turn appends units [from, to) from the last to the first.
func (r *readings) turn(units []unit, s step) {
	for _, u := range slices.Backward(units) {
		u.steps |= s
		u.upper = false
		r.units = append(r.units, u)
	}
}

// overridden reads what an override shows from right to left.
func (r *readings) overridden(n *normaliser) bool {
	at := 0
	for _, o := range n.overrides {
		from := at
		for from < len(n.units) && int(n.units[from].start) < o.Start {
			from++
		}
		to := from
		for to < len(n.units) && int(n.units[to].start) < o.End && n.units[to].r != '\n' {
			to++
		}
		r.units = append(r.units, n.units[at:from]...)
		r.turn(n.units[from:to], stepOverride)
		at = to
	}
	r.units = append(r.units, n.units[at:]...)
	return len(n.overrides) > 0
}

// upsideDown reads a message turned by half a turn.
func (r *readings) upsideDown(n *normaliser) bool {
	letters, sure := 0, 0
	for i := range n.units {
		if n.units[i].class.letter() {
			letters++
		}
		if t, ok := turned[n.units[i].r]; ok && n.units[i].r >= 0x80 && t != 0 && n.units[i].r != 'ı' && n.units[i].r != 'ə' {
			sure++
		}
	}
	if sure == 0 || sure*6 < letters {
		return false
	}
	r.turn(n.units, stepReversed)
	for i := range r.units {
		if t, ok := turned[r.units[i].r]; ok {
			r.units[i].r, r.units[i].class, r.units[i].alt = t, classLatin, 0
		}
	}
	return true
}

// hidden reads what is written in invisible letters.
func (r *readings) hidden(n *normaliser) bool {
	r.units = append(r.units, n.tags...)
	return len(n.tags) > 3
}
