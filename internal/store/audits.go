package store

import "time"

// AuditQuery asks for a part of the audit log, newest first; what is empty asks
// for nothing.
type AuditQuery struct {
	Chain, Actor, Object string
	Action               string // or a prefix that ends in "*"
	From, To             time.Time
	// Before, with Chain and Seq of AfterChain and AfterSeq, is where to go on.
	Before     time.Time
	AfterChain string
	AfterSeq   int64
	Limit      int
}

// AuditHead is the end of a chain.
type AuditHead struct {
	Chain string
	Seq   int64
	Hash  string
}

// Checkpoint is a signed note of where a chain stood. Kept away from the database,
// it shows that the chain was not made anew.
type Checkpoint struct {
	AuditHead
	TS        time.Time
	Key       string // the public key, base64
	Signature string // ed25519, base64
}
