package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/configs/policies"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// policyFiles is the folder of the layers over the base, nil for none.
func policyFiles(dir string) fs.FS {
	switch dir {
	case "":
		return policies.Files
	case "none":
		return nil
	}
	return os.DirFS(dir)
}

// compilePolicy makes the policy of the base and the layers in their files.
func compilePolicy(base policy.Config) (*policy.Set, error) {
	layers, words, err := readPolicies(policyFiles(base.Dir))
	if err != nil {
		return nil, err
	}
	set, err := policy.Compile(base, layers, words)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return set, nil
}

// readPolicies reads a folder of layers, KIND/NAME.yaml, and of word lists,
// lists/NAME.yaml. A name that a file can't have (a * or a colon of a channel or a
// language) is written with % and two hexadecimal digits. The error has every fault
// of every file.
func readPolicies(files fs.FS) ([]policy.Layer, policy.Words, error) {
	words := policy.Words{Lists: map[string]policy.List{}, Compile: compileWords}
	if files == nil {
		return nil, words, nil
	}
	var layers []policy.Layer
	var faults []string
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		f, err := readPolicyFile(file, data)
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				faults = append(faults, file+": "+strings.TrimSuffix(line, "\n"))
			}
			return nil
		}
		if f.list != nil {
			words.Lists[f.name] = *f.list
		} else {
			layers = append(layers, *f.layer)
		}
		return nil
	})
	if err != nil {
		return nil, words, fmt.Errorf("policy.dir: %w", err)
	}
	if len(faults) > 0 {
		return nil, words, fmt.Errorf("policy files:\n%s", strings.Join(faults, "\n"))
	}
	for _, f := range policy.TestWords(layers, words) {
		faults = append(faults, f.String())
	}
	if len(faults) > 0 {
		return nil, words, fmt.Errorf("policy files: tests of words:\n%s", strings.Join(faults, "\n"))
	}
	return layers, words, nil
}

// policyFile is what one file holds: a layer or a list.
type policyFile struct {
	name  string
	layer *policy.Layer
	list  *policy.List
}

// readPolicyFile reads one file, of which the last two parts of the path say what
// it is.
func readPolicyFile(file string, data []byte) (policyFile, error) {
	kind, name := path.Base(path.Dir(file)), strings.TrimSuffix(path.Base(file), ".yaml")
	name, err := url.PathUnescape(name)
	if err != nil {
		return policyFile{}, err
	}
	if kind == "lists" {
		l, err := policy.ReadList(data)
		return policyFile{name: name, list: &l}, err
	}
	if !slices.Contains(policy.Kinds, policy.LayerKind(kind)) {
		return policyFile{}, fmt.Errorf("the folder %q is none of global, region, mode, channel, segment, lists", kind)
	}
	l, err := policy.ReadLayer(policy.LayerKind(kind), name, data)
	return policyFile{name: name, layer: &l}, err
}

func compileWords(words []engines.Word) (engines.WordMatcher, error) {
	m, err := text.CompileWords(words)
	if err != nil {
		return nil, err // not a nil pointer in an interface
	}
	return m, nil
}
