package gateway

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/web"
)

func demo(cfg *Config, _ *Deps) { cfg.Demo = true }

// A route without an authentication class, or without what its class needs, fails here.
func TestEveryRouteHasAClass(t *testing.T) {
	for _, r := range open(t, demo).g.routes() {
		name := r.method + " " + r.path
		switch r.auth {
		case public, onStream, local:
			if r.limit != "" || r.scope != "" || r.perm != "" {
				t.Errorf("%s: nobody checks its limit, scope or permission", name)
			}
		case ticketed:
			if !slices.Contains(limit.Classes, r.limit) || r.scope != "" || r.perm != "" {
				t.Errorf("%s: needs a limit, and nothing that a ticket has not", name)
			}
		case signed:
			if !slices.Contains(limit.Classes, r.limit) || r.replay == auth.ReplayHarmless && r.method != "GET" {
				t.Errorf("%s: a signed write needs a limit and a replay rule", name)
			}
		case checked:
			if !slices.Contains(limit.Classes, r.limit) || r.scope == "" {
				t.Errorf("%s: needs a limit and a scope", name)
			}
		case bearing:
			if !slices.Contains(limit.Classes, r.limit) || r.scope == "" || !slices.Contains(streamed, "/api/v1"+r.path) {
				t.Errorf("%s: needs a limit, a scope and a body that streams", name)
			}
		case managed:
			if !slices.Contains(limit.Classes, r.limit) || r.perm == "" || r.replay == auth.ReplayHarmless && r.method != "GET" {
				t.Errorf("%s: needs a limit, a permission and, for writes, a replay rule", name)
			}
		case either:
			if !slices.Contains(limit.Classes, r.limit) || r.scope == "" || r.perm == "" || r.replay == auth.ReplayHarmless && r.method != "GET" {
				t.Errorf("%s: needs a limit, a scope, a permission and, for writes, a replay rule", name)
			}
		case cookie:
			if r.perm == "" && r.path != "/auth/logout" {
				t.Errorf("%s: needs a permission", name)
			}
		default:
			t.Errorf("%s has no authentication class", name)
		}
		if r.handle == nil {
			t.Errorf("%s has no handler", name)
		}
	}
}

func TestRouteWithoutClassDoesNotMount(t *testing.T) {
	g := open(t).g
	for _, r := range []route{{method: "GET", path: "/x", handle: g.limits}, {method: "GET", path: "/x", auth: public}} {
		if err := g.mountAll([]route{r}); err == nil {
			t.Errorf("%+v was mounted", r)
		}
	}
}

// Nothing is reachable under the API that is not in the table, and nothing
// anywhere that is not meant to be.
func TestNothingMountedBesideTheTable(t *testing.T) {
	g := open(t, demo).g
	want := map[string]bool{}
	for _, r := range g.routes() {
		want[r.method+" /api/v1"+r.path] = true
	}
	for _, p := range []string{"/", "/healthz", "/readyz", "/console", "/console/*", "/demo", "/demo/*"} {
		want["GET "+p], want["HEAD "+p] = true, true
	}
	got := map[string]bool{}
	for _, stack := range g.app.Stack() {
		for _, r := range stack {
			if r.Path == "/" && r.Method != http.MethodGet && r.Method != http.MethodHead {
				continue // around, which is for every method
			}
			got[r.Method+" "+r.Path] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mounted routes (-want +got):\n%s", diff)
	}
}

// operation is what the contract's document says of one method of a path.
type operation struct {
	Security *[]map[string][]string `yaml:"security"`
}

// contract reads web/api/openapi.yaml: "POST /api/v1/…" and its operation.
func contract(t *testing.T) map[string]operation {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]yaml.Node `yaml:"paths"`
	}
	if err := yaml.Unmarshal(web.OpenAPI(), &doc); err != nil {
		t.Fatal(err)
	}
	all := map[string]operation{}
	for path, members := range doc.Paths {
		for name, node := range members {
			if !slices.Contains([]string{"get", "put", "post", "delete", "patch", "head", "options"}, name) {
				continue // parameters, servers
			}
			var op operation
			if err := node.Decode(&op); err != nil {
				t.Fatalf("%s %s: %v", name, path, err)
			}
			all[strings.ToUpper(name)+" "+path] = op
		}
	}
	return all
}

// The document and the routes say the same: every route with its method, and
// the security of its class.
func TestContractMatchesRoutes(t *testing.T) {
	param := regexp.MustCompile(`:(\w+)`)
	documented := contract(t)
	routes := map[string]route{}
	for _, r := range open(t, demo).g.routes() {
		routes[r.method+" /api/v1"+param.ReplaceAllString(r.path, "{$1}")] = r
	}
	// Without an entry in the table: for load balancers, and the admin listener's.
	want := append(slices.Collect(maps.Keys(routes)), "GET /healthz", "GET /readyz", "GET /metrics")
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(documented))); diff != "" {
		t.Errorf("documented operations (-routes +document):\n%s", diff)
	}
	for name, r := range routes {
		op, ok := documented[name]
		if !ok {
			continue
		}
		if diff := cmp.Diff(securityOf(r), alternatives(op)); diff != "" {
			t.Errorf("%s: security (-route +document):\n%s", name, diff)
		}
	}
}

// alternatives are the ways in that an operation documents, each with its
// schemes sorted and joined; "" is nobody in particular.
func alternatives(op operation) []string {
	if op.Security == nil || len(*op.Security) == 0 { // the document's own default is none
		return []string{""}
	}
	var list []string
	for _, s := range *op.Security {
		list = append(list, strings.Join(slices.Sorted(maps.Keys(s)), "+"))
	}
	slices.Sort(list)
	return list
}

func securityOf(r route) []string {
	switch {
	case r.path == "/auth/me": // whoever is signed in, or nobody
		return []string{"", "session"}
	case r.auth == signed && r.replay == auth.ReplayNonce:
		return []string{"nonce+svc"}
	case r.auth == managed && r.replay == auth.ReplayNonce:
		return []string{"nonce+svc", "session"}
	}
	return map[authClass][]string{
		public: {""}, local: {""}, signed: {"svc"}, managed: {"session", "svc"}, checked: {"bearer", "svc"}, cookie: {"session"},
		bearing:  {"bearer"},
		ticketed: {"bearer"},
		either:   {"bearer", "session", "svc"},
		onStream: {"", "bearer", "session"}, // a hello may bring the token
	}[r.auth]
}
