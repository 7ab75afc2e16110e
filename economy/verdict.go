package economy

import "github.com/portcullis-gg/portcullis/engines"

// Level is what a risk score means.
type Level string

// The levels, from 0, 30, 55, 75 and 90 on.
const (
	Normal     Level = "normal"
	Attention  Level = "attention"
	Suspicious Level = "suspicious"
	High       Level = "high"
	Critical   Level = "critical"
)

// LevelOf is the level of a score from 0 to 100.
func LevelOf(score int) Level {
	switch {
	case score >= 90:
		return Critical
	case score >= 75:
		return High
	case score >= 55:
		return Suspicious
	case score >= 30:
		return Attention
	default:
		return Normal
	}
}

// Risk is how likely a player abuses the economy.
type Risk struct {
	Score   int // 0 to 100
	Level   Level
	Factors []Factor // gravest first; those that lower the score last, with a negative one
	Updated int64    // event time of the newest entry that counts, epoch ms
	// Override is the operator's word that the score is, nil where there is none.
	Override *Override
}

// Factor is one reason of a risk: a code of the catalogue and what it would give
// alone, 0 to 100; below 0 where it lowers the score.
type Factor struct {
	Code  string
	Score int
}

// Proposal is a trade about to happen. At is 0 where the client gave no time.
type Proposal struct {
	Sender, Receiver engines.PlayerID
	Deal             Deal
	Device, IP       string
	At               int64
	// SenderRisk and ReceiverRisk are scores that an operator has set, in the place of the
	// model's; nil where none has.
	SenderRisk, ReceiverRisk *int
}

// Evaluation is what to do with a proposal.
type Evaluation struct {
	Suggestion engines.Suggestion
	Score      int      // 0 to 100
	Reasons    []string // codes of the catalogue, gravest first
}
