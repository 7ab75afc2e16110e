package store

import "github.com/portcullis-gg/portcullis/engines"

// What a person decides on content.
const (
	DecideApprove = "approve" // nothing is wrong with it
	DecideReject  = "reject"  // it is a violation
)

// Ruling is a person's decision on a player's content, as those hear of it who act
// on the player. The same ruling may come again.
type Ruling struct {
	App      engines.AppID
	Case     engines.CaseID
	Player   engines.PlayerID
	Request  engines.RequestID
	Category engines.Category // of a rejection
	SubLabel string
	Severity int // 1 to 4; 0: not said
	By       string
	Decision string // DecideApprove or DecideReject
	Undone   bool   // the decision was taken back
}
