package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
)

const documented = "../../configs/portcullis.yaml"

func TestEveryConfigurationFileIsValid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../configs/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("Glob() = %d files, %v, want some", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			cfg, err := loadConfig(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := cfg.validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDocumentedDefaultsAreTheDefaults(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(documented)
	if err != nil {
		t.Fatal(err)
	}
	var got config // zero: what the file leaves out shows
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaultConfig(), got, cmp.AllowUnexported(config{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("configs/portcullis.yaml differs from the defaults (-default +file):\n%s", diff)
	}
}

// keyPaths lists the yaml keys of a configuration struct. A map's or list's own
// keys are its owner's business.
func keyPaths(of reflect.Type, prefix string) []string {
	var paths []string
	for f := range of.Fields() {
		tag := f.Tag.Get("yaml")
		switch {
		case tag == "-" || !f.IsExported():
		case f.Type.Kind() == reflect.Struct:
			paths = append(paths, keyPaths(f.Type, prefix+tag+".")...)
		default:
			paths = append(paths, prefix+tag)
		}
	}
	return paths
}

func TestEveryKeyIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(documented)
	if err != nil {
		t.Fatal(err)
	}
	var file yaml.Node
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	commented := map[string]bool{}
	walkKeys(file.Content[0], "", false, commented)
	paths := keyPaths(reflect.TypeFor[config](), "")
	if len(paths) < 40 {
		t.Fatalf("keyPaths() = %d paths, want all: %v", len(paths), paths)
	}
	for _, path := range paths {
		comment, ok := commented[path]
		if !ok {
			t.Errorf("%s is not in configs/portcullis.yaml", path)
		}
		if ok && !comment {
			t.Errorf("%s has no comment in configs/portcullis.yaml", path)
		}
	}
}

// walkKeys notes which keys have a comment: of their own, or that of the key
// just before them, where one comment speaks of both, or of the group.
func walkKeys(m *yaml.Node, prefix string, above bool, commented map[string]bool) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		has := key.HeadComment != "" || above
		if i > 0 && key.Line == m.Content[i-1].Line+1 && key.HeadComment == "" {
			has = commented[prefix+m.Content[i-2].Value]
		}
		path := prefix + key.Value
		commented[path] = has
		if value.Kind == yaml.MappingNode {
			walkKeys(value, path+".", has && prefix != "", commented)
		}
	}
}

func TestFaultsComeAtOnceWithTheirLines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "p.yaml")
	text := "http:\n  listn: x\nchat:\n  heartbeat: soon\n  player_rate: many\nlimits: {check: 0}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := loadConfig(file, []string{"PORTCULLIS_TEXT_QUEUE=-"})
	if err == nil {
		t.Fatal("loadConfig() = nil, want faults")
	}
	for _, want := range []string{"line 2: field listn not found", "line 4: ", "line 5: ", "text.queue (PORTCULLIS_TEXT_QUEUE)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("loadConfig() = %v, want %q in it", err, want)
		}
	}
	if err := cfg.validate(); err == nil || !strings.Contains(err.Error(), "limits.check") {
		t.Errorf("validate() = %v, want limits.check in it", err)
	}
}

func TestEmptyFileIsTheDefaults(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(file, []byte("# nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := loadConfig(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaultConfig(), got, cmp.AllowUnexported(config{})); diff != "" {
		t.Errorf("loadConfig() differs from the defaults:\n%s", diff)
	}
}
