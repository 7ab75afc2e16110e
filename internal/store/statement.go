package store

import "time"

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
