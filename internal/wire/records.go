package wire

import (
	"slices"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// maxReason is how many bytes a reason that a person gives may have.
const maxReason = 2000

// ReadReason reads a body that has a reason and nothing else.
func ReadReason(o *Object) (string, error) {
	reason := o.reason()
	return reason, o.Err()
}

// reason reads a reason that must be given.
func (o *Object) reason() string {
	reason := o.Require("reason")
	if len(reason) > maxReason {
		o.Fault("reason", "at most 2000 bytes")
	}
	return reason
}

// HandOff asks for the record of evidence for an authority.
type HandOff struct{ Authority, Reference, Unlock string }

// ReadHandOff reads the body of POST /evidence/{id}/handoff.
func ReadHandOff(o *Object) (HandOff, error) {
	h := HandOff{Authority: o.ID("authority", true), Reference: o.ID("reference", false), Unlock: o.ID("unlock", false)}
	return h, o.Err()
}

// Export asks for an archive of evidence: of items by id, of a case, or of a player.
type Export struct {
	IDs    []string
	App    engines.AppID
	Player engines.PlayerID
	Case   engines.CaseID
	Reason string
	Unlock string
}

// ReadExport reads the body of POST /evidence/export.
func ReadExport(o *Object, most int) (Export, error) {
	x := Export{
		IDs: o.IDs("ids", most), App: engines.AppID(o.ID("app_id", false)), Player: engines.PlayerID(o.ID("player_id", false)),
		Case: engines.CaseID(o.ID("case_id", false)), Reason: o.reason(), Unlock: o.ID("unlock", false),
	}
	named := 0
	for _, is := range []bool{len(x.IDs) > 0, x.Player != "", x.Case != ""} {
		if is {
			named++
		}
	}
	switch {
	case named != 1:
		o.Fault("ids", "name items by ids, or a case_id, or a player_id with its app_id: one of them")
	case x.Player != "" && x.App == "":
		o.Fault("app_id", "is required with player_id")
	}
	slices.Sort(x.IDs)
	x.IDs = slices.Compact(x.IDs)
	return x, o.Err()
}

// UserChange is what an admin says of a moderator.
type UserChange struct {
	Name               string // of a new one
	Role               string
	Disabled           bool
	Queues, Categories []string
}

// maxBounds is how many queues or categories a moderator may be bound to.
const maxBounds = 64

// ReadUser reads a moderator; a new one has a name.
func ReadUser(o *Object, fresh bool) (UserChange, error) {
	var u UserChange
	if fresh {
		u.Name = o.Require("name")
	}
	u.Role = o.Require("role")
	if o.Has("disabled") {
		u.Disabled = o.Bool("disabled")
	}
	u.Queues, u.Categories = o.IDs("queues", maxBounds), o.IDs("categories", maxBounds)
	return u, o.Err()
}

// PasswordChange sets a password by a link's token.
type PasswordChange struct{ Token, Password string }

// ReadPasswordChange reads the body of POST /auth/password.
func ReadPasswordChange(o *Object) (PasswordChange, error) {
	p := PasswordChange{Token: o.Require("token"), Password: o.Require("password")}
	if !utf8.ValidString(p.Password) {
		o.Fault("password", "must be UTF-8")
	}
	return p, o.Err()
}
