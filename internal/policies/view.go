package policies

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Sources of a layer.
const (
	SourceBuilt = "built-in"
	SourceFile  = "file"
	SourceApp   = "app"
)

// BaseLayer is the policy of the configuration file, below all layers.
const BaseLayer = "base"

// View is a layer, a list or settings as they hold.
type View struct {
	store.Policy
	Source string
}

// YAML is what it says, as a file of the same layer would.
func (v *View) YAML() ([]byte, error) {
	switch v.Layer {
	case store.ListLayer:
		l, err := policy.ReadList([]byte(v.Body))
		if err != nil {
			return nil, err
		}
		return policy.MarshalList(l, policy.YAML)
	case store.SettingsLayer, BaseLayer:
		return []byte(v.Body + "\n"), nil // JSON is YAML
	}
	s, err := policy.ReadSettings([]byte(v.Body))
	if err != nil {
		return nil, err
	}
	return policy.MarshalSettings(s, policy.YAML)
}

// builtIn is what comes with the program or its file, of no app.
func builtIn(deps *Deps) ([]View, error) {
	view := func(layer, name, body, source string) View {
		return View{store.Policy{PolicyKey: store.PolicyKey{Layer: layer, Name: name}, Body: body}, source}
	}
	list := []View{view(BaseLayer, policy.GlobalName, deps.BaseBody, SourceFile)}
	for i := range deps.Built {
		l := &deps.Built[i]
		body, err := policy.MarshalSettings(l.Settings, policy.JSON)
		if err != nil {
			return nil, fmt.Errorf("layer %s: %w", l.ID(), err)
		}
		list = append(list, view(string(l.Kind), l.Name, string(body), deps.BuiltSource))
	}
	for _, name := range slices.Sorted(maps.Keys(deps.Words.Lists)) {
		body, err := policy.MarshalList(deps.Words.Lists[name], policy.JSON)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", name, err)
		}
		list = append(list, view(store.ListLayer, name, string(body), deps.BuiltSource))
	}
	return list, nil
}

// builtFor is what comes with the program, as an app sees it.
func (k *Keeper) builtFor(app engines.AppID) []View {
	list := slices.Clone(k.built)
	for i := range list {
		list[i].App = app
	}
	return list
}

// views are what holds for an app, of the kinds that are wanted.
func (k *Keeper) views(ctx context.Context, app engines.AppID, wanted func(layer string) bool) ([]View, error) {
	stored, err := k.deps.Store.Policies(ctx, app)
	if err != nil {
		return nil, err
	}
	list := k.builtFor(app)
	for i := range stored {
		list = over(list, &stored[i])
	}
	return slices.DeleteFunc(list, func(v View) bool { return !wanted(v.Layer) }), nil
}

// List lists the layers that hold for an app, the most general one first.
func (k *Keeper) List(ctx context.Context, app engines.AppID) ([]View, error) {
	list, err := k.views(ctx, app, func(layer string) bool { return layer != store.ListLayer && layer != store.SettingsLayer })
	sortViews(list)
	return list, err
}

// Lists lists an app's word lists and those that are built in, by name.
func (k *Keeper) Lists(ctx context.Context, app engines.AppID) ([]View, error) {
	list, err := k.views(ctx, app, func(layer string) bool { return layer == store.ListLayer })
	sortViews(list)
	return list, err
}

// over lays a version over what is built in.
func over(list []View, p *store.Policy) []View {
	for i := range list {
		if list[i].PolicyKey != p.PolicyKey {
			continue
		}
		if p.Removed {
			list[i].Version = p.Version // a change has to name it
		} else {
			list[i] = View{*p, SourceApp}
		}
		return list
	}
	if p.Removed {
		return list
	}
	return append(list, View{*p, SourceApp})
}

// Layer is a layer, a list or settings as they hold; store.ErrNotFound where there is
// no such thing. The version of what is built in is that of the removal before it, 0
// where there was none.
func (k *Keeper) Layer(ctx context.Context, key store.PolicyKey) (View, error) {
	stored, err := k.deps.Store.PolicyHistory(ctx, key, 0, 1)
	if err != nil {
		return View{}, err
	}
	if len(stored) > 0 && !stored[0].Removed {
		return View{stored[0], SourceApp}, nil
	}
	if key.Layer == store.SettingsLayer && key.Name == store.SettingsName {
		v := View{store.Policy{PolicyKey: key, Body: Settings{}.body()}, SourceBuilt}
		if len(stored) > 0 {
			v.Version = stored[0].Version
		}
		return v, nil
	}
	list := k.builtFor(key.App)
	for i := range list {
		if list[i].PolicyKey != key {
			continue
		}
		if len(stored) > 0 {
			list[i].Version = stored[0].Version
		}
		return list[i], nil
	}
	return View{}, fmt.Errorf("policy %s/%s: %w", key.Layer, key.Name, store.ErrNotFound)
}

// History lists versions below before, newest first; at 0 from the newest on.
// store.ErrNotFound where there never was one.
func (k *Keeper) History(ctx context.Context, key store.PolicyKey, before, most int) ([]store.Policy, error) {
	list, err := k.deps.Store.PolicyHistory(ctx, key, before, most)
	if err == nil && len(list) == 0 && before == 0 {
		if _, err := k.Layer(ctx, key); err != nil {
			return nil, err
		}
	}
	return list, err
}

// Diff lists what differs between two versions, setting by setting; 0 is what is
// built in, or nothing. store.ErrNotFound where there is no such version.
func (k *Keeper) Diff(ctx context.Context, key store.PolicyKey, from, to int) ([]Difference, error) {
	a, err := k.bodyOf(ctx, key, from)
	if err != nil {
		return nil, err
	}
	b, err := k.bodyOf(ctx, key, to)
	if err != nil {
		return nil, err
	}
	return diff(a, b)
}

// bodyOf is what holds under a version: what is built in under a removal.
func (k *Keeper) bodyOf(ctx context.Context, key store.PolicyKey, version int) (string, error) {
	if version > 0 {
		p, err := k.version(ctx, key, version)
		if err != nil || !p.Removed {
			return p.Body, err
		}
	}
	list := k.builtFor(key.App)
	for i := range list {
		if list[i].PolicyKey == key {
			return list[i].Body, nil
		}
	}
	return "", nil
}

// Layers lists the ids of the layers that hold for an item, the most general one first.
func (k *Keeper) Layers(item *engines.Item) []string { return k.of(item.App).set.LayersOf(item) }

// HasLayer reports whether an app's policy has a layer with an id such as region/jp.
func (k *Keeper) HasLayer(app engines.AppID, id string) bool { return k.of(app).set.Number(id) != 0 }

// Explain says which rules hold for an item at a time, and which layer set what.
func (k *Keeper) Explain(item *engines.Item) policy.Explanation {
	f := k.of(item.App)
	set := f.set
	if f.trial != nil {
		set = f.trial.armOf(item).set
	}
	return set.Explain(item, item.ReceivedAt)
}
