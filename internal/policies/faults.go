package policies

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// ofChange makes faults of a whole policy those of the layer or list that was changed:
// their pointers lie in it, and what another one is to blame for says so.
func ofChange(key store.PolicyKey, err error) error {
	faults, ok := errors.AsType[policy.Faults](err)
	if !ok {
		return err
	}
	mine := key.Layer + "/" + key.Name
	out := make(policy.Faults, len(faults))
	for i, f := range faults {
		where, pointer, found := strings.Cut(f.Pointer, "#")
		switch {
		case !found:
			out[i] = f
		case where == mine:
			out[i] = policy.Fault{Pointer: pointer, Reason: f.Reason}
		default:
			out[i] = policy.Fault{Reason: where + " " + strings.TrimPrefix(pointer, "/") + ": " + f.Reason}
		}
	}
	return out
}

// useList tries a list that was changed as a layer that names it would: it may have a
// part in no layer yet, and who names it later is not to blame for it. An error is
// policy.Faults.
func (k *Keeper) useList(key store.PolicyKey, o *own) error {
	if key.Layer != store.ListLayer {
		return nil
	}
	_, words := k.layers(o)
	user := policy.Layer{Kind: policy.KindGlobal, Name: policy.GlobalName, Settings: policy.Settings{Lists: []string{key.Name}}}
	_, err := policy.Compile(policy.Config{}, []policy.Layer{user}, words)
	if err == nil {
		return nil
	}
	faults, ok := errors.AsType[policy.Faults](ofChange(key, err))
	for i := range faults {
		if faults[i].Pointer == "" { // said of a list that this one names
			faults[i].Pointer = "/lists"
		}
	}
	if !ok {
		return err
	}
	return faults
}

// testWords runs the tests of the words of the layer or list that was changed. Each
// runs beside the words of its own place alone, so that those of others are as they
// were. An error is policy.Faults.
func (k *Keeper) testWords(key store.PolicyKey, o *own) error {
	layers, words := k.layers(o)
	layers = slices.DeleteFunc(layers, func(l policy.Layer) bool { return string(l.Kind) != key.Layer || l.Name != key.Name })
	maps.DeleteFunc(words.Lists, func(name string, _ policy.List) bool { return key.Layer != store.ListLayer || name != key.Name })
	if faults := policy.TestWords(layers, words); len(faults) > 0 {
		return ofChange(key, faults)
	}
	return nil
}

// ofDraft puts the place of a draft in its list before the pointers of its faults.
func ofDraft(i int, err error) policy.Faults {
	faults, ok := errors.AsType[policy.Faults](err)
	if !ok {
		return policy.Faults{{Pointer: fmt.Sprintf("/%d", i), Reason: err.Error()}}
	}
	out := make(policy.Faults, len(faults))
	for n, f := range faults {
		out[n] = policy.Fault{Pointer: fmt.Sprintf("/%d/body%s", i, f.Pointer), Line: f.Line, Reason: f.Reason}
	}
	return out
}

// ofDrafts finds the drafts that faults of a whole policy are to blame for.
func ofDrafts(drafts []Change, err error) error {
	faults, ok := errors.AsType[policy.Faults](err)
	if !ok {
		return err
	}
	var out policy.Faults
	for _, f := range faults {
		where, pointer, _ := strings.Cut(f.Pointer, "#")
		at := slices.IndexFunc(drafts, func(c Change) bool { return c.Layer+"/"+c.Name == where })
		if at < 0 {
			out = append(out, policy.Fault{Reason: f.Pointer + ": " + f.Reason})
			continue
		}
		out = append(out, policy.Fault{Pointer: fmt.Sprintf("/%d/body%s", at, pointer), Reason: f.Reason})
	}
	return out
}
