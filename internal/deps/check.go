package deps

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// source is what the check knows of one file.
type source struct {
	name    string // path within the module
	pkg     string // its folder, which names the package; "." is the top
	test    bool
	imports []string
	tagged  bool // has a struct field with a json tag
}

// Check reads every Go file below root, which is the module's folder, and
// returns one line for each thing that the tables don't allow.
func Check(root fs.FS) ([]string, error) { return table.check(root) }

func (r *rules) check(root fs.FS) ([]string, error) {
	files, err := readAll(root)
	if err != nil {
		return nil, err
	}
	var faults []string
	for _, f := range files {
		faults = append(faults, r.checkFile(&f)...)
	}
	return faults, nil
}

// readAll parses the Go files below root, but for those that Go itself skips.
func readAll(root fs.FS) ([]source, error) {
	var files []source
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		f, err := read(root, name)
		if err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}
	return files, nil
}

func read(root fs.FS, name string) (source, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return source{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	f := source{name: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go")}
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		f.imports = append(f.imports, imported)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if ok && field.Tag != nil {
			tag, err := strconv.Unquote(field.Tag.Value)
			if _, has := reflect.StructTag(tag).Lookup("json"); err == nil && has {
				f.tagged = true
			}
		}
		return true
	})
	return f, nil
}

func (r *rules) checkFile(f *source) []string {
	var faults []string
	fault := func(format string, args ...any) {
		faults = append(faults, f.name+": "+fmt.Sprintf(format, args...))
	}
	allowed, known := lookup(r.packages, f.pkg)
	if !known {
		fault("package %s is not in the table of internal/deps", f.pkg)
		return faults
	}
	if f.test {
		more, _ := lookup(r.tests, f.pkg)
		allowed = append(slices.Clone(allowed), more...)
	}
	for _, imported := range f.imports {
		ours, isOurs := strings.CutPrefix(imported, module+"/")
		switch {
		case isOurs:
			if ours != f.pkg && !fits(allowed, ours) {
				fault("%s may not import %s", f.pkg, ours)
			}
		case strings.Contains(strings.Split(imported, "/")[0], "."):
			if why := r.checkLibrary(f, imported); why != "" {
				fault("%s", why)
			}
		}
	}
	if f.tagged && !f.test && !fits(r.jsonTags, f.pkg) {
		fault("JSON tags belong in internal/wire")
	}
	return faults
}

// checkLibrary says why a file may not import a library of others; "" if it may.
func (r *rules) checkLibrary(f *source, imported string) string {
	for library, who := range r.libraries {
		if within(imported, library) {
			if fits(who, f.pkg) || slices.Contains(who, f.name) || f.test && r.inTests(imported) {
				return ""
			}
			return fmt.Sprintf("%s may not import %s: it is for %s", f.pkg, library, strings.Join(who, ", "))
		}
	}
	switch {
	case !r.inTests(imported):
		return imported + " is not in the table of libraries of internal/deps"
	case f.test || strings.HasSuffix(f.pkg, "test"): // storetest and its like are tests too
		return ""
	}
	return imported + " is for tests alone"
}

func (r *rules) inTests(imported string) bool {
	return slices.ContainsFunc(r.testLibraries, func(library string) bool { return within(imported, library) })
}

func within(imported, library string) bool {
	return imported == library || strings.HasPrefix(imported, library+"/")
}

// fits reports whether one of the patterns names pkg.
func fits(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		above, tree := strings.CutSuffix(p, "/...")
		return p == "*" || p == pkg || tree && within(pkg, above)
	})
}

// lookup finds the entry of pkg itself, else that of the nearest tree it is in.
func lookup(table map[string][]string, pkg string) (value []string, ok bool) {
	if value, ok = table[pkg]; ok {
		return value, true
	}
	for dir := pkg; dir != "."; dir = path.Dir(dir) {
		if value, ok = table[dir+"/..."]; ok {
			return value, true
		}
	}
	return nil, false
}
