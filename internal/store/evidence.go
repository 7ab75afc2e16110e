package store

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Evidence is what was kept of one flagged piece of content. Everything down to
// Created is said in the first link of its chain and never changes.
type Evidence struct {
	ID       string
	App      engines.AppID
	Request  engines.RequestID
	Case     engines.CaseID
	Scene    engines.SceneID
	Kind     engines.Kind
	MIME     string
	SHA256   string // of the content, hex
	Bytes    int64
	Category engines.Category // of the strongest label
	SubLabel string
	Severity int
	// Suggestion is what was found of it, whether or not callers could act on it.
	Suggestion engines.Suggestion
	// Locked content is shown to few, and to them only when they ask twice.
	Locked  bool
	Created time.Time

	Player  engines.PlayerID // a pseudonym once the player was erased
	Expires time.Time        // zero: never
	Removed time.Time        // when the content went, by retention or erasure; zero: it is there
	Hold    *Hold            // nil: none
	// Content is there for what lies in the row; Blob content lies in a file.
	Content []byte
	Blob    bool
	// HeadSeq and HeadHash are the last link of its chain.
	HeadSeq  int64
	HeadHash string
}

// Hold keeps evidence whatever its retention or an erasure says.
type Hold struct {
	By     string
	Reason string
	Since  time.Time
}

// What a link of an evidence's chain tells.
const (
	LinkTaken    = "taken" // the first
	LinkRead     = "read"
	LinkHeld     = "held"
	LinkReleased = "released"
	LinkExported = "exported"
	LinkTransfer = "transferred" // a record was prepared for an authority
	LinkRemoved  = "removed"     // the content is gone
)

// EvidenceLink is one link of an evidence's chain. The first one's Prev is the
// SHA-256 of the content.
type EvidenceLink struct {
	Evidence string
	Seq      int64
	TS       time.Time
	Actor    string
	Action   string
	Detail   string // canonical JSON; never names the player
	Prev     string
	Hash     string
}

// EvidenceQuery asks for a part of the evidence, newest first; what is empty asks
// for nothing.
type EvidenceQuery struct {
	App      engines.AppID
	Player   engines.PlayerID
	Case     engines.CaseID
	Request  engines.RequestID
	Category engines.Category
	// State is "held", "locked", "removed", "kept" (its content is there) or "".
	State  string
	Before time.Time // with ID: the entry after which to go on
	ID     string
	Limit  int
}
