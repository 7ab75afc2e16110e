package pull_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/models/pull"
)

var testTime = time.Unix(1, 0)

func TestEnvironment(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"TOKEN": "t0"}
	get := func(k string) string { return env[k] }

	s := pull.Environment(get, filepath.Join(home, "nobody"))
	if s.NPM != "https://registry.npmjs.org" {
		t.Errorf("NPM = %q without settings", s.NPM)
	}
	write(".npmrc", "; note\nregistry=https://npm.example/a/\n@who:registry = https://who.example/\n//npm.example/a/:_authToken=${TOKEN}\n")
	write(".config/pip/pip.conf", "[install]\nindex-url = https://no.example\n[global]\nindex-url = https://pip.example/simple\ncert = /ca.pem\n")
	s = pull.Environment(get, home)
	if s.NPM != "https://npm.example/a" || s.Scopes["@who"] != "https://who.example" || s.Tokens["//npm.example/a"] != "t0" {
		t.Errorf("of .npmrc: %+v", s)
	}
	if s.PyPI != "https://pip.example/simple" || !slices.Contains(s.Authorities, "/ca.pem") {
		t.Errorf("of pip.conf: %+v", s)
	}
	env["npm_config_registry"], env["PIP_INDEX_URL"] = "https://other.example/", "https://py.example/simple/"
	s = pull.Environment(get, home)
	if s.NPM != "https://other.example" || s.PyPI != "https://py.example/simple/" {
		t.Errorf("of the environment: %+v", s)
	}
}
