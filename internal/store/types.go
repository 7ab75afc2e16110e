// Package store holds what the durable stores and Redis share: the records, the
// errors and the Redis keys. The drivers are in its folders: sqlstore (SQLite
// and PostgreSQL behind one set of methods), redisstore (sessions, fan-out,
// limits) and blobs (evidence files). storetest holds the suites that every
// driver passes. It knows nothing of HTTP.
package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Errors that callers tell apart. Drivers wrap them.
var (
	ErrNotFound = errors.New("store: not found")
	ErrExists   = errors.New("store: exists already")
	// ErrConflict: the record changed since it was read (optimistic lock).
	ErrConflict = errors.New("store: changed since it was read")
	// ErrUnavailable: the store can't be reached, is full or did not answer in
	// time. Nothing was acknowledged.
	// It is also engines.ErrUnavailable to errors.Is.
	ErrUnavailable = fmt.Errorf("store: %w", engines.ErrUnavailable)
)

// Secret is one signing secret of an app, in the clear: drivers encrypt it at
// rest (AES-256-GCM under the master key, AAD app id and key id).
type Secret struct {
	App       engines.AppID
	KeyID     string
	Secret    string // the whole string "psk_…"
	NotBefore time.Time
	Expires   time.Time // zero: until rotated
	Created   time.Time
}

// Token is an opaque bearer token; only its SHA-256 is stored.
type Token struct {
	Hash    [32]byte
	App     engines.AppID
	Scopes  []string
	Expires time.Time
	Revoked bool
}

// User is a moderator.
type User struct {
	Name         string
	PasswordHash string // argon2id, PHC string format
	Role         string // viewer, moderator, senior, admin, auditor
	Disabled     bool
	Created      time.Time
	// Queues and Categories bound what the moderator may take; none is all.
	Queues, Categories []string
}

// PasswordLink lets a moderator set a password once; only the SHA-256 of its token is
// stored.
type PasswordLink struct {
	Hash    [32]byte
	User    string
	By      string // who made it
	Expires time.Time
}

// Login is a moderator's cookie session; only the SHA-256 of the cookie is stored.
type Login struct {
	Hash     [32]byte
	User     string
	Created  time.Time
	LastSeen time.Time
	Expires  time.Time // absolute
}

// Decision is the record of one check.
type Decision struct {
	Request  engines.RequestID
	App      engines.AppID
	Player   engines.PlayerID
	Scene    engines.SceneID
	Session  engines.SessionID
	Kind     engines.Kind
	Language string
	// Content is the text as sent, kept as retention allows.
	Content       string
	ContentSHA256 [32]byte
	// Media is what was learned of a picture, kept as long as Content; nil for text.
	Media *engines.MediaFacts
	// Signals is what the engines said, so that another policy can decide it again;
	// Circumstances are what else that takes.
	Signals       []engines.Signal
	Circumstances Circumstances
	Verdict       engines.Verdict
	CaseID        engines.CaseID
	// Weight is how many checks the record stands for (passes may be sampled).
	Weight  float64
	Took    time.Duration
	Created time.Time
	// Statements are the statements of reasons: the decision's own first, then those
	// of people who decided after it. A pass has none.
	Statements []Statement
	// Evidence, where there is any, is committed with the decision; it is not read back.
	Evidence *Evidence
}

// SceneMessage is one message of a scene, for context in review and to publish
// what was held.
type SceneMessage struct {
	App      engines.AppID
	Scene    engines.SceneID
	Message  engines.RequestID
	Player   engines.PlayerID
	Session  engines.SessionID
	Content  string // as published: masked when masked
	Language string
	State    string // delivered, held, retracted, rejected
	Sent     time.Time
}

// Pending is an accepted asynchronous check that has no verdict yet.
type Pending struct {
	App     engines.AppID
	Request engines.RequestID
	Item    engines.Item // all but Context and Media
	// Media is where the bytes of its media are, nil for text.
	Media   *PendingMedia
	Created time.Time
	// Owner is who checks it, and others leave it alone until Until.
	Owner string
	Until time.Time
}

// PendingMedia is the media of a check that has no verdict yet.
type PendingMedia struct {
	Use    engines.Use
	Type   string // as the caller named it
	SHA256 string // of the bytes, hex: their file's name
}

// Audit is one entry of the audit log. The driver gives Seq and the hashes.
type Audit struct {
	Chain  string // node id
	Seq    int64
	TS     time.Time
	Actor  string
	Action string
	Object string
	Detail string // canonical JSON
	Prev   string
	Hash   string
}
