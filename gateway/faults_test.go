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
		"policies/global/default/history?before=0&limit=501&app_id=game":                        "[?before ?limit]",
		"policies/global/" + long + "/history?before=x&limit=x&app_id=game":                     "[/name ?before ?limit]",
		"policies/global/default/diff?from=x&to=-1&app_id=game":                                 "[?from ?to]",
		"policies/rollouts?limit=0&cursor=!&layer=" + long + "&name=%00&state=lost&app_id=game": "[?limit ?cursor ?layer ?name ?state]",
		"policies/backtests?limit=0&app_id=game":                                                "[?limit]",
		"lists/" + long + "/history?before=0&app_id=game":                                       "[/name ?before]",
		"economy/rules/A/history?before=0&limit=0&app_id=game":                                  "[/name ?before ?limit]",
		"economy/rules/A/stats?days=0&app_id=game":                                              "[/name ?days]",
		"players/" + long + "/timeline?limit=0&app_id=game":                                     "[/id ?limit]",
		"players/" + long + "/penalties?limit=0&kind=y&app_id=game":                             "[/id ?limit ?kind]",
		"appeals?limit=0&player_id=" + long + "&state=lost&app_id=game":                         "[?limit ?player_id ?state]",
		"reports?limit=0&state=lost&app_id=game":                                                "[?limit ?state]",
		"audit?format=x&limit=0&from=then":                                                      "[?from ?format ?limit]",
		"batches?status=lost&limit=0&app_id=game":                                               "[?status ?limit]",
		"webhooks/" + long + "/deliveries?state=lost&limit=0&app_id=game":                       "[/id ?limit ?state]",
		"reports/runs?kind=x&limit=0&app_id=game":                                               "[?limit ?kind]",
		"reports/operations?from=then&format=x&lang=y&app_id=game":                              "[?from ?format ?lang]",
		"image-banks/A/imports?after=0&limit=0&app_id=game":                                     "[/name ?after ?limit]",
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
