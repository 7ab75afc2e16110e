package policies

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Errors that callers tell apart, beside policy.Faults and those of internal/store.
var (
	// ErrUsed: a list that layers or other lists name can't go.
	ErrUsed = errors.New("policies: it is used")
	// ErrMany: the app has as many as it may have.
	ErrMany = errors.New("policies: too many")
	// ErrState: a rollout in this state takes no such step.
	ErrState = errors.New("policies: not in this state")
	// ErrApproval: another person approves it first; the own word does not count.
	ErrApproval = errors.New("policies: another person approves it first")
)

// MaxDocuments bounds the layers and lists of an app. Two gateways that store at once
// may pass it by one.
const MaxDocuments = 1000

// Change is what somebody wants of a layer, a list or settings.
type Change struct {
	store.PolicyKey
	// Body is YAML or JSON; Remove has what is built in hold again.
	Body    []byte
	Remove  bool
	Comment string
	By      string
}

// Put stores a change after version was; 0 is for what has none. It is in force here
// when Put returns, and at other gateways within two seconds. Under the two-person rule
// it becomes a proposal instead, and the version is zero. Errors are policy.Faults,
// ErrUsed, ErrMany, store.ErrConflict, store.ErrRollout and the store's.
func (k *Keeper) Put(ctx context.Context, c Change, was int) (store.Policy, *store.Rollout, error) {
	have, next, err := k.examine(ctx, &c)
	if err != nil {
		return next, nil, err
	}
	if have.version != was {
		return next, nil, fmt.Errorf("put %s/%s: %w", c.Layer, c.Name, store.ErrConflict)
	}
	if have.own.settings.TwoPerson {
		r, err := k.propose(ctx, &c, &next, was)
		return store.Policy{}, r, err
	}
	stored, err := k.publish(ctx, next, was)
	return stored, nil, err
}

func (k *Keeper) publish(ctx context.Context, p store.Policy, was int) (store.Policy, error) {
	stored, err := k.deps.Store.PutPolicy(ctx, p, was)
	if err != nil {
		return stored, err
	}
	k.learn(ctx, []store.Policy{stored}, nil)
	k.deps.Tell()
	return stored, nil
}

// propose has a change wait for another person.
func (k *Keeper) propose(ctx context.Context, c *Change, next *store.Policy, was int) (*store.Rollout, error) {
	r := store.Rollout{
		PolicyKey: c.PolicyKey, ID: newID(), Base: was, Body: next.Body, Remove: next.Removed, By: c.By, Comment: c.Comment, Bounds: defaultBounds,
	}
	enter(&r, store.RolloutProposed, 0, c.By, "")
	stored, err := k.deps.Store.PutRollout(ctx, r, 0, c.By, nil)
	return &stored, err
}

func newID() string { return uuid.Must(uuid.NewV7()).String() } // fails only without random numbers

// current is what an app has, as the store says now.
type current struct {
	own     own
	version int // of the layer that is asked about
	newest  store.Policy
}

// now reads what an app has from the store, so that a change is judged beside what
// other gateways have stored already.
func (k *Keeper) now(ctx context.Context, key store.PolicyKey) (current, error) {
	list, err := k.deps.Store.Policies(ctx, key.App)
	if err != nil {
		return current{}, err
	}
	k.learn(ctx, list, nil)
	c := current{own: k.of(key.App).own.clone()}
	for i := range list {
		if list[i].PolicyKey == key {
			c.version, c.newest = list[i].Version, list[i]
		}
	}
	if key.Layer != "" && c.version == 0 && len(list) >= MaxDocuments {
		return c, fmt.Errorf("layers and lists: %w, at most %d", ErrMany, MaxDocuments)
	}
	return c, nil
}

