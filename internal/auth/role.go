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
	SeeCustody   Permission = "evidence.log"  // what evidence there is and who has seen it, not its content
	HoldEvidence Permission = "evidence.hold" // legal holds, exports, hand-offs
	SeeLocked    Permission = "evidence.locked"
	ErasePlayers Permission = "players.erase"
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
	SeeCustody:   {RoleSenior, RoleAdmin, RoleAuditor},
	HoldEvidence: {RoleSenior, RoleAdmin},
	SeeLocked:    {RoleAdmin},
	ErasePlayers: {RoleAdmin},
}

// Can reports whether the role has a permission. An unknown role has none.
func (r Role) Can(p Permission) bool {
	return slices.Contains(permissions[p], r)
}

// MayTake reports whether the user may take, see and decide work of a queue and of a
// category; "" is none in particular. The role says what may be done, this with what.
func (u *User) MayTake(queue, category string) bool {
	return within(u.Queues, queue) && within(u.Categories, category)
}

// MayUnlock reports whether locked evidence may be shown to the user: to whose role it
// may, and to a senior moderator whose categories name it expressly.
func (u *User) MayUnlock(category string) bool {
	return u.Role.Can(SeeLocked) || u.Role.Can(SeeEvidence) && slices.Contains(u.Categories, category)
}

// within reports whether a bound lets a word by; no bound lets all by.
func within(bound []string, word string) bool {
	return len(bound) == 0 || word == "" || slices.Contains(bound, word)
}

// ParseRole returns the role of that name; an error wraps ErrInvalid.
func ParseRole(s string) (Role, error) {
	switch r := Role(s); r {
	case RoleViewer, RoleModerator, RoleSenior, RoleAdmin, RoleAuditor:
		return r, nil
	}
	return "", invalid("role must be viewer, moderator, senior, admin or auditor")
}
