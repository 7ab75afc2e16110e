package gateway

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// TestEveryFaultOfAQuery: what is wrong with the parameters of a list is told at once.
func TestEveryFaultOfAQuery(t *testing.T) {
	d := open(t)
	working(d, store.Case{ID: "c1", App: appA})
	cookie, _ := d.signIn(auth.RoleAdmin)
	long := strings.Repeat("x", 129)
	for target, want := range map[string]string{
		"cases?state=lost&limit=0&player_id=" + long + "&due_before=soon&held=perhaps&cursor=!": "[?state ?limit ?player_id ?due_before ?held ?cursor]",
		"cases/agreement?app_id=" + long + "&from=then&to=now":                                  "[?app_id ?from ?to]",
		"evidence?limit=x&cursor=!&category=" + long + "&state=lost":                            "[?limit ?cursor ?category ?state]",
		"audit?actor=" + strings.Repeat("x", 513) + "&from=then&to=now&cursor=!":                "[?actor ?from ?to ?cursor]",
		"stats/volume?from=then&to=now&step=year&compare=x&top=0&app_id=game":                   "[?to ?from ?step ?compare ?top]",
		"penalties?limit=0&player_id=p&status=x&kind=y&app_id=game":                             "[?limit ?status ?kind]",
	} {
		var got []string
		a := d.send("GET", "/api/v1/"+target, "", cookie)
		errs, _ := wantError(t, a, 1001)["errors"].([]any)
		for _, e := range errs {
			got = append(got, e.(map[string]any)["pointer"].(string))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("GET %.60s: %v, want %s", target, got, want)
		}
	}
}
