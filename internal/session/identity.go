package session

import (
	"context"
	"errors"
	"net/netip"

	"github.com/portcullis-gg/portcullis/engines"
)

// Role is what a caller on the stream is. It comes from the token alone.
type Role uint8

// The roles. Nobody has shown no token yet; hello must.
const (
	Nobody Role = iota
	Player
	Server
	Moderator
)

// Identity is who is on a stream.
type Identity struct {
	Role   Role
	App    engines.AppID    // "" for a moderator, who sees all apps
	Player engines.PlayerID // role Player alone
	User   string           // role Moderator alone
	// Valid asks whether a moderator is still signed in and permitted to watch: a
	// feed outlives the request that opened it. An error says nothing either way.
	Valid func(ctx context.Context) (bool, error)
	// Ticket is the ticket's jti, which opens one session; "" when it has none.
	Ticket string
	// Grants are the scenes that the ticket names; a server may join any.
	Grants                    []engines.SceneID
	Segment, Region, Language string
	// From is where the client is; the zero value where nobody knows.
	From netip.Addr
}

// Errors of finding out who calls.
var (
	ErrUnknown = errors.New("session: token not accepted")
	// ErrExpired: the token was good once; a new one is needed.
	ErrExpired = errors.New("session: ticket expired or used")
)
