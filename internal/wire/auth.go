package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// TokenRequest asks for a bearer token; everything is optional.
type TokenRequest struct {
	Scope     string
	ExpiresIn time.Duration // 0: the default
}

// ReadTokenRequest reads the body of POST /auth/token.
func ReadTokenRequest(o *Object) (TokenRequest, error) {
	scope, _ := o.Text("scope")
	seconds, _ := o.Int("expires_in", 300, 86400)
	return TokenRequest{Scope: scope, ExpiresIn: time.Duration(seconds) * time.Second}, o.Err()
}

// TicketRequest asks for a player ticket.
type TicketRequest struct {
	Player                    engines.PlayerID
	Scenes                    []engines.SceneID
	Segment, Region, Language string
}

// maxTicketScenes is how many scenes one ticket may name.
const maxTicketScenes = 64

// ReadTicketRequest reads the body of POST /auth/ticket.
func ReadTicketRequest(o *Object) (TicketRequest, error) {
	r := TicketRequest{
		Player:   engines.PlayerID(o.ID("player_id", true)),
		Segment:  o.segment(),
		Region:   o.ID("region", false),
		Language: o.language(),
	}
	for _, s := range o.IDs("scenes", maxTicketScenes) {
		r.Scenes = append(r.Scenes, engines.SceneID(s))
	}
	return r, o.Err()
}

// Credentials are what a moderator signs in with, or sets up with.
type Credentials struct{ Token, Name, Password string }

// ReadCredentials reads name and password and, for the set-up, its token.
func ReadCredentials(o *Object, setup bool) (Credentials, error) {
	c := Credentials{Name: o.Require("name"), Password: o.Require("password")}
	if setup {
		c.Token = o.Require("token")
	}
	return c, o.Err()
}
