package deps

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestImports holds the project's own source against the tables.
func TestImports(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	faults, err := Check(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	// The check must have seen the project: this file is in it.
	files, err := readAll(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(files, func(f source) bool { return f.name == "internal/deps/deps_test.go" }) {
		t.Error("the check did not see its own test: it reads the wrong folder")
	}
}

// TestTop holds that nothing stands at the top but what was agreed on and what git ignores: the
// output of a command, say, that took a word for a file's name.
func TestTop(t *testing.T) {
	agreed := strings.Fields("cmd gateway engines economy streams web configs internal sdk go.mod go.sum README.md ARCHITECTURE.md CHANGELOG.md LICENSE Makefile NOTICE STYLE.md")
	root := filepath.Join("..", "..")
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(ignored)) {
		agreed = append(agreed, strings.Trim(name, "/"))
	}
	found, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(agreed, e.Name()) {
			t.Errorf("%s is none of what stands at the top", e.Name())
		}
	}
}

// TestCheck holds that the check finds what it is for.
func TestCheck(t *testing.T) {
	const ours = `"` + module + `/`
	tests := []struct {
		file, text string
		want       string // part of the only fault; "" for none
	}{
		{"engines/item.go", `import "context"`, ""},
		{"engines/policy/decide.go", `import ` + ours + `engines"`, ""},
		{"engines/policy/decide.go", `import ` + ours + `engines/text"`, "engines/policy may not import engines/text"},
		{"engines/pool.go", `import ` + ours + `internal/wire"`, "engines may not import internal/wire"},
		{"engines/text/lexicon/load.go", `import ` + ours + `engines"`, ""},
		{"engines/text/engine.go", `import ` + ours + `engines/image"`, "may not import engines/image"},
		{"internal/review/desk.go", `import ` + ours + `internal/store"`, ""},
		{"internal/review/desk.go", `import ` + ours + `internal/store/sqlstore"`, "may not import internal/store/sqlstore"},
		{"internal/store/redisstore/keys.go", `import ` + ours + `internal/store"`, ""},
		{"internal/store/redisstore/keys.go", `import ` + ours + `internal/store/sqlstore"`, "may not import"},
		{"internal/store/sqlstore/sql_test.go", `import ` + ours + `internal/store/storetest"`, ""},
		{"internal/store/types.go", `import ` + ours + `gateway"`, "internal/store may not import gateway"},
		{"streams/chat/session.go", `import ` + ours + `internal/review"`, "may not import internal/review"},
		{"gateway/routes.go", `import ` + ours + `streams/chat"`, "gateway may not import streams/chat"},
		{"gateway/routes_test.go", `import ` + ours + `internal/store/sqlstore"`, "gateway may not import internal/store/sqlstore"},
		{"cmd/portcullis/app.go", `import ` + ours + `internal/store/sqlstore"`, ""},
		{"gateway/routes.go", `import "github.com/gofiber/fiber/v2/middleware/cors"`, ""},
		{"streams/chat/session.go", `import "github.com/gofiber/fiber/v2"`, "it is for gateway"},
		{"gateway/upgrade.go", `import "github.com/coder/websocket"`, ""},
		{"gateway/routes.go", `import "github.com/coder/websocket"`, "it is for streams/chat, gateway/upgrade.go"},
		{"gateway/limit.go", `import "github.com/redis/go-redis/v9"`, "it is for internal/store/redisstore, internal/limit"},
		{"internal/review/desk.go", `import "github.com/jackc/pgx/v5/pgxpool"`, "it is for internal/store/sqlstore, internal/store/storetest"},
		{"engines/pool.go", `import "github.com/google/go-cmp/cmp"`, "is for tests alone"},
		{"engines/pool_test.go", `import "github.com/google/go-cmp/cmp"`, ""},
		{"engines/pool_test.go", `import "github.com/stretchr/testify/assert"`, "not in the table of libraries"},
		{"engines/pool.go", `import "github.com/gofiber/fiberish"`, "not in the table of libraries"},
		{"engines/brandnew/x.go", `import "context"`, "package engines/brandnew is not in the table"},
		{"brandnew/x.go", ``, "package brandnew is not in the table"},
		{"x.go", ``, "package . is not in the table"},
		{"gateway/checks.go", "type a struct { B int `json:\"b\"` }", "JSON tags belong in internal/wire"},
		{"gateway/checks.go", "type a struct { B int `yaml:\"b\"` }", ""},
		{"gateway/checks_test.go", "type a struct { B int `json:\"b\"` }", ""},
		{"internal/wire/text.go", "type a struct { B int `json:\"b\"` }", ""},
		{"engines/testdata/x.go", `import "nowhere.example/x"`, ""},
		{"web/node_modules/x/x.go", `import "nowhere.example/x"`, ""},
	}
	for _, tt := range tests {
		got, err := Check(fstest.MapFS{tt.file: {Data: []byte("package x\n" + tt.text)}})
		switch {
		case err != nil:
			t.Errorf("%s with %s: %v", tt.file, tt.text, err)
		case tt.want == "" && len(got) != 0:
			t.Errorf("%s with %s: got %q, want no fault", tt.file, tt.text, got)
		case tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
			t.Errorf("%s with %s: got %q, want one fault with %q", tt.file, tt.text, got, tt.want)
		}
	}
}

func TestCheckRefusesBrokenSource(t *testing.T) {
	for name, root := range map[string]fs.FS{
		"no Go":     fstest.MapFS{"engines/x.go": {Data: []byte("packag x")}},
		"no folder": os.DirFS(filepath.Join(t.TempDir(), "gone")),
	} {
		if _, err := Check(root); err == nil {
			t.Errorf("%s: err = nil, want one", name)
		}
	}
}

// TestNotice holds that NOTICE names every library of the table.
func TestNotice(t *testing.T) {
	notice, err := os.ReadFile(filepath.Join("..", "..", "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, library := range append(slices.Sorted(maps.Keys(table.libraries)), table.testLibraries...) {
		if !strings.Contains(string(notice), "  "+library) {
			t.Errorf("NOTICE does not name %s", library)
		}
	}
}

// TestStyleLinks holds that the files that STYLE.md names are there.
func TestStyleLinks(t *testing.T) {
	top := filepath.Join("..", "..")
	style, err := os.ReadFile(filepath.Join(top, "STYLE.md"))
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(style), -1)
	if len(links) < 15 {
		t.Errorf("STYLE.md names %d files, want one for each habit at least", len(links))
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(link[1]))); err != nil {
			t.Errorf("STYLE.md names a file that isn't there: %v", err)
		}
	}
}
