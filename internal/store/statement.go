package store

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Grounds of a decision, by the Digital Services Act, article 17(3).
const (
	GroundIllegal = "illegal" // the content is against the law
	GroundTerms   = "terms"   // it is against the game's own rules
)

// Sources of a decision: what made somebody look.
const (
	SourceOwnInitiative  = "own_initiative"
	SourceUserReport     = "user_report"
	SourceTrustedFlagger = "trusted_flagger"
)

// How far a decision was made by a machine.
const (
	AutomatedFully     = "fully"
	AutomatedPartially = "partially" // a machine proposed, a person decided
	AutomatedNot       = "not"
)

// What a decision did to the content. "" is nothing: it stays visible.
const (
	VisibilityRemoved  = "removed"
	VisibilityDisabled = "disabled" // held until a person has looked
	VisibilityMasked   = "masked"   // shown with what offended taken out
)

// Statement is the statement of reasons of a decision on content, with the fields
// that the Digital Services Act's transparency database has.
type Statement struct {
	Ground string // GroundIllegal or GroundTerms
	// GroundText is the law or the rule, in words.
	GroundText  string
	Category    string
	ContentType string // text, image, audio, video
	ContentDate time.Time
	// Applied is from when the decision holds, Ends until when; zero is for good.
	Applied time.Time
	Ends    time.Time
	// Territory are the countries (ISO 3166-1) in which it holds; none is all.
	Territory          []string
	Source             string
	AutomatedDetection bool
	AutomatedDecision  string // AutomatedFully, AutomatedPartially or AutomatedNot
	Visibility         string
	Account            string // suspended or terminated, "" where the account is untouched
	Provision          string // what of the service was withdrawn (chat, voice, trade), "" for nothing
	// Facts says what was found and by what; never the content.
	Facts string
}

// PersonDecision is what a person decided on content, for its statement of reasons.
type PersonDecision struct {
	Reject   bool   // it is a violation; else nothing is wrong with it
	Undone   bool   // the person's last decision was taken back
	Category string // of a rejection; "" is what was found before
	Illegal  bool   // it is against the law, and not only against the rules
	// Ground is the law or the rule that the person named, Facts the reason given.
	Ground, Facts string
	Source        string // SourceUserReport where a report made somebody look; "" is as before
	At            time.Time
}

// After is the statements of a decision once a person has decided: what was decided
// before ends, and the person's own follows. To take a decision back ends it, and what
// was decided before it holds again.
func (p *PersonDecision) After(list []Statement) []Statement {
	out, at := append([]Statement(nil), list...), p.At.UTC().Truncate(time.Millisecond) // as it is stored
	if p.Undone {
		takeBack(out, at)
		return out
	}
	s := Statement{
		Ground: GroundTerms, GroundText: p.Ground, Category: p.Category, ContentType: "text", ContentDate: at, Applied: at,
		Source: SourceOwnInitiative, AutomatedDecision: AutomatedNot, Facts: p.Facts,
	}
	if len(out) > 0 {
		first := &out[0]
		s.ContentType, s.ContentDate, s.Territory, s.Source, s.AutomatedDetection = first.ContentType, first.ContentDate, first.Territory, first.Source, first.AutomatedDetection
		if s.Category == "" {
			s.Category = first.Category
		}
	}
	for i := range out {
		if out[i].Ends.IsZero() {
			out[i].Ends = at
		}
	}
	if p.Source != "" {
		s.Source = p.Source
	}
	if p.Illegal {
		s.Ground = GroundIllegal
	}
	if p.Reject {
		s.Visibility = VisibilityRemoved
	}
	return append(out, s)
}

// takeBack ends what a person decided last, and brings back what that had ended. The
// decision's own, a machine's, nobody takes back.
func takeBack(list []Statement, at time.Time) {
	for i := len(list) - 1; i >= 0; i-- {
		if !list[i].Ends.IsZero() || list[i].AutomatedDecision != AutomatedNot {
			continue
		}
		list[i].Ends = at
		for j := i - 1; j >= 0; j-- { // the nearest: two may have decided within a millisecond
			if list[j].Ends.Equal(list[i].Applied) {
				list[j].Ends = time.Time{}
				break
			}
		}
		return
	}
}

// GroundOf is on which ground content of a category and a narrower word ("" for none)
// is restricted: what is called illegal, the safety of children and extremism are
// against the law, wherever they are found; all else is against the game's rules.
func GroundOf(c engines.Category, sub string) string {
	if c == engines.Illegal || c == engines.ChildSafety || c == engines.Extremism || sub == "child_safety" || sub == "extremism" {
		return GroundIllegal
	}
	return GroundTerms
}
