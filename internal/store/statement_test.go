package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A person's decision ends what was decided before; to take it back brings that back.
func TestPersonDecision(t *testing.T) {
	at := func(h int) time.Time { return time.Unix(1790000000, 0).Add(time.Duration(h) * time.Hour).UTC() }
	machine := Statement{
		Ground: GroundTerms, GroundText: "rules", Category: "hate", ContentType: "image", ContentDate: at(0), Applied: at(0), Source: SourceOwnInitiative,
		AutomatedDetection: true, AutomatedDecision: AutomatedPartially, Visibility: VisibilityDisabled,
	}
	reject := PersonDecision{Reject: true, Category: "violence", Illegal: true, Ground: "a law", Facts: "a threat", Source: SourceUserReport, At: at(1)}
	after := reject.After([]Statement{machine})
	ended := machine
	ended.Ends = at(1)
	theirs := Statement{
		Ground: GroundIllegal, GroundText: "a law", Category: "violence", ContentType: "image", ContentDate: at(0), Applied: at(1), Source: SourceUserReport,
		AutomatedDetection: true, AutomatedDecision: AutomatedNot, Visibility: VisibilityRemoved, Facts: "a threat",
	}
	if diff := cmp.Diff([]Statement{ended, theirs}, after); diff != "" {
		t.Errorf("after a rejection (-want +got):\n%s", diff)
	}

	undo := PersonDecision{Undone: true, At: at(2)}
	undone := theirs
	undone.Ends = at(2)
	if diff := cmp.Diff([]Statement{machine, undone}, undo.After(after)); diff != "" {
		t.Errorf("after it was taken back (-want +got):\n%s", diff)
	}

	approve := PersonDecision{Facts: "banter", At: at(3)}
	list := approve.After(undo.After(after))
	last := list[len(list)-1]
	if last.Visibility != "" || last.Category != "hate" || last.Facts != "banter" || last.AutomatedDecision != AutomatedNot {
		t.Errorf("after an approval: %+v", last)
	}
	holds := func(list []Statement) (n int, which string) {
		for _, s := range list {
			if s.Ends.IsZero() {
				n, which = n+1, which+s.Facts
			}
		}
		return n, which
	}
	if n, which := holds(list); n != 1 || which != "banter" {
		t.Errorf("%d statements hold (%s), want the approval alone", n, which)
	}
	back := PersonDecision{Undone: true, At: at(4)}
	if n, which := holds(back.After(list)); n != 1 || which != "" {
		t.Errorf("%d statements hold (%s), want the machine's alone", n, which)
	}
	// An appeal's decision that is taken back leaves the one that it was against.
	upheld := approve.After(after)
	if n, which := holds(back.After(upheld)); n != 1 || which != "a threat" {
		t.Errorf("%d statements hold (%s), want the rejection alone", n, which)
	}
	// Of a decision that nobody had stated anything on, and taken back twice.
	if got := reject.After(nil); len(got) != 1 || got[0].ContentType != "text" {
		t.Errorf("of nothing: %+v", got)
	}
	if n, _ := holds(back.After(reject.After(nil))); n != 0 { // of what no machine had found
		t.Errorf("%d statements hold once it is taken back, want none", n)
	}
	if diff := cmp.Diff([]Statement{machine, undone}, undo.After(undo.After(after))); diff != "" {
		t.Errorf("taken back twice (-want +got):\n%s", diff)
	}
}