// examine makes the version that a change comes to. An error may be policy.Faults: all
// that is wrong with it, by itself and beside what else the app has.
func (k *Keeper) examine(ctx context.Context, c *Change) (current, store.Policy, error) {
	next := store.Policy{PolicyKey: c.PolicyKey, Removed: c.Remove, How: store.ByPut, By: c.By, Comment: c.Comment}
	have, err := k.now(ctx, c.PolicyKey)
	if err != nil {
		return have, next, err
	}
	if c.Remove {
		next.How = store.ByDelete
		if have.version == 0 || have.newest.Removed {
			return have, next, fmt.Errorf("delete %s/%s: %w", c.Layer, c.Name, store.ErrNotFound)
		}
		if by := have.own.users(c.PolicyKey); by != "" && !k.builtList(c.PolicyKey) {
			return have, next, fmt.Errorf("delete list %s: %w by %s", c.Name, ErrUsed, by)
		}
	} else if next.Body, err = canonical(c); err != nil {
		return have, next, err
	}
	after, err := have.own.with(next)
	if err != nil {
		return have, next, err
	}
	if _, err := k.compile(&after); err != nil {
		return have, next, ofChange(c.PolicyKey, err)
	}
	if c.Remove {
		return have, next, nil
	}
	if err := k.useList(c.PolicyKey, &after); err != nil {
		return have, next, err
	}
	return have, next, k.testWords(c.PolicyKey, &after)
}

// listName is what layers can name.
var listName = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)

// canonical writes a body as it is stored: JSON with sorted keys, so that equal
// settings are equal texts. An error is policy.Faults.
func canonical(c *Change) (string, error) {
	var out []byte
	var err error
	switch c.Layer {
	case store.SettingsLayer:
		s, err := readSettings(c.Body)
		if c.Name != store.SettingsName {
			return "", policy.Faults{{Reason: "settings are called " + store.SettingsName}}
		}
		return s.body(), err
	case store.ListLayer:
		if !listName.MatchString(c.Name) {
			return "", policy.Faults{{Reason: "a list is named with 1 to 64 of a-z 0-9 - _"}}
		}
		var l policy.List
		if l, err = policy.ReadList(c.Body); err != nil {
			return "", err
		}
		out, err = policy.MarshalList(l, policy.JSON)
	default:
		var l policy.Layer
		if l, err = policy.ReadLayer(policy.LayerKind(c.Layer), c.Name, c.Body); err != nil {
			return "", err
		}
		out, err = policy.MarshalSettings(l.Settings, policy.JSON)
	}
	return string(out), err
}

// users names what uses a list, "" for nothing.
func (o *own) users(key store.PolicyKey) string {
	if key.Layer != store.ListLayer {
		return ""
	}
	for i := range o.layers {
		if slices.Contains(o.layers[i].Settings.Lists, key.Name) {
			return o.layers[i].ID()
		}
	}
	for name, l := range o.lists {
		if name != key.Name && slices.Contains(l.Lists, key.Name) {
			return "list/" + name
		}
	}
	return ""
}

// builtList reports whether a list of this name is built in, which would hold again.
func (k *Keeper) builtList(key store.PolicyKey) bool {
	_, ok := k.deps.Words.Lists[key.Name]
	return ok && key.Layer == store.ListLayer
}

// Return makes a new version with the body of an old one. It is in force at once, also
// under the two-person rule: what was in force once has been looked at.
func (k *Keeper) Return(ctx context.Context, key store.PolicyKey, version, was int, by, comment string) (store.Policy, error) {
	old, err := k.version(ctx, key, version)
	if err != nil {
		return store.Policy{}, err
	}
	c := Change{PolicyKey: key, Body: []byte(old.Body), Remove: old.Removed, By: by, Comment: comment}
	have, next, err := k.examine(ctx, &c)
	if err != nil {
		return next, err
	}
	if have.version != was {
		return next, fmt.Errorf("return %s/%s: %w", key.Layer, key.Name, store.ErrConflict)
	}
	next.How, next.Of = store.ByReturn, version
	return k.publish(ctx, next, was)
}

// version returns one version; store.ErrNotFound where there is none.
func (k *Keeper) version(ctx context.Context, key store.PolicyKey, version int) (store.Policy, error) {
	list, err := k.deps.Store.PolicyHistory(ctx, key, version+1, 1)
	if err == nil && (len(list) == 0 || list[0].Version != version || version < 1) {
		err = fmt.Errorf("version %d of %s/%s: %w", version, key.Layer, key.Name, store.ErrNotFound)
	}
	if err != nil {
		return store.Policy{}, err
	}
	return list[0], nil
}

// Settings are how an app works on its policy.
func (k *Keeper) Settings(app engines.AppID) Settings { return k.of(app).own.settings }
