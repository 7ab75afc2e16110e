package auth

import "testing"

func TestMayTake(t *testing.T) {
	for _, c := range []struct {
		user            User
		queue, category string
		want            bool
	}{
		{User{}, "urgent", "hate", true},
		{User{Queues: []string{"urgent"}}, "urgent", "hate", true},
		{User{Queues: []string{"urgent"}}, "appeals", "hate", false},
		{User{Categories: []string{"spam", "hate"}}, "appeals", "hate", true},
		{User{Categories: []string{"spam"}}, "appeals", "hate", false},
		{User{Categories: []string{"spam"}}, "appeals", "", true}, // an item without findings
		{User{Queues: []string{"urgent"}, Categories: []string{"spam"}}, "urgent", "hate", false},
	} {
		if got := c.user.MayTake(c.queue, c.category); got != c.want {
			t.Errorf("%+v may take %q of %q = %v, want %v", c.user, c.category, c.queue, got, c.want)
		}
	}
}

// To lift a bound never unlocks: only a role that may, or a senior who is named for it.
func TestMayUnlock(t *testing.T) {
	for _, c := range []struct {
		user User
		want bool
	}{
		{User{Role: RoleAdmin}, true},
		{User{Role: RoleSenior}, false},
		{User{Role: RoleSenior, Categories: []string{"hate"}}, false},
		{User{Role: RoleSenior, Categories: []string{"hate", "child_safety"}}, true},
		{User{Role: RoleModerator, Categories: []string{"child_safety"}}, false},
		{User{Role: RoleAuditor, Categories: []string{"child_safety"}}, false},
	} {
		if got := c.user.MayUnlock("child_safety"); got != c.want {
			t.Errorf("%+v may unlock = %v, want %v", c.user, got, c.want)
		}
	}
}
