package policies

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/policy"
)

// Difference is one setting that differs. Was and Is are JSON, "" where it is absent.
type Difference struct {
	Pointer string
	Was, Is string
}

// diff compares two bodies. The words of lists are compared by their terms, so that
// one word more is one difference.
func diff(was, is string) ([]Difference, error) {
	a, err := flat(was)
	if err != nil {
		return nil, err
	}
	b, err := flat(is)
	if err != nil {
		return nil, err
	}
	var list []Difference
	for pointer, v := range a {
		if b[pointer] != v {
			list = append(list, Difference{pointer, v, b[pointer]})
		}
	}
	for pointer, v := range b {
		if _, ok := a[pointer]; !ok {
			list = append(list, Difference{pointer, "", v})
		}
	}
	slices.SortFunc(list, func(a, b Difference) int { return strings.Compare(a.Pointer, b.Pointer) })
	return list, nil
}

// flat gives every setting of a body by its pointer, as JSON.
func flat(body string) (map[string]string, error) {
	out := map[string]string{}
	if body == "" {
		return out, nil
	}
	var tree any
	if err := json.Unmarshal([]byte(body), &tree); err != nil {
		return nil, fmt.Errorf("read a stored policy: %w", err)
	}
	return out, flatten(out, "", tree)
}

func flatten(out map[string]string, pointer string, v any) error {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if err := flatten(out, pointer+"/"+escaped(name), v[name]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if byTerm(v) {
			for i, entry := range v {
				at := pointer + "/" + escaped(term(entry))
				if _, twice := out[at]; twice { // of two languages, perhaps
					at += "#" + strconv.Itoa(i)
				}
				text, err := json.Marshal(entry)
				if err != nil {
					return err
				}
				out[at] = string(text)
			}
			return nil
		}
	}
	text, err := json.Marshal(v)
	out[pointer] = string(text)
	return err
}

// byTerm reports whether an array is one of words.
func byTerm(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool { return term(v) == "" })
}

func term(v any) string {
	entry, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	t, _ := entry["term"].(string)
	return t
}

func escaped(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

// sortViews orders layers from the most general to the most specific.
func sortViews(list []View) {
	rank := func(layer string) int { return slices.Index(policy.Kinds, policy.LayerKind(layer)) }
	slices.SortFunc(list, func(a, b View) int {
		return cmp.Or(cmp.Compare(rank(a.PolicyKey.Layer), rank(b.PolicyKey.Layer)), strings.Compare(a.Name, b.Name))
	})
}
