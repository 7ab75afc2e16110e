package auth

import "slices"

// Role is what a moderator is.
type Role string

// The roles.
const (
	RoleViewer    Role = "viewer"    // watches
	RoleModerator Role = "moderator" // decides cases
	RoleSenior    Role = "senior"    // sees evidence, undoes decisions, punishes
	RoleAdmin     Role = "admin"     // policy, keys, users
	RoleAuditor   Role = "auditor"   // reads all records, changes none
)

// Permission is something that a moderator may do.
type Permission string

// The permissions.
const (
	SeeFeed      Permission = "feed.see"
	SeeCases     Permission = "cases.see"
	DecideCases  Permission = "cases.decide"  // claim, decide, hand over
	ReverseCases Permission = "cases.reverse" // undo, appeals
	Punish       Permission = "players.punish"
	SeeEvidence  Permission = "evidence.see"
	SeeStats     Permission = "stats.see"
	SeePolicy    Permission = "policy.see"
	EditPolicy   Permission = "policy.edit"
	ManageKeys   Permission = "keys.manage"
	ManageUsers  Permission = "users.manage"
	SeeAudit     Permission = "audit.see"
)

// permissions is the whole table: what is not in it is not permitted.
var permissions = map[Permission][]Role{
	SeeFeed:      {RoleViewer, RoleModerator, RoleSenior, RoleAdmin, RoleAuditor},
	SeeCases:     {RoleViewer, RoleModerator, RoleSenior, RoleAdmin, RoleAuditor},
	SeeStats:     {RoleViewer, RoleModerator, RoleSenior, RoleAdmin, RoleAuditor},
	SeePolicy:    {RoleModerator, RoleSenior, RoleAdmin, RoleAuditor},
	DecideCases:  {RoleModerator, RoleSenior, RoleAdmin},
	ReverseCases: {RoleSenior, RoleAdmin},
	Punish:       {RoleSenior, RoleAdmin},
	SeeEvidence:  {RoleSenior, RoleAdmin},
	EditPolicy:   {RoleAdmin},
	ManageKeys:   {RoleAdmin},
	ManageUsers:  {RoleAdmin},
	SeeAudit:     {RoleAdmin, RoleAuditor},
}

// Can reports whether the role has a permission. An unknown role has none.
func (r Role) Can(p Permission) bool {
	return slices.Contains(permissions[p], r)
}

// ParseRole returns the role of that name; an error wraps ErrInvalid.
func ParseRole(s string) (Role, error) {
	switch r := Role(s); r {
	case RoleViewer, RoleModerator, RoleSenior, RoleAdmin, RoleAuditor:
		return r, nil
	}
	return "", invalid("role must be viewer, moderator, senior, admin or auditor")
}
