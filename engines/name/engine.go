package name

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// Reason says what is wrong with a part of a name.
type Reason string

// The reasons.
const (
	Staff       Reason = "impersonates_staff"
	Taken       Reason = "taken"
	LooksTaken  Reason = "looks_like_taken"
	Reserved    Reason = "reserved"
	Hidden      Reason = "hidden_characters"
	NoCharacter Reason = "not_a_character"
	Marks       Reason = "too_many_marks"
	Mixed       Reason = "mixed_scripts"
	NoLetters   Reason = "no_letters"
	TooShort    Reason = "too_short"
	TooLong     Reason = "too_long"
	// Words is a part that the text engine or the app's own words object to.
	Words Reason = "not_allowed"
)

// Reasons lists the reasons.
var Reasons = []Reason{Staff, Taken, LooksTaken, Reserved, Hidden, NoCharacter, Marks, Mixed, NoLetters, TooShort, TooLong, Words}

// Finding is one thing wrong with a name.
type Finding struct {
	Reason Reason
	// Span is where, in code points.
	Span       engines.Span
	Confidence float64
}

// Sizes of names in characters where an app asks for nothing else.
const (
	MinSize = 1
	MaxSize = 32
	// MostTaken bounds the taken names that one check may bring.
	MostTaken = 1000
)

// Engine looks at names. It is safe for concurrent use.
type Engine struct{}

var _ engines.Engine = Engine{}

// Inspect appends a signal for each thing that is wrong with the name in item.Text.
func (Engine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if err := ctx.Err(); err != nil {
		return out, fmt.Errorf("inspect name: %w", err)
	}
	for _, f := range Look(item.Text, item.Naming) {
		out = append(out, engines.Signal{
			Category: engines.Spam, SubLabel: f.Reason.label(), Severity: f.Reason.severity(), Confidence: f.Confidence,
			Source: engines.SourceRule, Span: f.Span, Rule: "name/" + string(f.Reason),
		})
	}
	return out, nil
}

// label is the sub-label of a reason's signal.
func (r Reason) label() string {
	switch r {
	case Staff:
		return "impersonation"
	case Taken, LooksTaken:
		return "taken_name"
	case Reserved:
		return "reserved_name"
	}
	return "unusable_name"
}

func (r Reason) severity() int {
	switch r {
	case Staff:
		return 3
	case Taken, LooksTaken, Reserved:
		return 2
	}
	return 1
}

// Look returns what is wrong with a name, in no order. It is pure.
func Look(name string, ask *engines.Naming) []Finding {
	if ask == nil {
		ask = &engines.Naming{}
	}
	var out []Finding
	all := engines.Span{End: len([]rune(name))}
	n, least, most := size(name), ask.Min, ask.Max
	if least <= 0 {
		least = MinSize
	}
	if most <= 0 {
		most = MaxSize
	}
	switch {
	case n < least:
		out = append(out, Finding{TooShort, all, 0.99})
	case n > most:
		out = append(out, Finding{TooLong, all, 0.99})
	}
	out = unreadable(name, out)
	if ls := fold(name); len(ls) > 0 {
		if c, from, to := impersonates(ls); c > 0 {
			out = append(out, Finding{Staff, engines.Span{Start: ls[from].at, End: ls[to-1].at + 1}, c})
		}
		out = reserved(name, ls, ask.Reserved, out)
	}
	if r := taken(name, ask.Taken); r != "" {
		out = append(out, Finding{r, all, 0.97})
	}
	return out
}

// taken reports whether a name is, or looks like, one of others.
func taken(name string, others []string) Reason {
	if len(others) == 0 {
		return ""
	}
	mine := skeleton(name)
	found := Reason("")
	for _, o := range others {
		switch {
		case o == name:
			return Taken
		case mine != "" && mine == skeleton(o):
			found = LooksTaken
		}
	}
	return found
}

// reserved appends the words of a name that look like a reserved one.
func reserved(name string, ls []letter, list []string, out []Finding) []Finding {
	if len(list) == 0 {
		return out
	}
	of := make(map[string]bool, len(list))
	for _, w := range list {
		of[skeleton(w)] = true
	}
	delete(of, "")
	if of[skeleton(name)] {
		return append(out, Finding{Reserved, engines.Span{End: len([]rune(name))}, 0.97})
	}
	rs := []rune(name)
	for _, p := range append(words(ls), parts(ls)...) {
		at := engines.Span{Start: ls[p.from].at, End: ls[p.to-1].at + 1}
		if of[skeleton(string(rs[at.Start:at.End]))] || of[skeleton(p.read)] || of[skeleton(p.core)] {
			return append(out, Finding{Reserved, at, 0.95})
		}
	}
	return out
}
