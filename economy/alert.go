package economy

import "github.com/portcullis-gg/portcullis/engines"

// AlertKind is what a person is to look at.
type AlertKind string

// The kinds.
const (
	// BanEvasion: a player that is new, or came after the ban, uses what a player
	// under an excluding ban used. Nothing is done about it but to ask.
	BanEvasion AlertKind = "ban_evasion"
	// HighRisk: a player's risk is high or critical.
	HighRisk AlertKind = "risk"
)

// Alert is something that the economy found by itself and a person is to judge.
type Alert struct {
	Kind   AlertKind
	App    engines.AppID
	Player engines.PlayerID
	At     int64 // epoch ms of the app's time
	// Of HighRisk, and of BanEvasion what was known of the player besides.
	Score   int
	Level   Level
	Factors []Factor
	// Link, of BanEvasion.
	Link *Link
	// Rose, of HighRisk: the score was seen below before, so that what was decided
	// then is not about this.
	Rose bool
	// Now, of HighRisk: what became of the risk since; nil while it has not fallen.
	Now *AlertNow
}

// AlertNow is what the risk behind a case has come to.
type AlertNow struct {
	Score  int
	Level  Level
	At     int64 // epoch ms of the app's time
	Fallen bool  // well below High; false: it has risen again
}

// AlertCase is the case of an alert.
type AlertCase struct {
	ID      engines.CaseID
	State   string
	Version int
	Alert   Alert
}

// Change is what has just become of the case.
func (a *Alert) Change() string {
	switch {
	case a.Now == nil:
		return "opened"
	case a.Now.Fallen:
		return "fell"
	default:
		return "rose"
	}
}

// OpenRisk is an open case of a player's risk.
type OpenRisk struct {
	Player engines.PlayerID
	Fallen bool // as was last noted on it
}

// AlertMove is to be noted on the open case of a player's risk.
type AlertMove struct {
	App    engines.AppID
	Player engines.PlayerID
	Now    AlertNow
	// Close closes it, where nobody has it and nobody has escalated it.
	Close bool
}

// What a Link rests on.
const (
	ByDevice  = "device"
	ByAddress = "address"
	// ByVoice is what internal/voicelink finds, where the policy allows it; the economy
	// itself knows of no voices.
	ByVoice = "voice"
)

// Link is what ties a player to one under an excluding ban. Times are epoch ms, to
// the minute; what is shared stays unnamed.
type Link struct {
	Banned engines.PlayerID
	BanID  string
	Since  int64  // when the ban was made
	By     string // ByDevice, ByAddress or ByVoice
	Seats  int    // accounts seen on it, both of these among them; 2 by voice
	Last   int64  // when the banned player was last seen on it
	// Similarity, by voice, is the cosine of the two, Threshold what it had to pass, and
	// SpokenMS how much of the player was heard for it. It is a reason to look, no proof.
	Similarity, Threshold float64
	SpokenMS              int64
	// First and Latest are when the other player was seen on it.
	First, Latest int64
	// Appeared is when the other player's account was made or, where the game does
	// not say, was first seen.
	Appeared int64
}

// Findings are what a book shows by itself.
type Findings struct {
	// Links are those of players that are new, or came after the ban, to players under
	// an excluding ban, of which the Alert's Player is the former.
	Links []Linked
	// High are the players whose risk is high or critical.
	High []AtRisk
}

// Linked is a player with its link.
type Linked struct {
	Player engines.PlayerID
	Link   Link
}

// AtRisk is a player with its risk.
type AtRisk struct {
	Player engines.PlayerID
	Risk   Risk
}
