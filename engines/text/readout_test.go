package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// Each disguise is undone in some reading, and the reading says by which step and where.
func TestReadOuts(t *testing.T) {
	e, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, read, step, written string }{
		{"ＢＡＤ word", "bad word", "compat", "ＢＡＤ"},
		{"fսck it", "fuck it", "lookalike", "ս"},
		{"you idi0t", "you idiot", "leet", "0"},
		{"cafe\u0301 noir", "cafe noir", "accent", "e\u0301"},
		{"bad\u200bword", "badword", "invisible", "\u200bw"},
		{"you i.d.i.o.t", "you idiot", "joined", ".d.i.o.t"},
	} {
		outs := e.ReadOuts(&engines.Item{Kind: engines.KindText, Text: c.text})
		i := slices.IndexFunc(outs, func(o ReadOut) bool { return o.Text == c.read })
		if i < 0 {
			t.Errorf("ReadOuts(%q) = %+v, want one that reads %q", c.text, outs, c.read)
			continue
		}
		j := slices.IndexFunc(outs[i].Changes, func(x ReadChange) bool { return slices.Contains(x.Steps, c.step) })
		if j < 0 || outs[i].Changes[j].Written != c.written {
			t.Errorf("ReadOuts(%q) changes = %+v, want %q by %s", c.text, outs[i].Changes, c.written, c.step)
		}
	}
	plain := e.ReadOuts(&engines.Item{Kind: engines.KindText, Text: "good game everybody"})
	if len(plain) != 1 || plain[0].Name != "plain" || len(plain[0].Changes) != 0 {
		t.Errorf("ReadOuts of a plain text = %+v, want itself alone", plain)
	}
	if long := e.ReadOuts(&engines.Item{Kind: engines.KindText, Text: strings.Repeat("ａ\u0301\u202e ", 5000)}); len(long) == 0 {
		t.Error("ReadOuts of a long text says nothing")
	}
}
